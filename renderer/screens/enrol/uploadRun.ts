/** The run of this window: the shared uploader with the browser's files, the dashboard's routes and the store that is shown. */
import i18next from 'i18next';
import type { PhotoPerson } from '../../../core/contracts/uploads.ts';
import type { SeveralFaces } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { ITEM_STATUS, UPLOAD_STATUS } from '../../../core/contracts/codes.ts';
import type { UploadDetail, UploadLimits } from '../../../core/contracts/dashboard/work.ts';
import {
  errorAnswer,
  findErrorAnswer,
  pollErrorAnswer,
  type FindAnswer,
  type NoAnswer,
  type ProgressAnswer,
  type SendAnswer,
} from '../../../core/uploader/answers.ts';
import type {
  Batch,
  Photo,
  PhotoSource,
  UploadObserver,
  UploadRecord,
} from '../../../core/uploader/ports.ts';
import { Uploader } from '../../../core/uploader/uploader.ts';
import { LISTING_TEXT_NAMES } from '../../../core/contracts/faceListing.ts';
import { ApiError, NetworkError } from '../../api/client.ts';
import {
  sendFolderBatch,
  findBatch,
  loadUpload,
  pauseQueue,
  sendBatch,
  type EnrolTarget,
} from '../../api/enrolment.ts';
import { LARGEST_PNG, readableImage, pictureKind } from '../../components/readableImage.ts';
import { rememberPhoto } from '../../state/photoFiles.ts';
import { onSessionEnd } from '../../state/sessionReset.ts';
import type { FoundFile } from './droppedFiles.ts';
import {
  newRun,
  patchItems,
  patchRun,
  runs,
  type FileToSend,
  type Run,
  type RunItem,
  countsOf,
} from './run.ts';
import { forgetUnfinished, storeUnfinished, type Unfinished } from './unfinished.ts';

/** Bytes of one request; a batch ends earlier than its count when its photos are large. */
const BATCH_BYTES = 48 * 1024 * 1024;
/** Between two polls of open uploads, milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** A photo of the run; `id` is the key of its item. */
interface RunPhoto extends Photo {
  id: number;
  path: string;
  file: FoundFile['file'];
  fixes: number | null;
  person: PhotoPerson | null;
}
/** Results of an upload, image by image. */
type Outcome = UploadDetail['images'];

/** The uploader of the run that is shown. */
let active: { uploader: Uploader<RunPhoto, Outcome>; abort: AbortController } | null = null;

/** Ends the storing of the present run's progress. */
let stopRemembering: () => void = () => undefined;

/**
 * Starts a run in place of the one that is shown.
 * @param going.on the run to continue: it was begun with the same files in a window that was closed
 * @param going.retries the run of the service whose failed photos are sent once more; it is not continued later
 */
export function startRun(
  files: readonly FileToSend[],
  target: EnrolTarget,
  limits: UploadLimits,
  going: {
    companyId: number;
    on?: Unfinished | null;
    retries?: string;
    severalFaces?: SeveralFaces;
    personSource?: Run['personSource'];
    personFaults?: Run['personFaults'];
  },
): void {
  stopSending();
  const { companyId, on, retries, ...choices } = going;
  const from = { ...choices, id: on?.run, from: on?.sent, serviceId: retries };
  const run = newRun(inOrder(files), target, from);
  runs.setState({ run });
  const abort = new AbortController();
  const { signal } = abort;
  const uploader = uploaderOf(run, limits, signal);
  active = { uploader, abort };
  void listHash(files).then((list) => {
    if (signal.aborted || retries !== undefined) return;
    const keep = ({ run: now }: { run: Run | null }) => {
      if (now !== null) remember(now, { companyId, list, total: files.length });
    };
    keep(runs.getState());
    stopRemembering = runs.subscribe(keep);
  });
  void uploader.finish().then(() => {
    if (!signal.aborted) patchRun(run, { phase: 'done', held: null, finishedAt: Date.now() });
  });
}

/** Stops the sending here and the processing in the service. */
export async function pauseRun(run: Run): Promise<void> {
  active?.uploader.pause();
  patchRun(run, { phase: 'paused' });
  await pauseQueue(true);
}

export async function resumeRun(run: Run): Promise<void> {
  await pauseQueue(false);
  patchRun(run, { phase: 'running', held: null });
  active?.uploader.resume();
}

