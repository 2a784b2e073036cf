import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { validationQuery, type ValidationQuery } from '../../../core/contracts/dashboard/validations.ts';
import { startOfDay } from '../../i18n/days.ts';

const QUERIES = ['status', 'flow', 'hit', 'text', 'order'] as const;
const KEYS = [...QUERIES, 'from', 'to'] as const;
type FilterKey = (typeof KEYS)[number];

export interface FilterInAddress {
  /** What the core is asked. */
  filter: ValidationQuery;
  /** The days in the address, `YYYY-MM-DD` in the reader's zone; `to` is the last day that is shown. */
  days: { from: string; to: string };
  /** Whether anything is filtered at all. */
  filtered: boolean;
  set: (key: FilterKey, value: string | null) => void;
  clear: () => void;
}

/** The filter lives in the address: back, reload and a copied link show the same rows. */
export function useFilter(): FilterInAddress {
  const [params, setParams] = useSearchParams();
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? ''];
  const filter = useMemo(() => {
    const parts = QUERIES.flatMap((key) => {
      const value = params.get(key);
      return value === null || value === '' ? [] : [[key, value] as const];
    });
    // A key that somebody mistyped in the address filters nothing; the others still do.
    const good = parts.filter(([key, value]) => validationQuery.safeParse({ [key]: value }).success);
    const [start, end] = [startOfDay(from), startOfDay(to, 1)];
    return validationQuery.parse({
      ...Object.fromEntries(good),
      ...(start !== undefined && { from: start }),
      ...(end !== undefined && { until: end }),
    });
  }, [params, from, to]);
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
    days: { from, to },
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
