import { useCallback, useMemo } from 'react';
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';

/** A list as far as it is known. */
export interface Rows<T> {
  rows: readonly T[];
  /** Rows there are, loaded or not; undefined until the core has answered. */
  total: number | undefined;
  /** Only where there is nothing to show instead. */
  error: Error | null;
  /** Asks for the next rows; null: these are all. */
  loadMore: (() => void) | null;
  retry: () => void;
}

/** The pages of a list so far as one list, and how to ask for the next. */
export function useInfiniteRows<P extends { items: readonly unknown[]; total?: number }>(
  query: UseInfiniteQueryResult<InfiniteData<P>>,
): Rows<P['items'][number]> & { first: P | undefined } {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch, error } = query;
  const rows = useMemo(
    (): readonly P['items'][number][] => data?.pages.flatMap(({ items }) => items) ?? [],
    [data],
  );
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  const first = data?.pages[0];
  return {
    rows,
    first,
    total: first && (first.total ?? rows.length),
    error: data === undefined ? error : null,
    loadMore: hasNextPage ? more : null,
    retry: () => void refetch(),
  };
}

/** A list that comes whole. */
export function completeRows<T>(
  { data, error, refetch }: UseQueryResult<{ items: readonly T[] }>,
  shown: readonly T[] | undefined = data?.items,
): Rows<T> {
  return {
    rows: shown ?? [],
    total: shown?.length,
    error: data === undefined ? error : null,
    loadMore: null,
    retry: () => void refetch(),
  };
}