/** Sends nothing more. The service finishes what it has accepted. */
export function cancelRun(run: Run): void {
  stopSending();
  patchRun(run, { phase: 'cancelled', held: null, finishedAt: Date.now() });
}

function stopSending(): void {
  active?.uploader.stop();
  active?.abort.abort();
  active = null;
  stopRemembering();
}

// The next operator must not send the rest in their own name. What was not sent is remembered and can be continued.
onSessionEnd(() => {
  stopSending();
  runs.setState({ run: null });
});

function uploaderOf(run: Run, limits: UploadLimits, signal: AbortSignal): Uploader<RunPhoto, Outcome> {
  const uploader = new Uploader<RunPhoto, Outcome>(
    {
      service: {
        send: (photos, key) => answered(() => send(run, photos, key, signal), errorAnswer),
        find: (key) => answered(() => find(key, signal), findErrorAnswer),
        progress: (uploadId) => answered(() => progressOf(uploadId), pollErrorAnswer),
      },
      source,
      record: recordOf(run),
      observer: observerOf(run),
      clock: {
        now: () => Date.now(),
        sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      },
    },
    { batchSize: limits.imagesPerUpload, batchBytes: BATCH_BYTES, pollIntervalMs: POLL_INTERVAL_MS },
  );
  uploader.setWaiting(
    run.items.map(({ key, path, file, convertedFrom, fixes, person }) => ({
      id: key,
      path,
      file,
      fixes,
      person,
      // A conversion of this browser is larger than its file.
      bytes: convertedFrom === 'HEIC' ? LARGEST_PNG : file.size,
      source: file instanceof File ? null : file.grantId,
    })),
  );
  return uploader;
}

/** Names photos of a folder that the service reads itself; sends the browser's own. */
async function send(
  run: Run,
  batch: readonly RunPhoto[],
  key: string,
  signal: AbortSignal,
): Promise<SendAnswer> {
  const { target, serviceId: id, name, planned, severalFaces } = run;
  const fixes = batch.some((photo) => photo.fixes !== null) ? batch.map((photo) => photo.fixes ?? 0) : null;
  const persons = batch.some(({ person }) => person !== null) ? batch.map(({ person }) => person) : null;
  const facts = { id, name, photos: planned, severalFaces, fixes, persons };
  const granted = batch.flatMap(({ file }) => (file instanceof File ? [] : [file]));
  if (granted.length > 0) {
    try {
      return { kind: 'accepted', uploadId: await sendFolderBatch(target, granted, key, signal, facts) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      return { kind: 'blocked', status: error.status, message: i18next.t('enrol.folderGone') };
    }
  }
  const files = batch.flatMap(({ file, path }) =>
    file instanceof File ? [{ file, name: path.slice(path.lastIndexOf('/') + 1) }] : [],
  );
  return { kind: 'accepted', uploadId: await sendBatch(target, files, key, signal, facts) };
}

async function find(key: string, signal: AbortSignal): Promise<FindAnswer> {
  return { kind: 'accepted', uploadId: await findBatch(key, signal) };
}

async function progressOf(uploadId: string): Promise<ProgressAnswer<Outcome>> {
  const { status, images } = await loadUpload(uploadId);
  return { kind: 'progress', finished: status !== UPLOAD_STATUS.Processing, outcome: images };
}

/** Turns the errors of the dashboard's client into answers of the uploader. */
async function answered<A>(
  request: () => Promise<A>,
  refused: (answer: Parameters<typeof errorAnswer>[0]) => A | NoAnswer,
): Promise<A | NoAnswer> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof NetworkError) return { kind: 'unreachable', cause: error.message };
    if (error instanceof ApiError) return refused(error);
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { kind: 'blocked', status: 0, message: i18next.t('state.unexpected') };
  }
}

/** A file that was changed, moved or deleted since it was chosen can no longer be read by the page. */
const source: PhotoSource<RunPhoto> = {
  read: async (photos) => (await Promise.all(photos.map(asSent))).filter((photo) => photo !== null),
  isUnchanged: async (photos) => (await Promise.all(photos.map(asSent))).every((photo) => photo !== null),
};

