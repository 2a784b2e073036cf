import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState, LoadingRows } from './states.tsx';

/** Content that is loading, failed or loaded. Loaded content stays when a later request fails. */
export function Loaded<T>(props: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  /** Rows of the skeleton and their height in pixels: those of the content. */
  rows?: number;
  height?: number;
  children: (data: T) => ReactNode;
}) {
  const { query, children, ...skeleton } = props;
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error !== null) return <ErrorState error={error} retry={() => void refetch()} />;
  return <LoadingRows {...skeleton} />;
}
