import { useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { DEFAULT_VIEW, searchView, type SearchView } from '../../../core/contracts/dashboard/searchView.ts';
import { recordSearchView } from '../../api/search.ts';

export interface ChosenView {
  view: SearchView;
  /** Applies a choice once the service has recorded it with the search. */
  change: (part: Partial<SearchView>) => void;
  error: Error | null;
}

const KEYS = ['oneIn', 'list', 'below'] as const;

/** The view that the address names. An invalid value in the address is ignored. */
export function viewOf(params: URLSearchParams): SearchView {
  const given = KEYS.map((key) => [key, params.get(key)] as const).filter(([, value]) => value !== null);
  const good = given.filter(([key, value]) => searchView.safeParse({ [key]: value }).success);
  return searchView.parse(Object.fromEntries(good));
}

/**
 * Threshold, lists and candidates below the threshold: part of the address, and recorded with the search.
 * @param search the id of the result that is shown
 */
export function useSearchView(search: string): ChosenView {
  const [params, setParams] = useSearchParams();
  const view = viewOf(params);
  /** The last choice that is still being recorded: the next one builds on it. */
  const recorded = useRef<SearchView | null>(null);
  const recording = useMutation({
    // One after another, so that the last choice is also the last one that is recorded.
    scope: { id: `view-of-${search}` },
    mutationFn: (next: SearchView) => recordSearchView(search, next),
    onSettled: (_, _error, next) => {
      if (recorded.current === next) recorded.current = null;
    },
    onSuccess: (_, next) =>
      setParams(
        (now) => {
          const address = new URLSearchParams(now);
          for (const key of KEYS)
            if (next[key] === DEFAULT_VIEW[key]) address.delete(key);
            else address.set(key, String(next[key]));
          return address;
        },
        { replace: true },
      ),
  });
  const change = (part: Partial<SearchView>) => {
    const next = { ...(recorded.current ?? view), ...part };
    recorded.current = next;
    recording.mutate(next);
  };
  return { view, change, error: recording.error };
}
