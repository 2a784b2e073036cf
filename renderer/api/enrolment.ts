import { workApi } from '../../core/contracts/dashboard/work.ts';
import {
  runApi,
  type SeveralFaces,
  type FailureQuery,
  type FailureRow,
  type RunQuery,
  type UnfixableChange,
} from '../../core/contracts/dashboard/enrolmentRuns.ts';
import { folderApi, offeredFolder } from '../../core/contracts/dashboard/folders.ts';
import {
  type PhotoPerson,
  blacklistReceipt,
  enrolmentReceipt,
  envelope,
} from '../../core/contracts/uploads.ts';
import type { FaceListing } from '../../core/contracts/faceListing.ts';
import { SHELL_BRIDGE, type FolderGrant, type ShellBridge } from '../../core/contracts/shell.ts';
import { listingQuery } from './blacklists.ts';
import { readQuery, ask, pagesQuery, ApiError } from './client.ts';
import { translateServerMessage } from '../i18n/errors.ts';

export const queueQuery = readQuery(['queue'], workApi.queue, {
  refetchInterval: (query) => ((query.state.data?.waiting ?? 0) > 0 ? 2_000 : false),
});
export const pauseQueue = (paused: boolean) => ask(paused ? workApi.pause : workApi.resume);

export const limitsQuery = readQuery(['uploads', 'limits'], workApi.limits);
export const uploadQueryById = (id: string) =>
  readQuery(['uploads', 'one', id], workApi.upload, { params: { id } });

/** Where a run of images goes. */
export type EnrolTarget =
  | { kind: 'duplicate' }
  | { kind: 'blacklist'; id: number; name: string; listing?: FaceListing };

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
export const runQueryOf = ({ id, name, photos, severalFaces, fixes, demo }: RunFacts) => ({
  run: id,
  runName: name ?? undefined,
  runPhotos: photos,
  severalFaces,
  fixes: fixes?.join(),
  demo,
});

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
  const asked = { query: runQueryOf(run), body: form, signal, idempotencyKey };
  if (target.kind === 'duplicate')
    return (await ask({ ...workApi.send, answer: envelope(enrolmentReceipt) }, asked)).data.uploadId;
  const { id, listing } = target;
  const query = { ...asked.query, ...(listing && listingQuery(listing)) };
  const sending = { ...workApi.sendToBlacklist, answer: envelope(blacklistReceipt) };
  return (await ask(sending, { ...asked, params: { id }, query })).data.uploadId;
}

/** The upload that was accepted under a batch's key. @throws {ApiError} 404: none; 409: it is still being received */
export async function findBatch(idempotencyKey: string, signal: AbortSignal): Promise<string> {
  return (await ask(workApi.uploadOfKey, { query: { idempotencyKey }, signal })).uploadId;
}

/** The answers of one upload, image by image. */
export const loadUpload = (id: string) => ask(workApi.upload, { params: { id } });

// Under `uploads`, so that the service's reports of changed uploads reload them.
export const runsQuery = (filter: RunQuery) =>
  pagesQuery(['uploads', 'runs', filter], runApi.list, (cursor) => ({ query: { ...filter, cursor } }));

export const runQueryById = (id: string) =>
  readQuery(['uploads', 'run', id], runApi.read, { params: { id } });

export const failuresQuery = (filter: FailureQuery) =>
  pagesQuery(['uploads', 'failures', filter], runApi.failures, (cursor) => ({
    query: { ...filter, cursor },
  }));

/** Failed photos that are read at once, for a file or for a step on all of them. */
const PAGE = 500;

/** Every failed photo that a filter leaves. */
export async function loadAllFailures(filter: FailureQuery): Promise<FailureRow[]> {
  const rows: FailureRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await ask(runApi.failures, { query: { ...filter, limit: PAGE, cursor } });
    rows.push(...page.items);
    cursor = page.nextCursor;
  }
  return rows;
}

export const setUnfixable = (change: UnfixableChange) => ask(runApi.setUnfixable, { body: change });

/**
 * Sends the corrected photo of a failed one, or one photo of each of its faces. They keep its name and its list.
 * @param choice the number of the chosen face, from 1 by rows from the top, and how many were found
 */
export function sendFix(
  id: number,
  photos: readonly Blob[],
  choice: { face?: number | undefined; faces: number },
  idempotencyKey: string,
): Promise<{ uploadId: string }> {
  const form = new FormData();
  for (const photo of photos) form.append('images[]', photo, 'photo');
  return ask(runApi.fix, { params: { id }, query: choice, body: form, idempotencyKey });
}

/** The desktop shell around this page; undefined in a browser. */
export function shell(): ShellBridge<File> | undefined {
  return Reflect.get(window, SHELL_BRIDGE) as ShellBridge<File> | undefined;
}

/** A photo in a folder that the desktop shell granted to the service. The service reads it in its place. */
export interface FolderPhoto {
  grantId: string;
  /** In the folder's list. */
  place: number;
  size: number;
  skip: ReturnType<typeof offeredFolder.parse>['files'][number]['skip'];
}

/** Lists the photos of a granted folder. @throws {ApiError} the service refused the folder */
export async function readOfferedFolder(offer: FolderGrant): Promise<{ path: string; file: FolderPhoto }[]> {
  if ('refused' in offer)
    throw new ApiError(422, translateServerMessage(offer.refused), { code: offer.refused.code });
  const { grantId } = offer;
  const { name, files } = await ask(folderApi.read, { params: { grantId } });
  return files.map(({ path, bytes, skip }, place) => ({
    path: `${name}/${path}`,
    file: { grantId, place, size: bytes, skip },
  }));
}

/** Sends one batch by naming it: not a byte of it goes through the page. All of one folder. @returns the upload's id */
export async function sendFolderBatch(
  target: EnrolTarget,
  photos: readonly FolderPhoto[],
  idempotencyKey: string,
  signal: AbortSignal,
  run: RunFacts,
): Promise<string> {
  const body = {
    files: photos.map(({ place }) => place),
    persons: run.persons ?? undefined,
    ...(target.kind === 'blacklist' && { blacklist: target.id, listing: target.listing }),
  };
  const params = { grantId: photos[0]?.grantId ?? '' };
  const { demo: _, ...query } = runQueryOf(run);
  return (await ask(folderApi.send, { params, query, body, signal, idempotencyKey })).uploadId;
}
