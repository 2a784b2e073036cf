import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { comparisonQuery, type ComparisonQuery } from '../../../core/contracts/dashboard/signatures.ts';
import { startOfDay } from '../../i18n/days.ts';

const QUERIES = ['template_id', 'verification_id', 'verdict'] as const;
const KEYS = [...QUERIES, 'from', 'to'] as const;
export type HistoryKey = (typeof KEYS)[number];

/** The filter lives in the address: back, reload and a copied link show the same rows. */
export function useHistoryFilter() {
  const [params, setParams] = useSearchParams();
  const filter = useMemo((): ComparisonQuery => {
    const [start, end] = [startOfDay(params.get('from') ?? ''), startOfDay(params.get('to') ?? '', 1)];
    const parts = [
      ...QUERIES.map((key) => [key, params.get(key)] as const),
      ['from', start] as const,
      ['until', end] as const,
    ].filter(([, value]) => value != null && value !== '');
    // A key that somebody mistyped in the address filters nothing; the others still do.
    return comparisonQuery.parse(
      Object.fromEntries(parts.filter(([key, value]) => comparisonQuery.safeParse({ [key]: value }).success)),
    );
  }, [params]);
  const value = (key: HistoryKey) => params.get(key) ?? '';
  const set = (key: HistoryKey, text: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (text === '') next.delete(key);
        else next.set(key, text);
        return next;
      },
      { replace: true },
    );
  const filtered = KEYS.some((key) => params.has(key));
  return {
    filter,
    filtered,
    value,
    set,
    clear: () => setParams({}, { replace: true }),
    search: params.toString(),
  };
}
