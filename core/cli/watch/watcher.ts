/** Enrols files that arrive in a folder, each file once, and moves them to done/ or failed/ with the reason beside them. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { UPLOAD_STATUS } from '../../contracts/codes.ts';
import type { FolderSkip } from '../../contracts/dashboard/folders.ts';
import { FAILURES } from '../../contracts/errors/failures.ts';
import type { SentBatch, SentPhoto } from '../../contracts/journals.ts';
import type { EnrolmentProgress } from '../../contracts/uploads.ts';
import { UploadRefused, type Enrolment } from '../enroll/client.ts';
import { batches, planFolder, type PlannedFile, type SkippedFile } from '../enroll/plan.ts';
import { reasonOf } from '../terminal/inputFile.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import type { PhotoNames } from '../terminal/pathHash.ts';
import { isTooMany, refusedPaths } from '../enroll/run.ts';
import type { WatchJournal } from './memory.ts';

const DONE = 'done';
const FAILED = 'failed';
/** Batches that may be under way at once. */
const MOST_OPEN = 4;

/** Entries that are no files to move: they stay, and are named. */
const LEFT: readonly FolderSkip[] = ['link', 'special', 'badName'];

/** The result of one file. */
export interface Outcome {
  path: string;
  /** `left`: not sent, and not moved either. */
  status: 'enrolled' | 'failed' | 'left';
  trustValidationId: number | null;
  reason: string | null;
  /** Where the file is now, relative to the folder. Null: another file has taken its place, or it was left. */
  movedTo: string | null;
}

export interface WatcherOptions {
  folder: string;
  client: Enrolment;
  memory: WatchJournal;
  names: PhotoNames;
  batchSize: number;
  maxBytes: number;
  /** A file that has not changed for so long is written to its end, milliseconds. */
  settle: number;
  onOutcome(outcome: Outcome): void;
}

export class Watcher {
  readonly #options: WatcherOptions;
  /** Of files that are waiting: as they were when they were seen first in their present state. */
  readonly #seen = new Map<string, { file: string; since: number }>();
  /** Entries that were reported as left. */
  readonly #left = new Set<string>();
  /** The files of the last walk, by the names that the memory has for them. */
  #files: ReadonlyMap<string, PlannedFile> = new Map();

