import { useCallback, useMemo } from 'react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';

/** The pages of a list so far as one list, and how to ask for the next. */
export function usePages<P extends { items: readonly unknown[] }>(
  query: UseInfiniteQueryResult<InfiniteData<P>>,
) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch, error } = query;
  const rows = useMemo(
    (): readonly P['items'][number][] => data?.pages.flatMap(({ items }) => items) ?? [],
    [data],
  );
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  return {
    rows,
    first: data?.pages[0],
    /** Only where there is nothing to show instead. */
    error: data === undefined ? error : null,
    more: hasNextPage ? more : null,
    retry: () => void refetch(),
  };
}
