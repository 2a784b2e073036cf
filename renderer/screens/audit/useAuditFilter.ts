import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { auditFilter, type AuditFilter } from '../../../core/contracts/audit.ts';

const KEYS = ['actor', 'action', 'object', 'outcome', 'from', 'to'] as const;
type FilterKey = (typeof KEYS)[number];

export interface AuditFilterInAddress {
  filter: AuditFilter;
  /** As they stand in the address; days as YYYY-MM-DD. */
  typed: Partial<Record<FilterKey, string>>;
  filtered: boolean;
  set: (key: FilterKey, value: string | null) => void;
  clear: () => void;
}

/** The filter lives in the address. Days are of the reader's zone: from the start of one to the end of the other. */
export function useAuditFilter(): AuditFilterInAddress {
  const [params, setParams] = useSearchParams();
  const { filter, typed } = useMemo(() => {
    const typed: AuditFilterInAddress['typed'] = {};
    for (const key of KEYS) {
      const value = params.get(key);
      if (value !== null && value !== '') typed[key] = value;
    }
    const wanted = { ...typed, from: startOf(typed.from, 0), to: startOf(typed.to, 1) };
    // A key that somebody mistyped in the address filters nothing; the others still do.
    const good = Object.entries(wanted).filter(
      ([key, value]) => value !== undefined && auditFilter.safeParse({ [key]: value }).success,
    );
    return { typed, filter: auditFilter.parse(Object.fromEntries(good)) };
  }, [params]);
  const edit = (change: (next: URLSearchParams) => void) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        change(next);
        return next;
      },
      { replace: true },
    );
  return {
    filter,
    typed,
    filtered: Object.keys(typed).length > 0,
    set: (key, value) =>
      edit((next) => {
        if (value === null || value === '') next.delete(key);
        else next.set(key, value);
      }),
    clear: () =>
      edit((next) => {
        for (const key of KEYS) next.delete(key);
      }),
  };
}

/** The moment at which a day begins, or the one so many days later. */
function startOf(day: string | undefined, daysLater: number): string | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '');
  if (parts === null) return undefined;
  return new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + daysLater).toISOString();
}