  /** Images per request: fewer after the service took no more. */
  #batchSize: number;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#batchSize = options.batchSize;
  }

  /** Walks the folder once: sends files that are complete, polls open batches. @returns whether files wait or batches are open */
  async step(now = Date.now()): Promise<boolean> {
    const { memory } = this.#options;
    const { ready, unusable, waiting } = await this.#look(now);
    for (const { path, reason } of unusable) await this.#move(path, { kind: 'failed', reason });
    const room = batches(ready, this.#batchSize).slice(0, Math.max(0, MOST_OPEN - memory.batches.size));
    for (const files of room) await this.#note(files);
    for (const batch of [...memory.batches.values()]) await this.#follow(batch);
    return waiting || memory.batches.size > 0 || ready.length > 0;
  }

  /** Writes a batch down before it is sent. A file that is gone by now is left out. */
  async #note(files: readonly PlannedFile[]): Promise<void> {
    const { memory, names, folder } = this.#options;
    const states: SentPhoto[] = [];
    for (const { path } of files) {
      const state = await names.stateOf(resolve(folder), path);
      if (state !== undefined) states.push(state);
    }
    if (states.length > 0) memory.sending({ key: `watch-${randomUUID()}`, files: states });
  }

  /** Files that no program writes to any longer: size and time of change stay the same. */
  async #look(now: number): Promise<{
    ready: PlannedFile[];
    unusable: SkippedFile[];
    waiting: boolean;
  }> {
    const { folder, maxBytes, memory, names } = this.#options;
    const plan = await planFolder(folder, maxBytes, [DONE, FAILED]);
    this.#reportLeft(plan.skipped.filter(({ skip }) => LEFT.includes(skip)));
    const skipped = plan.skipped.filter(({ skip }) => !LEFT.includes(skip));
    const underWay = new Set(
      [...memory.batches.values()].flatMap(({ files }) => files.map(({ photo }) => photo)),
    );
    const all = [...plan.files, ...skipped].map((file) => ({ file, photo: names.nameOf(file.path) }));
    this.#files = new Map(all.map(({ photo, file }) => [photo, file]));
    const here = all.filter(({ photo }) => !underWay.has(photo));
    const paths = new Set(here.map(({ file }) => file.path));
    for (const path of this.#seen.keys()) if (!paths.has(path)) this.#seen.delete(path);
    const settled = (file: PlannedFile) => this.#isSettled(file, now);
    return {
      ready: plan.files.filter((file) => paths.has(file.path) && settled(file)),
      unusable: skipped.filter((file) => paths.has(file.path) && settled(file)),
      waiting: here.some(({ file }) => this.#seen.has(file.path)),
    };
  }

  /** Each entry once, as long as it is there. */
  #reportLeft(entries: readonly SkippedFile[]): void {
    const paths = new Set(entries.map(({ path }) => path));
    for (const path of this.#left) if (!paths.has(path)) this.#left.delete(path);
    for (const { path, reason } of entries) {
      if (this.#left.has(path)) continue;
      this.#left.add(path);
      this.#options.onOutcome({ path, reason, status: 'left', trustValidationId: null, movedTo: null });
    }
  }

  #isSettled({ path, bytes, modified }: PlannedFile, now: number): boolean {
    const state = `${bytes} ${modified}`;
    const seen = this.#seen.get(path);
    if (seen?.file !== state) {
      this.#seen.set(path, { file: state, since: now });
      return this.#options.settle === 0;
    }
    return now - seen.since >= this.#options.settle;
  }

  async #follow(batch: SentBatch): Promise<void> {
    const { client, memory } = this.#options;
    if (batch.uploadId === undefined) await this.#send(batch);
    const { uploadId } = batch;
    if (uploadId === undefined) return;
    const progress = await client.progress(uploadId);
    if (progress.status === UPLOAD_STATUS.Processing) return;
    for (const image of progress.images) {
      const sent = batch.files[image.index];
      const file = sent && this.#files.get(sent.photo);
      // Moved already, before a crash that came before the note of it.
      if (sent === undefined || file === undefined) continue;
      const result = resultOf(image);
      if (await this.#isSame(file, sent)) await this.#move(file.path, result);
      // It was not sent: it waits for its turn as a new photo.
      else this.#report(file.path, result, null);
    }
    memory.done(batch.key);
  }

  async #send(batch: SentBatch): Promise<void> {
    const { folder, client, memory } = this.#options;
    const root = resolve(folder);
    const paths = await this.#unchangedPaths(batch);
    // Removed or replaced before it was sent: the files that are there are sent as another batch.
    if (paths === undefined) {
      memory.done(batch.key);
      return;
    }
    try {
      const files = paths.map((path) => join(root, path));
      memory.sent(batch.key, await client.send(files, batch.key));
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error;
      const refused = refusedPaths(error, paths);
      if (refused.size === 0) {
        if (!isTooMany(error) || paths.length < 2) throw error;
        this.#batchSize = Math.ceil(paths.length / 2);
      }
      for (const [path, reason] of refused) await this.#move(path, { kind: 'failed', reason });
      // The others are sent without them, as a batch of their own, or as smaller batches.
      memory.done(batch.key);
    }
  }

  async #unchangedPaths({ files }: SentBatch): Promise<string[] | undefined> {
    const paths: string[] = [];
    for (const sent of files) {
      const file = this.#files.get(sent.photo);
      if (file === undefined || !(await this.#isSame(file, sent))) return undefined;
      paths.push(file.path);
    }
    return paths;
  }

  /** As the file is now, which may be later than the walk. */
  async #isSame({ path }: PlannedFile, sent: SentPhoto): Promise<boolean> {
    const { names, folder } = this.#options;
    const root = resolve(folder);
    const now = await stat(join(root, path)).catch(() => undefined);
    return now !== undefined && names.isSame(root, { path, bytes: now.size, modified: now.mtimeMs }, sent);
  }

  async #move(path: string, result: Result): Promise<void> {
    const root = resolve(this.#options.folder);
    this.#seen.delete(path);
    // Moved already, before a crash that came before the note of it.
    if (!existsSync(join(root, path))) return;
    const movedTo = freeName(root, join(result.kind === 'enrolled' ? DONE : FAILED, path));
    if (result.kind === 'failed') await writeReason(root, movedTo, result.reason);
    await moveWithin(root, path, movedTo);
    this.#report(path, result, movedTo);
  }

  #report(path: string, result: Result, movedTo: string | null): void {
    this.#options.onOutcome({
      path,
      movedTo,
      status: result.kind,
      trustValidationId: result.kind === 'enrolled' ? result.trustValidationId : null,
      reason: result.kind === 'failed' ? result.reason : null,
    });
  }
}

type Result = { kind: 'enrolled'; trustValidationId: number } | { kind: 'failed'; reason: string };

function resultOf({
  trustValidationId,
  failureCode,
  failureReason,
}: EnrolmentProgress['images'][number]): Result {
  if (trustValidationId !== null) return { kind: 'enrolled', trustValidationId };
  const remedy = failureCode === null ? '' : ` ${FAILURES[failureCode].remedy}`;
  return { kind: 'failed', reason: `${failureReason ?? 'Not enrolled.'}${remedy}` };
}

async function writeReason(root: string, movedTo: string, reason: string): Promise<void> {
  try {
    await mkdir(dirname(join(root, movedTo)), { recursive: true });
    await writeFile(join(root, `${movedTo}.reason.txt`), `${reason}\n`);
  } catch (cause) {
    throw cannotMove(movedTo, cause);
  }
}

/** Also where done/ or failed/ lies on another disk: then the copy is whole on that disk before the photo goes. */
async function moveWithin(root: string, path: string, movedTo: string): Promise<void> {
  const [from, to] = [join(root, path), join(root, movedTo)];
  try {
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to).catch(async (cause: unknown) => {
      if (!hasCode(cause, 'EXDEV')) throw cause;
      const partial = `${to}.partial`;
      await copyFile(from, partial);
      const copy = await open(partial, 'r+');
      try {
        await copy.sync();
      } finally {
        await copy.close();
      }
      await rename(partial, to);
      await rm(from);
    });
  } catch (cause) {
    throw cannotMove(path, cause);
  }
}

function hasCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === code;
}

function cannotMove(path: string, cause: unknown): CliError {
  return new CliError(
    `${path} was answered and cannot be moved: ${reasonOf(cause)}. Mend that and run the same command again: nothing is enrolled twice.`,
    EXIT.failed,
  );
}

/** A camera gives the same names again and again: `a.jpg`, then `a (2).jpg`. */
function freeName(root: string, wanted: string): string {
  const extension = extname(wanted);
  const stem = wanted.slice(0, wanted.length - extension.length);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${stem} (${number})${extension}`;
    if (!existsSync(join(root, name))) return name;
  }
}
