import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import {
  type JournalAnswer,
  type SentBatch,
  type SentPhoto,
  enrolmentStep,
  type EnrolmentStep,
} from '../../contracts/journals.ts';
import type { PhotoPerson, EnrolmentProgress } from '../../contracts/uploads.ts';
import type { Batch, Photo, PhotoSource, UploadRecord } from '../../uploader/ports.ts';
import { Uploader } from '../../uploader/uploader.ts';
import { type PhotoNames, JournalFile } from '../terminal/journalFile.ts';
import {
  exitOfSilence,
  SILENCE_TIMEOUT_MS,
  systemClock,
  terminalObserver,
  type Enrolment,
} from './client.ts';
import type { PlannedFile } from './plan.ts';

/** A photo with a result, as it was when it was sent. A sheet has one for each of its portraits. */
interface KnownPhoto {
  file: SentPhoto;
  answers: readonly JournalAnswer[];
}

/** A sheet counts as enrolled with its first portrait: sent again, it would enrol that one again. */
function isEnrolled({ answers }: KnownPhoto): boolean {
  return answers.some(({ status }) => status === 'enrolled');
}

/** The progress of an enrolment of a folder, so that the same command continues it. Photos are named as `PhotoNames` names them. */
export class Journal {
  /** By photo. */
  readonly known = new Map<string, KnownPhoto>();
  /** Batches without a result, by key, in the order in which they were sent. */
  readonly open = new Map<string, SentBatch>();
  /** Photos of erased people. They are not sent again. */
  readonly erased = new Set<string>();
  readonly #steps: JournalFile<EnrolmentStep>;

  constructor(file: string) {
    this.#steps = new JournalFile(file, enrolmentStep, (step) => {
      this.#apply(step);
    });
  }

  /** Before the batch is sent. */
  sending(key: string, files: readonly SentPhoto[]): void {
    this.#steps.append({ kind: 'sending', key, files: [...files] });
  }

  sent(key: string, uploadId: string): void {
    this.#steps.append({ kind: 'sent', key, uploadId });
  }

  /** Closes the batch. @param answers none for photos that were not sent after all */
  answered(key: string, answers: JournalAnswer[]): void {
    this.#steps.append({ kind: 'answered', key, answers });
  }

  /** Known photos whose time changed and whose content did not. */
  touched(files: readonly SentPhoto[]): void {
    if (files.length > 0) this.#steps.append({ kind: 'touched', files: [...files] });
  }

  close(): void {
    this.#steps.close();
  }

  #apply(step: EnrolmentStep): void {
    switch (step.kind) {
      case 'sending':
        this.open.set(step.key, { key: step.key, files: step.files });
        break;
      case 'sent': {
        const batch = this.open.get(step.key);
        if (batch !== undefined) batch.uploadId = step.uploadId;
        break;
      }
      case 'answered': {
        const files = new Map(this.open.get(step.key)?.files.map((file) => [file.photo, file]));
        for (const [photo, answers] of Map.groupBy(step.answers, (answer) => answer.photo)) {
          const file = files.get(photo);
          if (file !== undefined) this.known.set(photo, { file, answers });
        }
        this.open.delete(step.key);
        break;
      }
      case 'touched':
        for (const file of step.files) {
          const known = this.known.get(file.photo);
          if (known !== undefined) known.file = file;
        }
        break;
      case 'erased':
        for (const photo of step.photos) this.erased.add(photo);
        break;
    }
  }
}

/** The result of one photo of the folder. */
export interface Answer extends Omit<JournalAnswer, 'photo' | 'portrait' | 'status'> {
  /** Of a portrait: `SHEET#NUMBER`, as its photo is named. */
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

/** Between two polls of the oldest open upload, milliseconds. */
const POLL_INTERVAL_MS = 500;

export interface EnrolFolderOptions {
  folder: string;
  files: readonly PlannedFile[];
  /** By the path of a file: the person that the photo shows. */
  persons?: ReadonlyMap<string, PhotoPerson> | undefined;
  /** Photos are sheets, sent one by one, which the service splits into their portraits. */
  sheets?: boolean;
  /** Images per request. Where the service takes fewer, batches are halved. */
  batchSize: number;
  /** Send photos that failed in an earlier run again, although they did not change. */
  retryFailed?: boolean;
  client: Enrolment;
  journalFile: string;
  names: PhotoNames;
  /** Called after every step. */
  onProgress(state: EnrolState): void;
  /** Told why nothing moves, e.g. "the enrolment queue is full or paused; trying again in 5 s". */
  onWait: (why: string) => void;
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
  } catch (error) {
    return exitOfSilence(error);
  } finally {
    run.close();
  }
}

