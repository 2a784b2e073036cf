import { useCallback, useMemo } from 'react';
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';

/** The loaded part of a list. */
export interface Rows<T> {
  rows: readonly T[];
  /** Number of rows, loaded or not; undefined until the first page is loaded. */
  total: number | undefined;
  /** Null while loaded rows can be shown. */
  error: Error | null;
  /** Requests the next page; null: all are loaded. */
  loadMore: (() => void) | null;
  retry: () => void;
}

/** The loaded pages of a list as one list. */
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
