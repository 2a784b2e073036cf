import i18next from 'i18next';
import { ApiError, NetworkError } from '../../api/client.ts';
import { sendFolderBatch } from '../../api/shell.ts';
import { loadUpload, pauseQueue, sendBatch, type EnrolTarget } from '../../api/work.ts';
import { ITEM_STATUS } from '../../../core/contracts/codes.ts';
import type { UploadLimits } from '../../../core/contracts/dashboard/work.ts';
import { onSessionEnd } from '../../state/sessionReset.ts';
import type { FoundFile } from './droppedFiles.ts';
import { inOrder, listHash, remember, type Unfinished } from './unfinished.ts';
import { countsOf, newRun, patchItems, patchRun, runs, type Run, type RunItem } from './run.ts';

/** Uploads whose answers are outstanding at once: enough to keep the workers busy, few enough to ask for. */
const OPEN_UPLOADS = 4;
/** Bytes of one request; a batch ends earlier than its count when its photos are large. */
const BATCH_BYTES = 48 * 1024 * 1024;
/** Between two looks at open uploads, and before a refused batch is sent again; milliseconds. */
const LOOK_AGAIN = 1_000;
const SEND_AGAIN = 5_000;
/** Refusals that pass: the same batch is still being received, too many requests, paused or full. */
const PASSING = [409, 429, 503];

let stopSending = new AbortController();

/** What follows the run that is shown, to remember it; ends when another begins. */
let stopRemembering: () => void = () => undefined;

/**
 * Starts sending; whatever was shown of an earlier run is let go.
 * @param going.on with a run that was begun in a window that closed, of the same files
 */
export function startRun(
  files: readonly FoundFile[],
  target: EnrolTarget,
  limits: UploadLimits,
  going: { companyId: number; on?: Unfinished | null },
): void {
  const { companyId, on } = going;
  stopSending.abort();
  stopSending = new AbortController();
  const { signal } = stopSending;
  const from = on == null ? {} : { id: on.run, from: on.sent };
  runs.setState({ run: newRun(inOrder(files), target, from) });
  stopRemembering();
  void listHash(files).then((list) => {
    if (signal.aborted) return;
    const keep = ({ run }: { run: Run | null }) => {
      if (run !== null) remember(run, { companyId, list, total: files.length });
    };
    keep(runs.getState());
    stopRemembering = runs.subscribe(keep);
  });
  void drive(limits, signal);
}

/** Stops the sending here and the processing in the core. */
export async function pauseRun(run: Run): Promise<void> {
  patchRun(run, { phase: 'paused' });
  await pauseQueue(true);
}

export async function resumeRun(run: Run): Promise<void> {
  await pauseQueue(false);
  patchRun(run, { phase: 'running', held: null });
}

/** Sends nothing more. What the core has accepted already, it finishes. */
export function cancelRun(run: Run): void {
  stopSending.abort();
  patchRun(run, { phase: 'cancelled', held: null, finishedAt: Date.now() });
}

// The rest would be sent in the name of whoever signs in next. What was not sent is remembered, and can be gone on with.
onSessionEnd(() => {
  stopSending.abort();
  stopRemembering();
  runs.setState({ run: null });
});

/** Sends and asks in turn until every file is answered. */
async function drive(limits: UploadLimits, signal: AbortSignal): Promise<void> {
  for (;;) {
    const run = current(signal);
    if (run === null) return;
    const { waiting, sent } = countsOf(run);
    if (waiting === 0 && sent === 0) {
      patchRun(run, { phase: 'done', held: null, finishedAt: Date.now() });
      return;
    }
    const sending = run.phase === 'running' && waiting > 0 && openUploads(run).length < OPEN_UPLOADS;
    if (sending) await sendNext(run, limits, signal);
    await lookAtUploads(run);
    await pause(sending ? 0 : LOOK_AGAIN);
  }
}

function current(signal: AbortSignal): Run | null {
  const { run } = runs.getState();
  return signal.aborted || run === null ? null : run;
}

function openUploads(run: Run): string[] {
  const ids = run.items.flatMap(({ state, uploadId }) =>
    state === 'sent' && uploadId !== null ? [uploadId] : [],
  );
  return [...new Set(ids)];
}

async function sendNext(run: Run, limits: UploadLimits, signal: AbortSignal): Promise<void> {
  const batch = nextBatch(run.items, limits.imagesPerUpload);
  try {
    const uploadId = await send(run, batch, signal);
    noteAnswer(run);
    patchRun(run, { held: null });
    patchItems(run, new Map(batch.map(({ key }, index) => [key, { state: 'sent', uploadId, index }])));
  } catch (error) {
    await takeRefusal(run, error, batch, signal);
  }
}

