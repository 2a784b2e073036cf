import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UPLOAD_STATUS } from '../../contracts/codes.ts';
import type { EnrolmentProgress } from '../../contracts/uploads.ts';
import { UploadRefused, type Enrolment } from './client.ts';
import type { JournalAnswer, SentPhoto } from '../../contracts/journals.ts';
import type { PhotoNames } from '../terminal/pathHash.ts';
import { Journal } from './journal.ts';
import { batches, type PlannedFile } from './plan.ts';

/** The result of one photo of the folder. */
export interface Answer extends Omit<JournalAnswer, 'photo' | 'status'> {
  path: string;
  /** `changed`: enrolled earlier, and the file holds another photo now, which was not sent. */
  status: JournalAnswer['status'] | 'changed';
  /** When the photo was sent, and why if it was sent again. */
  sent: 'now' | 'before' | 'again: changed' | 'again: retried';
}

export interface EnrolResult {
  /** In the order of the files. */
  answers: Answer[];
  /** Planned files that were not sent after all. */
  skipped: { path: string; reason: string }[];
}

/** Batches that may be open at once: enough that the workers never wait for the next one. */
const MOST_OPEN = 4;
/** Between two polls of the oldest open batch, milliseconds. */
const POLL_INTERVAL = 500;

export interface EnrolFolderOptions {
  folder: string;
  files: readonly PlannedFile[];
  /** Images per request. Where the service takes fewer, batches are halved. */
  batchSize: number;
  /** Send photos that failed in an earlier run again, although they did not change. */
  retryFailed?: boolean;
  client: Enrolment;
  journalFile: string;
  names: PhotoNames;
  /** Called after every step. */
  onProgress(state: EnrolState): void;
}

export interface EnrolState {
  total: number;
  enrolled: number;
  failed: number;
  /** Finished in an earlier run of the same command, and not sent again. */
  before: number;
}

/**
 * Enrols files of a folder batch by batch and follows every batch to its end. With the same journal a later run continues:
 * an enrolled photo is never sent again, a failed one is sent again when its content changed.
 */
export async function enrolFolder(options: EnrolFolderOptions): Promise<EnrolResult> {
  const run = new EnrolRun(options);
  try {
    return await run.toTheEnd();
  } finally {
    run.close();
  }
}

/** A file with its name in the journal. */
type NamedFile = PlannedFile & { photo: string };

class EnrolRun {
  readonly #options: EnrolFolderOptions;
  readonly #root: string;
  readonly #files: readonly NamedFile[];
  readonly #journal: Journal;
  /** Photos of this run that are sent or were sent, and why. */
  readonly #sent = new Map<string, Answer['sent']>();
  /** Enrolled photos whose file holds another photo now. */
  readonly #changed = new Set<string>();
  readonly #skipped: EnrolResult['skipped'] = [];
  #before = 0;
  /** Results of open batches, for the progress bar alone. */
  readonly #partial = new Map<string, EnrolmentProgress>();

  constructor(options: EnrolFolderOptions) {
    this.#options = options;
    this.#root = resolve(options.folder);
    this.#files = options.files.map((file) => ({ ...file, photo: options.names.nameOf(file.path) }));
    this.#journal = new Journal(options.journalFile);
  }

  close(): void {
    this.#journal.close();
  }

