import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { startOfDay } from '../i18n/days.ts';

/** What a list can be filtered by; made once a screen, outside its components. */
export interface FilterShape<K extends string, F> {
  /** What the core understands; every key of it is optional. */
  schema: { parse: (parts: object) => F; safeParse: (parts: object) => { success: boolean } };
  keys: readonly K[];
  /** What the schema calls the moment before which the time ends. */
  end: 'until' | 'to';
  /** Typed letter by letter: all of it is one step for the back button, while every choice is its own. */
  typed?: readonly K[];
  /** The order of the rows: it leaves none out. */
  order?: K;
}

export interface AddressFilter<K extends string, F> {
  /** What the core is asked. */
  filter: F;
  /** As it stands in the address, or empty; days as `YYYY-MM-DD`, `to` is the last one shown. */
  value: (key: K | 'from' | 'to') => string;
  /** Whether anything is filtered at all. */
  filtered: boolean;
  /** Null or empty: filters nothing any more. */
  set: (key: K | 'from' | 'to', value: string | null) => void;
  /** Both ends of the time at once: one step for the back button. */
  setDays: (from: string, to: string) => void;
  clear: () => void;
  /** For links that keep the filter. */
  search: string;
}

/** The filter of a list lives in the address: back, reload and a copied link show the same rows. Days are the reader's own. */
export function useAddressFilter<K extends string, F>(shape: FilterShape<K, F>): AddressFilter<K, F> {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => {
    const wanted = [
      ...shape.keys.map((key) => [key, params.get(key)] as const),
      ['from', startOfDay(params.get('from') ?? '')] as const,
      [shape.end, startOfDay(params.get('to') ?? '', 1)] as const,
    ].filter(([, value]) => value != null && value !== '');
    // A key that somebody mistyped in the address filters nothing; the others still do.
    const good = wanted.filter(([key, value]) => shape.schema.safeParse({ [key]: value }).success);
    return shape.schema.parse(Object.fromEntries(good));
  }, [params, shape]);
  const all = [...shape.keys, 'from', 'to'] as const;
  const edit = (change: (next: URLSearchParams) => void, replace: boolean) =>
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
    value: (key) => params.get(key) ?? '',
    filtered: all.some((key) => key !== shape.order && (params.get(key) ?? '') !== ''),
    set: (key, value) =>
      edit(
        (next) => {
          if (value === null || value === '') next.delete(key);
          else next.set(key, value);
        },
        shape.typed?.some((each) => each === key) === true,
      ),
    setDays: (from, to) =>
      edit((next) => {
        next.set('from', from);
        next.set('to', to);
      }, false),
    clear: () =>
      edit((next) => {
        for (const key of all) next.delete(key);
      }, false),
    search: params.toString(),
  };
}
