import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  failureList,
  fixReceipt,
  runList,
  runRow,
  type FailureQuery,
  type FailureRow,
  type RunQuery,
  type UnfixableChange,
} from '../../core/contracts/dashboard/enrolmentRuns.ts';
import { queryString, requestJson } from './client.ts';

// Under `uploads`, so that the service's reports of changed uploads reload them.
export const runsQuery = (filter: RunQuery) =>
  infiniteQueryOptions({
    queryKey: ['uploads', 'runs', filter],
    queryFn: ({ pageParam, signal }) =>
      requestJson('GET', `/runs${queryString({ ...filter, cursor: pageParam })}`, runList, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

export const runQueryById = (id: string) =>
  queryOptions({
    queryKey: ['uploads', 'run', id],
    queryFn: ({ signal }) => requestJson('GET', `/runs/${id}`, runRow, { signal }),
  });

export const failuresQuery = (filter: FailureQuery) =>
  infiniteQueryOptions({
    queryKey: ['uploads', 'failures', filter],
    queryFn: ({ pageParam, signal }) => loadFailures({ ...filter, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

const loadFailures = (query: FailureQuery, signal?: AbortSignal) =>
  requestJson('GET', `/failures${queryString(query)}`, failureList, { signal });

/** Failed photos that are read at once, for a file or for a step on all of them. */
const PAGE = 500;

/** Every failed photo that a filter leaves. */
export async function loadAllFailures(filter: FailureQuery): Promise<FailureRow[]> {
  const rows: FailureRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await loadFailures({ ...filter, limit: PAGE, cursor });
    rows.push(...page.items);
    cursor = page.nextCursor;
  }
  return rows;
}

export const setUnfixable = (change: UnfixableChange) =>
  requestJson('PUT', '/failures/unfixable', z.null(), { body: change });

/**
 * Sends the corrected photo of a failed one. It keeps the name and the list of the failed photo.
 * @param choice the number of the chosen face, from 1 for the largest, and how many were found
 */
export function sendFix(
  id: number,
  photo: Blob,
  choice: { face?: number | undefined; faces: number },
  idempotencyKey: string,
): Promise<{ uploadId: string }> {
  const form = new FormData();
  form.append('images[]', photo, 'photo');
  const path = `/failures/${id}/fixes${queryString(choice)}`;
  return requestJson('POST', path, fixReceipt, { body: form, idempotencyKey });
}
