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
  const recording = useMutation({
    mutationFn: (next: SearchView) => recordSearchView(search, next),
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
  return { view, change: (part) => recording.mutate({ ...view, ...part }), error: recording.error };
}
