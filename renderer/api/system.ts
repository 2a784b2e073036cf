import { queryOptions } from '@tanstack/react-query';
import { systemState } from '../../core/contracts/dashboard/system.ts';
import { healthReport } from '../../core/contracts/diagnostics.ts';
import { requestJson } from './client.ts';

/** Below the queue's key, so that an invalidation of the queue refetches this query too. */
export const systemQuery = queryOptions({
  queryKey: ['queue', 'system'],
  queryFn: ({ signal }) => requestJson('GET', '/system', systemState, { signal }),
});

/** The service keeps a report for ten minutes; so may the screen. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  staleTime: 10 * 60_000,
  queryFn: ({ signal }) => requestJson('GET', '/system/health', healthReport, { signal }),
});
export const checkHealth = () => requestJson('GET', '/system/health?fresh=1', healthReport);
