import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { startOfDay } from '../i18n/days.ts';

/** The filters of a list. Created once per screen, outside its components. */
export interface FilterShape<K extends string, F> {
  /** The schema of the query. Every key is optional. */
  schema: { parse: (parts: object) => F; safeParse: (parts: object) => { success: boolean } };
  keys: readonly K[];
  /** The key of the schema for the end of the period. */
  end: 'until' | 'to';
  /** Typed letter by letter: all of it is one step for the back button, while every choice is its own. */
  typed?: readonly K[];
  /** The order of the rows: it leaves none out. */
  order?: readonly K[];
}

export interface AddressFilter<K extends string, F> {
  /** The query for the service. */
  filter: F;
  /** As it stands in the address, or empty; days as `YYYY-MM-DD`, `to` is the last one shown. */
  value: (key: K | 'from' | 'to') => string;
  /** Whether anything is filtered at all. */
  filtered: boolean;
  /** Null or empty removes the filter. */
  set: (key: K | 'from' | 'to', value: string | null) => void;
  /** Several at once: one step for the back button. */
  setAll: (values: Partial<Record<K | 'from' | 'to', string | null>>) => void;
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
    // An invalid value in the address is ignored; the other filters still apply.
    const good = wanted.filter(([key, value]) => shape.schema.safeParse({ [key]: value }).success);
    return shape.schema.parse(Object.fromEntries(good));
  }, [params, shape]);
  // One function for the life of the list, so that a control renders only when its own value changes.
  const latest = useRef(setParams);
  useLayoutEffect(() => {
    latest.current = setParams;
  });
  const edit = useCallback(
    (change: (next: URLSearchParams) => void, replace: boolean) =>
      latest.current(
        (now) => {
          const next = new URLSearchParams(now);
          change(next);
          return next;
        },
        // Rendered synchronously: in slices, the answer of the service would arrive before the filter is drawn.
        { replace, flushSync: true },
      ),
    [],
  );
  const changes = useMemo(
    (): Pick<AddressFilter<K, F>, 'set' | 'setAll' | 'clear'> => ({
      set: (key, value) =>
        edit(
          (next) => {
            if (value === null || value === '') next.delete(key);
            else next.set(key, value);
          },
          shape.typed?.some((each) => each === key) === true,
        ),
      setAll: (values) =>
        edit((next) => {
          for (const [key, value] of Object.entries<string | null | undefined>(values))
            if (value == null || value === '') next.delete(key);
            else next.set(key, value);
        }, false),
      clear: () =>
        edit((next) => {
          for (const key of [...shape.keys, 'from', 'to'])
            if (!shape.order?.some((each) => each === key)) next.delete(key);
        }, false),
    }),
    [edit, shape],
  );
  return useMemo(
    () => ({
      ...changes,
      filter,
      value: (key) => params.get(key) ?? '',
      filtered: [...shape.keys, 'from', 'to'].some(
        (key) => !shape.order?.some((each) => each === key) && (params.get(key) ?? '') !== '',
      ),
      search: params.toString(),
    }),
    [changes, filter, params, shape],
  );
}
