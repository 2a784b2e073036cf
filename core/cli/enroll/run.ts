import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UPLOAD_STATUS } from '../../contracts/codes.ts';
import type { EnrolmentProgress } from '../../contracts/uploads.ts';
import { UploadRefused, type Enrolment } from './client.ts';
import type { JournalAnswer } from '../../contracts/journals.ts';
import type { PhotoNames } from '../photoNames.ts';
import { Journal } from './journal.ts';
import { batchKey, batches, type PlannedFile } from './plan.ts';

/** What became of one photo of the folder. */
export type Answer = Omit<JournalAnswer, 'photo'> & { path: string };

/** Batches that may be under way at once: enough that the workers never wait for the next one. */
const MOST_OPEN = 4;
/** Between two looks at the batch that is being worked on, milliseconds. */
const POLL_INTERVAL = 500;

export interface EnrolFolderOptions {
  folder: string;
  files: readonly PlannedFile[];
  /** Images per request; the service's limit is 50 unless the company has set less. */
  batchSize: number;
  client: Enrolment;
  journalFile: string;
  names: PhotoNames;
  /** Called after every step with all that is known. */
  onProgress(state: EnrolState): void;
}

export interface EnrolState {
  total: number;
  enrolled: number;
  failed: number;
  /** Answered by an earlier run of the same command. */
  before: number;
}

/**
 * Enrols files of a folder batch by batch and follows every batch to its end. Running it again with the same journal
 * goes on where it stopped: what was answered is not sent again, what was accepted is followed.
 * @returns the answers for the files that are there, in their order
 */
export async function enrolFolder(options: EnrolFolderOptions): Promise<Answer[]> {
  const run = new EnrolRun(options);
  try {
    return await run.toTheEnd();
  } finally {
    run.close();
  }
}

/** A file with the name that the journal has for it. */
type NamedFile = PlannedFile & { photo: string };

class EnrolRun {
  readonly #options: EnrolFolderOptions;
  readonly #files: readonly NamedFile[];
  readonly #journal: Journal;
  readonly #before: number;
  /** Answers of uploads that are still open, for the progress bar alone. */
  readonly #partial = new Map<string, EnrolmentProgress>();

  constructor(options: EnrolFolderOptions) {
    this.#options = options;
    this.#files = options.files.map((file) => ({ ...file, photo: options.names.nameOf(file.path) }));
    this.#journal = new Journal(options.journalFile);
    this.#before = this.#answered().length;
  }

  close(): void {
    this.#journal.close();
  }

  async toTheEnd(): Promise<Answer[]> {
    const { answers, open, erased } = this.#journal;
    const underWay = new Set([...open.values()].flat());
    const left = this.#files.filter(
      ({ photo }) => !answers.has(photo) && !underWay.has(photo) && !erased.has(photo),
    );
    this.#report();
    for (const batch of batches(left, this.#options.batchSize)) {
      while (this.#journal.open.size >= MOST_OPEN) await this.#poll();
      await this.#send(batch);
    }
    while (this.#journal.open.size > 0) await this.#poll();
    return this.#answered();
  }

  /** Sends a batch; files of it that are not acceptable are set aside and the rest is sent without them. */
  async #send(batch: readonly NamedFile[]): Promise<void> {
    const { folder, client, names } = this.#options;
    const root = resolve(folder);
    const paths = batch.map(({ path }) => path);
    try {
      const uploadId = await client.send(
        paths.map((path) => join(root, path)),
        batchKey(names, root, batch),
      );
      this.#journal.sent(
        uploadId,
        batch.map(({ photo }) => photo),
      );
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error;
      const refused = refusedPaths(error, paths);
      if (refused.size === 0) throw error;
      this.#journal.answered(
        null,
        batch.flatMap(({ path, photo }) => {
          const reason = refused.get(path);
          if (reason === undefined) return [];
          return { photo, reason, status: 'refused' as const, trustValidationId: null, failureCode: null };
        }),
      );
      const rest = batch.filter(({ path }) => !refused.has(path));
      if (rest.length > 0) await this.#send(rest);
    }
    this.#report();
  }

  /** Waits a moment, then asks for the batches in the order they were sent, up to the first that is still worked on. */
  async #poll(): Promise<void> {
    await sleep(POLL_INTERVAL);
    for (const [uploadId, photos] of [...this.#journal.open]) {
      const progress = await this.#options.client.progress(uploadId);
      if (progress.status === UPLOAD_STATUS.Processing) {
        this.#partial.set(uploadId, progress);
        break;
      }
      this.#partial.delete(uploadId);
      this.#journal.answered(uploadId, answersOf(progress, photos));
    }
    this.#report();
  }

  /** What is known of the files that are there: answers about others are nobody's question. */
  #answered(): Answer[] {
    return this.#files.flatMap(({ path, photo }) => {
      const found = this.#journal.answers.get(photo);
      if (found === undefined) return [];
      const { photo: _, ...answer } = found;
      return { path, ...answer };
    });
  }

  #report(): void {
    const answers = this.#answered();
    const partial = [...this.#partial.values()];
    const enrolled = answers.filter(({ status }) => status === 'enrolled').length;
    this.#options.onProgress({
      total: this.#options.files.length,
      enrolled: enrolled + sum(partial.map((upload) => upload.succeededCount)),
      failed: answers.length - enrolled + sum(partial.map((upload) => upload.failedCount)),
      before: this.#before,
    });
  }
}

/** `images.3` names the fourth file of the request. */
export function refusedPaths(refusal: UploadRefused, paths: readonly string[]): Map<string, string> {
  const refused = new Map<string, string>();
  for (const [key, reasons] of Object.entries(refusal.errors)) {
    const path = paths[Number(/^images\.(\d+)$/.exec(key)?.[1] ?? Number.NaN)];
    if (path !== undefined) refused.set(path, reasons.join(' '));
  }
  return refused;
}

function answersOf(progress: EnrolmentProgress, photos: readonly string[]): JournalAnswer[] {
  return progress.images.flatMap((image) => {
    const photo = photos[image.index];
    if (photo === undefined) return [];
    return {
      photo,
      status: image.trustValidationId === null ? ('failed' as const) : ('enrolled' as const),
      trustValidationId: image.trustValidationId,
      failureCode: image.failureCode,
      reason: image.failureReason,
    };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
