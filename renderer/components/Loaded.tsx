import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState, LoadingRows } from './states.tsx';

/** One thing in whatever state it is: on its way, failed, or there. What was had stays when asking again fails. */
export function Loaded<T>(props: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  /** Of its skeleton: as many, and as high in pixels, as what is coming. */
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
