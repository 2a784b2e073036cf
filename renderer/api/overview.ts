import { queryOptions } from '@tanstack/react-query';
import { activity, overview } from '../../core/contracts/dashboard/overview.ts';
import { requestJson, queryString } from './client.ts';

/** The numbers of the first page. @param since when the reader's day began, ISO 8601 */
export const overviewQuery = (since: string) =>
  queryOptions({
    queryKey: ['overview', since],
    queryFn: ({ signal }) => requestJson('GET', `/overview${queryString({ since })}`, overview, { signal }),
  });

/**
 * The days of the chart. They are over, so the service counts them at most every ten minutes.
 * @param from when each day began, oldest first, ISO 8601. @param until when the last one ended
 */
export const activityQuery = (from: readonly string[], until: string) =>
  queryOptions({
    queryKey: ['activity', until],
    queryFn: ({ signal }) =>
      requestJson('GET', `/overview/activity${queryString({ from: from.join(','), until })}`, activity, {
        signal,
      }),
    staleTime: 10 * 60_000,
  });
