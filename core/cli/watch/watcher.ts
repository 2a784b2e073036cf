/** Enrols what arrives in a folder, each file once, and moves it to done/ or failed/ with the reason beside it. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { UPLOAD_STATUS } from '../../contracts/codes.ts';
import { FAILURES } from '../../contracts/failures.ts';
import { UploadRefused, type Enrolment } from '../enroll/client.ts';
import { batchKey, batches, planFolder, type PlannedFile } from '../enroll/plan.ts';
import { reasonOf } from '../givenFile.ts';
import { CliError, EXIT } from '../output.ts';
import type { PhotoNames } from '../photoNames.ts';
import { refusedPaths } from '../enroll/run.ts';
import type { Batch, WatchMemory } from './memory.ts';

const DONE = 'done';
const FAILED = 'failed';
/** Batches that may be under way at once. */
const MOST_OPEN = 4;

/** What became of one file. */
export interface Outcome {
  path: string;
  status: 'enrolled' | 'failed';
  trustValidationId: number | null;
  reason: string | null;
  /** Where it lies now, relative to the folder. */
  movedTo: string;
}

export interface WatcherOptions {
  folder: string;
  client: Enrolment;
  memory: WatchMemory;
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
  /** Where the photos lie that the memory names, as the last look found them. */
  #paths: ReadonlyMap<string, string> = new Map();

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Looks once: sends what is ready, follows what was sent. @returns whether anything waits or is under way */
  async step(now = Date.now()): Promise<boolean> {
    const { memory, batchSize, names, folder } = this.#options;
    const { ready, unusable, waiting } = await this.#look(now);
    for (const { path, reason } of unusable) await this.#move(path, { kind: 'failed', reason });
    const room = batches(ready, batchSize).slice(0, Math.max(0, MOST_OPEN - memory.batches.size));
    for (const files of room) {
      const photos = files.map(({ path, ...file }) => ({ photo: names.nameOf(path), ...file }));
      memory.sending(batchKey(names, resolve(folder), files), photos);
    }
    for (const batch of [...memory.batches.values()]) await this.#follow(batch);
    return waiting || memory.batches.size > 0 || ready.length > 0;
  }

  /** Files that nobody writes to any more, by size, time of change, and that both stay the same. */
  async #look(now: number): Promise<{
    ready: PlannedFile[];
    unusable: { path: string; reason: string }[];
    waiting: boolean;
  }> {
    const { folder, maxBytes, memory, names } = this.#options;
    const plan = await planFolder(folder, maxBytes, [DONE, FAILED]);
    const underWay = new Set(
      [...memory.batches.values()].flatMap(({ files }) => files.map(({ photo }) => photo)),
    );
    const all = [...plan.files, ...plan.skipped].map((file) => ({ ...file, photo: names.nameOf(file.path) }));
    this.#paths = new Map(all.map(({ photo, path }) => [photo, path]));
    const here = all.filter(({ photo }) => !underWay.has(photo));
    const paths = new Set(here.map(({ path }) => path));
    for (const path of this.#seen.keys()) if (!paths.has(path)) this.#seen.delete(path);
    const settled = (file: PlannedFile) => this.#isSettled(file, now);
    return {
      ready: plan.files.filter((file) => paths.has(file.path) && settled(file)),
      unusable: plan.skipped.filter((file) => paths.has(file.path) && settled(file)),
      waiting: here.some(({ path }) => this.#seen.has(path)),
    };
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

  async #follow(batch: Batch): Promise<void> {
    const { client, memory } = this.#options;
    if (batch.uploadId === undefined) await this.#send(batch);
    const { uploadId } = batch;
    if (uploadId === undefined) return;
    const progress = await client.progress(uploadId);
    if (progress.status === UPLOAD_STATUS.Processing) return;
    for (const image of progress.images) {
      const path = this.#pathOf(batch.files[image.index]);
      // Moved already, before a crash that came before the note of it.
      if (path === undefined) continue;
      if (image.trustValidationId !== null)
        await this.#move(path, { kind: 'enrolled', trustValidationId: image.trustValidationId });
      else {
        const remedy = image.failureCode === null ? '' : ` ${FAILURES[image.failureCode].remedy}`;
        await this.#move(path, {
          kind: 'failed',
          reason: `${image.failureReason ?? 'Not enrolled.'}${remedy}`,
        });
      }
    }
    memory.done(batch.key);
  }

  async #send(batch: Batch): Promise<void> {
    const { folder, client, memory } = this.#options;
    const root = resolve(folder);
    const paths = batch.files.flatMap((file) => this.#pathOf(file) ?? []);
    const files = paths.map((path) => join(root, path));
    // Taken away before it was sent: it is looked at anew when it comes back.
    if (files.length < batch.files.length || files.some((file) => !existsSync(file))) {
      memory.done(batch.key);
      return;
    }
    try {
      memory.sent(batch.key, await client.send(files, batch.key));
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error;
      const refused = refusedPaths(error, paths);
      if (refused.size === 0) throw error;
      for (const [path, reason] of refused) await this.#move(path, { kind: 'failed', reason });
      // The others are sent without them, as a batch of their own.
      memory.done(batch.key);
    }
  }

  #pathOf(file: Batch['files'][number] | undefined): string | undefined {
    return file && this.#paths.get(file.photo);
  }

  async #move(
    path: string,
    outcome: { kind: 'enrolled'; trustValidationId: number } | { kind: 'failed'; reason: string },
  ): Promise<void> {
    const root = resolve(this.#options.folder);
    this.#seen.delete(path);
    // Moved already, before a crash that came before the note of it.
    if (!existsSync(join(root, path))) return;
    const movedTo = freeName(root, join(outcome.kind === 'enrolled' ? DONE : FAILED, path));
    if (outcome.kind === 'failed') await writeReason(root, movedTo, outcome.reason);
    await moveWithin(root, path, movedTo);
    this.#options.onOutcome({
      path,
      movedTo,
      status: outcome.kind,
      trustValidationId: outcome.kind === 'enrolled' ? outcome.trustValidationId : null,
      reason: outcome.kind === 'failed' ? outcome.reason : null,
    });
  }
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
