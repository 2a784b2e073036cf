import { queryOptions } from '@tanstack/react-query';
import { overview } from '../../core/contracts/dashboard/overview.ts';
import { requestJson, queryString } from './client.ts';

/** The numbers of the first page. @param since when the reader's day began, ISO 8601 */
export const overviewQuery = (since: string) =>
  queryOptions({
    queryKey: ['overview', since],
    queryFn: ({ signal }) => requestJson('GET', `/overview${queryString({ since })}`, overview, { signal }),
  });
