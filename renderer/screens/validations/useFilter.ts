import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { validationQuery, type ValidationQuery } from '../../../core/contracts/dashboard/validations.ts';

const KEYS = ['status', 'flow', 'hit', 'text', 'from', 'to', 'order'] as const;
type FilterKey = (typeof KEYS)[number];

export interface FilterInAddress {
  filter: ValidationQuery;
  /** Whether anything is filtered at all. */
  filtered: boolean;
  set: (key: FilterKey, value: string | null) => void;
  clear: () => void;
}

/** The filter lives in the address: back, reload and a copied link show the same rows. */
export function useFilter(): FilterInAddress {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => {
    const parts = KEYS.flatMap((key) => {
      const value = params.get(key);
      return value === null || value === '' ? [] : [[key, value] as const];
    });
    // A key that somebody mistyped in the address filters nothing; the others still do.
    const good = parts.filter(([key, value]) => validationQuery.safeParse({ [key]: value }).success);
    return validationQuery.parse(Object.fromEntries(good));
  }, [params]);
  // What is typed letter by letter is one step for the back button; every choice is its own.
  const edit = (change: (params: URLSearchParams) => void, replace = false) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        change(next);
        return next;
      },
      { replace },
    );
  return {
    filter,
    filtered: KEYS.some((key) => key !== 'order' && params.has(key)),
    set: (key, value) =>
      edit((next) => {
        if (value === null || value === '') next.delete(key);
        else next.set(key, value);
      }, key === 'text'),
    clear: () =>
      edit((next) => {
        for (const key of KEYS) next.delete(key);
      }),
  };
}