  async toTheEnd(): Promise<EnrolResult> {
    await this.#finishOpen();
    const left = await this.#toSend();
    this.#before = this.#answers().length;
    this.#report();
    for (const batch of batches(left, this.#options.batchSize)) {
      while (this.#journal.open.size >= MOST_OPEN) await this.#poll();
      await this.#read(batch);
    }
    while (this.#journal.open.size > 0) await this.#poll();
    return { answers: this.#answers(), skipped: this.#skipped };
  }

  /** Batches that an earlier run left open: sent again where it is unknown whether the service has them, then followed. */
  async #finishOpen(): Promise<void> {
    for (const batch of [...this.#journal.open.values()]) {
      for (const { photo } of batch.files) this.#sent.set(photo, 'now');
      if (batch.uploadId !== undefined) continue;
      const files = await this.#unchanged(batch.files);
      // Another batch than the one that the key names. Its photos are planned again.
      if (files === undefined) this.#journal.answered(batch.key, []);
      else await this.#send(batch.key, files);
    }
    while (this.#journal.open.size > 0) await this.#poll();
  }

  async #unchanged(files: readonly SentPhoto[]): Promise<PhotoToSend[] | undefined> {
    const byPhoto = new Map(this.#files.map((file) => [file.photo, file]));
    const found: PhotoToSend[] = [];
    for (const state of files) {
      const file = byPhoto.get(state.photo);
      if (file === undefined || !(await this.#options.names.isSame(this.#root, file, state)))
        return undefined;
      found.push({ path: file.path, state });
    }
    return found;
  }

  /** The files without a result that counts; notes the others. */
  async #toSend(): Promise<NamedFile[]> {
    const left: NamedFile[] = [];
    const touched: SentPhoto[] = [];
    for (const file of this.#files) {
      const known = this.#journal.known.get(file.photo);
      if (this.#journal.erased.has(file.photo)) this.#skipped.push({ path: file.path, reason: ERASED });
      else if (known === undefined) left.push(this.#planned(file, 'now'));
      else if (!(await this.#options.names.isSame(this.#root, file, known.file))) {
        if (known.answer.status === 'enrolled') this.#changed.add(file.photo);
        else left.push(this.#planned(file, 'again: changed'));
      } else {
        const { bytes, modified } = file;
        if (modified !== known.file.modified) touched.push({ ...known.file, bytes, modified });
        const retried = known.answer.status !== 'enrolled' && this.#options.retryFailed === true;
        // A result that came within this run is not an earlier failure.
        if (retried && !this.#sent.has(file.photo)) left.push(this.#planned(file, 'again: retried'));
      }
    }
    this.#journal.touched(touched);
    return left;
  }

  #planned(file: NamedFile, why: Answer['sent']): NamedFile {
    this.#sent.set(file.photo, why);
    this.#journal.known.delete(file.photo);
    return file;
  }

  /** Reads a batch as it will be sent; leaves out files that cannot be read by now. */
  async #read(batch: readonly NamedFile[]): Promise<void> {
    const readable: PhotoToSend[] = [];
    for (const { path } of batch) {
      const state = await this.#options.names.stateOf(this.#root, path);
      if (state === undefined) this.#skipped.push({ path, reason: GONE });
      else readable.push({ path, state });
    }
    await this.#sendAsNew(readable);
  }

  async #sendAsNew(files: readonly PhotoToSend[]): Promise<void> {
    if (files.length === 0) return;
    const key = `enroll-${randomUUID()}`;
    this.#journal.sending(
      key,
      files.map(({ state }) => state),
    );
    await this.#send(key, files);
  }

  /** Sends a batch. Files that the service refuses are set aside, and the rest is sent without them. */
  async #send(key: string, files: readonly PhotoToSend[]): Promise<void> {
    const paths = files.map(({ path }) => path);
    try {
      const uploadId = await this.#options.client.send(
        paths.map((path) => join(this.#root, path)),
        key,
      );
      this.#journal.sent(key, uploadId);
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error;
      const refused = refusedPaths(error, paths);
      if (refused.size === 0) return this.#sendHalves(key, files, error);
      this.#journal.answered(
        key,
        files.flatMap(({ path, state: { photo } }) => {
          const reason = refused.get(path);
          if (reason === undefined) return [];
          return { photo, reason, status: 'refused' as const, trustValidationId: null, failureCode: null };
        }),
      );
      await this.#sendAsNew(files.filter(({ path }) => !refused.has(path)));
    }
    this.#report();
  }

  /** The service takes fewer images in an upload than the batch has. @throws the refusal, when that is not its reason */
  async #sendHalves(key: string, files: readonly PhotoToSend[], refusal: UploadRefused): Promise<void> {
    if (!isTooMany(refusal) || files.length < 2) throw refusal;
    this.#journal.answered(key, []);
    const half = Math.ceil(files.length / 2);
    await this.#sendAsNew(files.slice(0, half));
    await this.#sendAsNew(files.slice(half));
  }

  /** Polls the batches in the order they were sent, up to the first that is not finished, and waits a moment for that one. */
  async #poll(): Promise<void> {
    for (const { key, uploadId, files } of [...this.#journal.open.values()]) {
      if (uploadId === undefined) continue;
      const progress = await this.#options.client.progress(uploadId);
      if (progress.status === UPLOAD_STATUS.Processing) {
        this.#partial.set(key, progress);
        this.#report();
        await sleep(POLL_INTERVAL);
        return;
      }
      this.#partial.delete(key);
      this.#journal.answered(key, answersOf(progress, files));
    }
    this.#report();
  }

  /** The results of the files in the folder. Results of files that are gone are left out. */
  #answers(): Answer[] {
    return this.#files.flatMap(({ path, photo }) => {
      const known = this.#journal.known.get(photo);
      if (known === undefined || this.#journal.erased.has(photo)) return [];
      const { photo: _, ...answer } = known.answer;
      const sent = this.#sent.get(photo) ?? 'before';
      if (!this.#changed.has(photo)) return { path, ...answer, sent };
      return { path, ...answer, status: 'changed' as const, reason: changedReason(answer), sent };
    });
  }

  #report(): void {
    const answers = this.#answers();
    const partial = [...this.#partial.values()];
    const enrolled = answers.filter(({ status }) => status === 'enrolled').length;
    this.#options.onProgress({
      total: this.#files.length,
      enrolled: enrolled + sum(partial.map((upload) => upload.succeededCount)),
      failed: answers.length - enrolled + sum(partial.map((upload) => upload.failedCount)),
      before: this.#before,
    });
  }
}

interface PhotoToSend {
  path: string;
  state: SentPhoto;
}

const GONE = 'It was removed or cannot be read any longer.';
const ERASED =
  'The photo of this name was erased with its person. Give another photo another name to enrol it.';

function changedReason({ trustValidationId }: Pick<JournalAnswer, 'trustValidationId'>): string {
  return `Changed since it was enrolled as Trust Validation ${trustValidationId ?? ''}. The new photo was not sent: give it another name to enrol it.`;
}

/** Whether the only fault of an upload is the number of its images. */
export function isTooMany({ errors }: UploadRefused): boolean {
  return Object.keys(errors).join() === 'images';
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

function answersOf(progress: EnrolmentProgress, files: readonly SentPhoto[]): JournalAnswer[] {
  return progress.images.flatMap((image) => {
    const photo = files[image.index]?.photo;
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
