import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UPLOAD_STATUS } from '../../contracts/codes.ts';
import type { EnrolmentProgress } from '../../contracts/uploads.ts';
import { UploadRefused, type Enrolment } from './client.ts';
import type { Answer } from '../../contracts/journals.ts';
import { Journal } from './journal.ts';
import { batchKey, batches, type PlannedFile } from './plan.ts';

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
 * @returns the answers by path
 */
export async function enrolFolder(options: EnrolFolderOptions): Promise<Map<string, Answer>> {
  const run = new EnrolRun(options);
  try {
    return await run.toTheEnd();
  } finally {
    run.close();
  }
}

class EnrolRun {
  readonly #options: EnrolFolderOptions;
  readonly #journal: Journal;
  readonly #before: number;
  /** Answers of uploads that are still open, for the progress bar alone. */
  readonly #partial = new Map<string, EnrolmentProgress>();

  constructor(options: EnrolFolderOptions) {
    this.#options = options;
    this.#journal = new Journal(options.journalFile);
    this.#before = this.#journal.answers.size;
  }

  close(): void {
    this.#journal.close();
  }

  async toTheEnd(): Promise<Map<string, Answer>> {
    const { files, batchSize } = this.#options;
    const underWay = new Set([...this.#journal.open.values()].flat());
    const left = files.filter(
      ({ path }) => !this.#journal.answers.has(path) && !underWay.has(path) && !this.#journal.isErased(path),
    );
    this.#report();
    for (const batch of batches(left, batchSize)) {
      while (this.#journal.open.size >= MOST_OPEN) await this.#poll();
      await this.#send(batch);
    }
    while (this.#journal.open.size > 0) await this.#poll();
    return this.#journal.answers;
  }

  /** Sends a batch; files of it that are not acceptable are set aside and the rest is sent without them. */
  async #send(batch: readonly PlannedFile[]): Promise<void> {
    const { folder, client } = this.#options;
    const root = resolve(folder);
    const paths = batch.map(({ path }) => path);
    try {
      const uploadId = await client.send(
        paths.map((path) => join(root, path)),
        batchKey(root, batch),
      );
      this.#journal.sent(uploadId, paths);
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error;
      const refused = refusedPaths(error, paths);
      if (refused.size === 0) throw error;
      this.#journal.answered(
        null,
        [...refused].map(([path, reason]) => ({
          path,
          status: 'refused',
          trustValidationId: null,
          failureCode: null,
          reason,
        })),
      );
      const rest = batch.filter(({ path }) => !refused.has(path));
      if (rest.length > 0) await this.#send(rest);
    }
    this.#report();
  }

  /** Waits a moment, then asks for the batches in the order they were sent, up to the first that is still worked on. */
  async #poll(): Promise<void> {
    await sleep(POLL_INTERVAL);
    for (const [uploadId, paths] of [...this.#journal.open]) {
      const progress = await this.#options.client.progress(uploadId);
      if (progress.status === UPLOAD_STATUS.Processing) {
        this.#partial.set(uploadId, progress);
        break;
      }
      this.#partial.delete(uploadId);
      this.#journal.answered(uploadId, answersOf(progress, paths));
    }
    this.#report();
  }

  #report(): void {
    const answers = [...this.#journal.answers.values()];
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

function answersOf(progress: EnrolmentProgress, paths: readonly string[]): Answer[] {
  return progress.images.map((image) => ({
    path: paths[image.index] ?? image.fileName,
    status: image.trustValidationId === null ? 'failed' : 'enrolled',
    trustValidationId: image.trustValidationId,
    failureCode: image.failureCode,
    reason: image.failureReason,
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