/** Photos of the core's own folders are named, others are sent. */
function send(run: Run, batch: readonly RunItem[], signal: AbortSignal): Promise<string> {
  const key = keyOf(run, batch);
  const photos = batch.flatMap(({ file }) => (file instanceof File ? [] : [file]));
  if (photos.length > 0) return sendFolderBatch(run.target, photos, key, signal);
  const files = batch.flatMap(({ file, path }) =>
    file instanceof File ? [{ file, name: path.slice(path.lastIndexOf('/') + 1) }] : [],
  );
  return sendBatch(run.target, files, key, signal);
}

/** What a batch is of: one folder that the core reads itself, or files of the browser's. */
function ticketOf({ file }: RunItem): string | null {
  return file instanceof File ? null : file.ticket;
}

/** Names a batch by the run and its files, so that sending the very same again is known as such. */
function keyOf({ id }: Run, batch: readonly RunItem[]): string {
  return `${id}:${batch[0]?.key ?? ''}-${batch.at(-1)?.key ?? ''}:${batch.length}`;
}

/** The gap began with the first question that found nobody, and ends with the first answer. */
function noteSilence(run: Run): void {
  const gap = runs.getState().run?.gap ?? null;
  if (gap?.until !== null) patchRun(run, { gap: { since: Date.now(), until: null } });
}
function noteAnswer(run: Run): void {
  const gap = runs.getState().run?.gap ?? null;
  if (gap?.until === null) patchRun(run, { gap: { ...gap, until: Date.now() } });
}

function nextBatch(items: readonly RunItem[], most: number): RunItem[] {
  const batch: RunItem[] = [];
  let bytes = 0;
  for (const item of items) {
    if (item.state !== 'waiting') continue;
    const [first] = batch;
    if (batch.length === most || (first !== undefined && bytes + item.file.size > BATCH_BYTES)) break;
    if (first !== undefined && ticketOf(first) !== ticketOf(item)) break;
    batch.push(item);
    bytes += item.file.size;
  }
  return batch;
}

/** Files that the core names are out; for anything that can pass, the batch is tried again. */
async function takeRefusal(
  run: Run,
  error: unknown,
  batch: readonly RunItem[],
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  if (error instanceof ApiError && error.status === 422) {
    const named = new Map<number, Partial<RunItem>>();
    for (const [index, { key }] of batch.entries()) {
      const [reason] = error.fields[`images.${index}`] ?? [];
      if (reason !== undefined) named.set(key, { state: 'refused', reason });
    }
    // Nothing named: the whole company cannot enrol (storage, feature), so no other batch can either.
    if (named.size > 0) patchItems(run, named);
    else patchRun(run, { phase: 'paused', held: error.message });
    return;
  }
  const [first] = batch;
  if (error instanceof ApiError && error.status === 404 && first !== undefined && ticketOf(first) !== null) {
    patchRun(run, { phase: 'paused', held: i18next.t('enrol.folderGone') });
    return;
  }
  if (error instanceof ApiError && !PASSING.includes(error.status)) {
    patchRun(run, { phase: 'paused', held: error.message });
    return;
  }
  if (error instanceof ApiError) patchRun(run, { held: error.message });
  else if (error instanceof NetworkError) noteSilence(run);
  else
    // A file that can no longer be read fails the whole request, without saying which it was.
    await dropUnreadable(run, batch);
  await pause(error instanceof NetworkError ? LOOK_AGAIN : SEND_AGAIN);
}

async function dropUnreadable(run: Run, batch: readonly RunItem[]): Promise<void> {
  const gone = new Map<number, Partial<RunItem>>();
  for (const { key, file } of batch)
    if (file instanceof File)
      await file
        .slice(0, 1)
        .arrayBuffer()
        .catch(() => gone.set(key, { state: 'refused', reason: null }));
  patchItems(run, gone);
}

async function lookAtUploads(run: Run): Promise<void> {
  for (const uploadId of openUploads(run)) {
    try {
      const { images } = await loadUpload(uploadId);
      noteAnswer(run);
      const changes = new Map<number, Partial<RunItem>>();
      for (const item of run.items) {
        if (item.uploadId !== uploadId || item.state !== 'sent') continue;
        const image = images[item.index];
        if (image === undefined || image.status === ITEM_STATUS.Pending) continue;
        const { failureCode, trustValidationId, chipUrl } = image;
        const state = image.status === ITEM_STATUS.Enrolled ? 'enrolled' : 'failed';
        changes.set(item.key, { state, failureCode, trustValidationId, chipUrl });
      }
      patchItems(run, changes);
    } catch (error) {
      // Unreachable: the banner says so, and the next round asks again. Anything else is told here.
      if (error instanceof ApiError) patchRun(run, { held: error.message });
      else noteSilence(run);
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
