import { queryOptions } from '@tanstack/react-query';
import { REPORT_EVERY_MS, watchedFolderList } from '../../core/contracts/dashboard/watchedFolders.ts';
import { requestJson } from './client.ts';

export const watchedFoldersQuery = queryOptions({
  queryKey: ['watched-folders'],
  queryFn: ({ signal }) => requestJson('GET', '/watched-folders', watchedFolderList, { signal }),
  refetchInterval: REPORT_EVERY_MS,
});
