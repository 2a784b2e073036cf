import { queryOptions } from '@tanstack/react-query';
import {
  queueState,
  uploadDetail,
  uploadLimits,
  uploadOfKeyAnswer,
} from '../../core/contracts/dashboard/work.ts';
import {
  type PhotoPerson,
  blacklistReceipt,
  enrolmentReceipt,
  envelope,
} from '../../core/contracts/uploads.ts';
import type { SeveralFaces } from '../../core/contracts/dashboard/enrolmentRuns.ts';
import type { FaceListing } from '../../core/contracts/faceListing.ts';
import { listingQuery } from './blacklists.ts';
import { requestJson, queryString } from './client.ts';

export const queueQuery = queryOptions({
  queryKey: ['queue'],
  queryFn: ({ signal }) => requestJson('GET', '/queue', queueState, { signal }),
  // The rate and the time left are measured from these; while nothing is in progress the events say when to look.
  refetchInterval: (query) => ((query.state.data?.waiting ?? 0) > 0 ? 2_000 : false),
});
export const pauseQueue = (paused: boolean) =>
  requestJson('POST', paused ? '/queue/pause' : '/queue/resume', queueState, { body: {} });

export const limitsQuery = queryOptions({
  queryKey: ['uploads', 'limits'],
  queryFn: ({ signal }) => requestJson('GET', '/uploads/limits', uploadLimits, { signal }),
});
export const uploadQueryById = (id: string) =>
  queryOptions({
    queryKey: ['uploads', 'one', id],
    queryFn: ({ signal }) => requestJson('GET', `/uploads/${id}`, uploadDetail, { signal }),
  });

/** Where a run of images goes. */
export type EnrolTarget =
  { kind: 'duplicate' } | { kind: 'blacklist'; id: number; name: string; listing?: FaceListing };

/** The run that a batch is a part of. */
export interface RunFacts {
  id: string;
  /** Of the folder; null: single photos were chosen. */
  name: string | null;
  photos: number;
  severalFaces: SeveralFaces;
  /** For each photo of a batch the failed one that it is sent for once more, 0 for none; null: for none of them. */
  fixes: readonly number[] | null;
  /** For each photo of a batch the person whom it shows; null or absent: none is named. */
  persons?: readonly (PhotoPerson | null)[] | null;
  /** The photos are demo photos, which are erased together. */
  demo?: true;
}

/** The query that makes a batch a part of its run. */
export function runQueryOf(
  { id, name, photos, severalFaces, fixes, demo }: RunFacts,
  more: Parameters<typeof queryString>[0] = {},
): string {
  const run = { run: id, runName: name ?? undefined, runPhotos: photos, severalFaces };
  return queryString({ ...run, fixes: fixes?.join(), demo: demo && 'true', ...more });
}

/**
 * Sends one batch.
 * @param idempotencyKey the same for the same batch: one whose answer was lost is not enrolled twice
 * @returns the upload's id
 */
export async function sendBatch(
  target: EnrolTarget,
  files: readonly { file: File; name: string }[],
  idempotencyKey: string,
  signal: AbortSignal,
  run: RunFacts,
): Promise<string> {
  const form = new FormData();
  for (const { file, name } of files) form.append('images[]', file, name);
  if (run.persons != null) form.append('persons', JSON.stringify(run.persons));
  const path = target.kind === 'duplicate' ? '/uploads' : `/blacklists/${target.id}/faces`;
  const listing = target.kind === 'blacklist' && target.listing ? listingQuery(target.listing) : {};
  const schema = envelope(target.kind === 'duplicate' ? enrolmentReceipt : blacklistReceipt);
  const answer = await requestJson('POST', `${path}${runQueryOf(run, listing)}`, schema, {
    body: form,
    signal,
    idempotencyKey,
  });
  return answer.data.uploadId;
}

/** The upload that was accepted under a batch's key. @throws {ApiError} 404: none; 409: it is still being received */
export async function findBatch(idempotencyKey: string, signal: AbortSignal): Promise<string> {
  const path = `/uploads${queryString({ idempotencyKey })}`;
  return (await requestJson('GET', path, uploadOfKeyAnswer, { signal })).uploadId;
}

/** The answers of one upload, image by image. */
export const loadUpload = (id: string) => requestJson('GET', `/uploads/${id}`, uploadDetail);