/** The photo as the service accepts it, converted where it must be; null: it cannot be read, or not be converted. */
async function asSent(photo: RunPhoto): Promise<RunPhoto | null> {
  if (!(photo.file instanceof File)) return photo;
  try {
    await photo.file.slice(0, 1).arrayBuffer();
    if ((await pictureKind(photo.file)) !== 'HEIC') return photo;
    return { ...photo, file: (await readableImage(photo.file)).file };
  } catch {
    return null;
  }
}

function recordOf(run: Run): UploadRecord<RunPhoto, Outcome> {
  const take = ({ photos, uploadId }: Batch<RunPhoto>, images: Outcome) => {
    const changes = new Map<number, Partial<RunItem>>();
    for (const { index, itemId, status, failureCode, trustValidationId, faceId, thumbnailUrl } of images) {
      const photo = photos[index];
      if (photo === undefined || status === ITEM_STATUS.Pending) continue;
      const state = status === ITEM_STATUS.Enrolled ? 'enrolled' : 'failed';
      if (state === 'failed' && uploadId !== undefined && photo.file instanceof File)
        rememberPhoto(uploadId, index, photo.file);
      changes.set(photo.id, { state, itemId, failureCode, trustValidationId, faceId, thumbnailUrl });
    }
    patchItems(run, changes);
  };
  return {
    // The same photos have the same key after a reload, so a batch whose answer was lost is recognised.
    keyOf: (photos) => `${run.id}:${photos[0]?.id ?? ''}-${photos.at(-1)?.id ?? ''}:${photos.length}`,
    sending: () => undefined,
    sent: ({ photos }, uploadId) => {
      patchItems(run, new Map(photos.map(({ id }) => [id, { state: 'sent', uploadId }])));
    },
    progressed: take,
    finished: take,
    closed: ({ photos }, reasons) => {
      const changes = new Map<number, Partial<RunItem>>();
      for (const [place, reason] of reasons) {
        const photo = photos[place];
        if (photo !== undefined) changes.set(photo.id, { state: 'refused', reason });
      }
      patchItems(run, changes);
    },
    unreadable: (photos) => {
      patchItems(run, new Map(photos.map(({ id }) => [id, { state: 'refused', reason: null }])));
    },
  };
}

function observerOf(run: Run): UploadObserver {
  return {
    waiting: (wait) => {
      const gap = runs.getState().run?.gap ?? null;
      // The gap began with the first request without an answer, and ends with the first answer.
      if (wait?.kind === 'silent') {
        if (gap?.until !== null) patchRun(run, { gap: { since: Date.now(), until: null } });
        return;
      }
      if (gap?.until === null) patchRun(run, { gap: { ...gap, until: Date.now() } });
      patchRun(run, { held: wait?.message ?? null });
    },
    blocked: ({ message }) => patchRun(run, { phase: 'paused', held: message }),
  };
}

/** By path: a folder that is chosen again has the same order, however it came. */
export function inOrder<F extends FoundFile>(files: readonly F[]): F[] {
  return [...files].sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
}

/** SHA-256 of the paths and sizes of files in order, hexadecimal. */
export async function listHash(files: readonly FoundFile[]): Promise<string> {
  const text = inOrder(files)
    .map(({ path, file }) => `${path}\0${file.size}\n`)
    .join('');
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Stores how many photos of a run the service has; removes it once that is all, or the run was cancelled. */
function remember(run: Run, kept: Pick<Unfinished, 'companyId' | 'list' | 'total'>): void {
  const { waiting } = countsOf(run);
  if (waiting === 0 || run.phase === 'cancelled' || run.phase === 'done') {
    forgetUnfinished();
    return;
  }
  const { target, severalFaces, personSource } = run;
  const listing = target.kind === 'blacklist' ? target.listing : undefined;
  const record: Unfinished = {
    ...kept,
    run: run.id,
    blacklistId: target.kind === 'blacklist' ? target.id : null,
    listing:
      listing === undefined
        ? null
        : {
            severity: listing.severity,
            expiresAt: listing.expiresAt,
            typed: LISTING_TEXT_NAMES.some((field) => listing[field] !== null),
          },
    severalFaces,
    personSource,
    startedAt: run.startedAt,
    // Batches are sent in order, so what waits is the end of the list.
    sent: kept.total - waiting,
  };
  storeUnfinished(record);
}