/** A file of the run; `id` is its name in the journal. */
interface FilePhoto extends Photo {
  id: string;
  /** undefined: the file of an earlier batch is gone. */
  file: PlannedFile | undefined;
  /** As it is sent, once it was read. */
  state?: SentPhoto;
}
type FileBatch = Batch<FilePhoto>;

class EnrolRun {
  readonly #options: EnrolFolderOptions;
  readonly #root: string;
  readonly #photos: ReadonlyMap<string, FilePhoto & { file: PlannedFile }>;
  readonly #journal: Journal;
  /** Photos of this run that are sent or were sent, and why. */
  readonly #sent = new Map<string, Answer['sent']>();
  /** Enrolled photos whose file holds another photo now. */
  readonly #changed = new Set<string>();
  readonly #skipped: EnrolResult['skipped'] = [];
  #before = 0;
  /** Results of open uploads, for the progress bar alone. */
  readonly #partial = new Map<string, EnrolmentProgress>();

  constructor(options: EnrolFolderOptions) {
    this.#options = options;
    this.#root = resolve(options.folder);
    const { files, names } = options;
    this.#photos = new Map(
      files.map((file) => {
        const id = names.nameOf(file.path);
        return [id, { id, bytes: file.bytes, file }];
      }),
    );
    this.#journal = new Journal(options.journalFile);
  }

  close(): void {
    this.#journal.close();
  }

  async toTheEnd(): Promise<EnrolResult> {
    const { client, onWait, persons, sheets } = this.#options;
    const batchSize = sheets === true ? 1 : this.#options.batchSize;
    const uploader = new Uploader<FilePhoto, EnrolmentProgress>(
      {
        service: {
          send: (photos, key) =>
            client.send(
              photos.map((photo) => this.#pathOf(photo)),
              key,
              persons && photos.map(({ file }) => persons.get(file?.path ?? '') ?? null),
            ),
          find: (key) => client.find(key),
          progress: (uploadId) => client.progress(uploadId),
        },
        source: this.#source,
        record: this.#record,
        observer: terminalObserver(onWait),
        clock: systemClock,
      },
      { batchSize, pollIntervalMs: POLL_INTERVAL_MS, silenceTimeoutMs: SILENCE_TIMEOUT_MS },
    );
    // First what an earlier run left open: its results decide what is still to be sent.
    const open = [...this.#journal.open.values()];
    for (const { files } of open) for (const { photo } of files) this.#sent.set(photo, 'now');
    uploader.resumeBatches(open.map((batch) => this.#batchOf(batch)));
    await uploader.finish();
    uploader.setWaiting(await this.#toSend());
    this.#before = this.#answers().length;
    this.#report();
    await uploader.finish();
    return { answers: this.#answers(), skipped: this.#skipped };
  }

  #pathOf({ file }: FilePhoto): string {
    return join(this.#root, file?.path ?? '');
  }

  #batchOf({ key, files, uploadId }: SentBatch): FileBatch {
    const photos = files.map((state): FilePhoto => ({
      id: state.photo,
      bytes: state.bytes,
      file: this.#photos.get(state.photo)?.file,
      state,
    }));
    return uploadId === undefined ? { key, photos } : { key, photos, uploadId };
  }

  readonly #source: PhotoSource<FilePhoto> = {
    read: async (photos) => {
      const readable: FilePhoto[] = [];
      for (const photo of photos) {
        if (photo.file === undefined || this.#journal.erased.has(photo.id)) continue;
        const state = await this.#options.names.stateOf(this.#root, photo.file.path);
        if (state !== undefined) readable.push({ ...photo, state });
      }
      return readable;
    },
    isUnchanged: async (photos) => {
      for (const { file, state } of photos)
        if (
          file === undefined ||
          state === undefined ||
          !(await this.#options.names.isSame(this.#root, file, state))
        )
          return false;
      return true;
    },
  };

  readonly #record: UploadRecord<FilePhoto, EnrolmentProgress> = {
    keyOf: () => `enroll-${randomUUID()}`,
    sending: ({ key, photos }) => {
      this.#journal.sending(
        key,
        photos.flatMap(({ state }) => state ?? []),
      );
    },
    sent: ({ key }, uploadId) => {
      this.#journal.sent(key, uploadId);
      this.#report();
    },
    progressed: ({ key }, progress) => {
      this.#partial.set(key, progress);
      this.#report();
    },
    finished: ({ key, photos }, progress) => {
      this.#partial.delete(key);
      this.#journal.answered(key, answersOf(progress, photos));
      this.#report();
    },
    closed: ({ key, photos }, reasons) => {
      this.#journal.answered(
        key,
        photos.flatMap(({ id: photo }, place) => {
          const reason = reasons.get(place);
          if (reason === undefined) return [];
          return { photo, reason, status: 'refused' as const, trustValidationId: null, failureCode: null };
        }),
      );
      this.#report();
    },
    unreadable: (photos) => {
      for (const { file, id } of photos)
        // Photos of erased people are listed as such when the rest is planned.
        if (file !== undefined && !this.#journal.erased.has(id))
          this.#skipped.push({ path: file.path, reason: GONE });
    },
  };

  /** The files without a result that counts; notes the others. */
  async #toSend(): Promise<FilePhoto[]> {
    const left: FilePhoto[] = [];
    const touched: SentPhoto[] = [];
    for (const photo of this.#photos.values()) {
      const { id, file } = photo;
      const known = this.#journal.known.get(id);
      if (this.#journal.erased.has(id)) this.#skipped.push({ path: file.path, reason: ERASED });
      else if (known === undefined) left.push(this.#planned(photo, 'now'));
      else if (!(await this.#options.names.isSame(this.#root, file, known.file))) {
        if (isEnrolled(known)) this.#changed.add(id);
        else left.push(this.#planned(photo, 'again: changed'));
      } else {
        const { bytes, modified } = file;
        if (modified !== known.file.modified) touched.push({ ...known.file, bytes, modified });
        const retried = !isEnrolled(known) && this.#options.retryFailed === true;
        // A result that came within this run is not an earlier failure.
        if (retried && !this.#sent.has(id)) left.push(this.#planned(photo, 'again: retried'));
      }
    }
    this.#journal.touched(touched);
    return left;
  }

  #planned(photo: FilePhoto, why: Answer['sent']): FilePhoto {
    this.#sent.set(photo.id, why);
    this.#journal.known.delete(photo.id);
    return photo;
  }

  /** The results of the files in the folder. Results of files that are gone are left out. */
  #answers(): Answer[] {
    return [...this.#photos.values()].flatMap(({ id, file: { path } }) => {
      const known = this.#journal.known.get(id);
      if (known === undefined || this.#journal.erased.has(id)) return [];
      const sent = this.#sent.get(id) ?? 'before';
      return known.answers.map(({ photo: _, portrait, ...answer }) => {
        const named = { path: portrait === undefined ? path : `${path}#${portrait}`, ...answer, sent };
        return this.#changed.has(id)
          ? { ...named, status: 'changed' as const, reason: changedReason(answer) }
          : named;
      });
    });
  }

  #report(): void {
    const answers = this.#answers();
    const partial = [...this.#partial.values()];
    const enrolled = answers.filter(({ status }) => status === 'enrolled').length;
    // The portraits of a sheet are known once it was sent.
    const portraits = [...this.#journal.known]
      .filter(([id]) => this.#photos.has(id))
      .map(([, known]) => known.answers.length - 1);
    const open = this.#options.sheets === true ? partial.map(({ images }) => images.length - 1) : [];
    this.#options.onProgress({
      total: this.#photos.size + sum(portraits) + sum(open),
      enrolled: enrolled + sum(partial.map((upload) => upload.succeededCount)),
      failed: answers.length - enrolled + sum(partial.map((upload) => upload.failedCount)),
      before: this.#before,
    });
  }
}

const GONE = 'It was removed or cannot be read any longer.';
const ERASED =
  'The photo of this name was erased with its person. Give another photo another name to enrol it.';

function changedReason({ trustValidationId }: Pick<JournalAnswer, 'trustValidationId'>): string {
  return `Changed since it was enrolled as Trust Validation ${trustValidationId ?? ''}. The new photo was not sent: give it another name to enrol it.`;
}

function answersOf(progress: EnrolmentProgress, photos: readonly FilePhoto[]): JournalAnswer[] {
  const [sheet] = photos.length === 1 && progress.images.length > 1 ? photos : [];
  return progress.images.flatMap((image) => {
    const photo = (sheet ?? photos[image.index])?.id;
    if (photo === undefined) return [];
    return {
      photo,
      ...(sheet && { portrait: image.index + 1 }),
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
