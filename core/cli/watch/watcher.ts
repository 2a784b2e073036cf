/** Enrols files that arrive in a folder, each file once, and moves them to done/ or failed/ with the reason beside them. */
import type { WatchCause, FolderSkip } from '../../contracts/dashboard/folders.ts';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FAILURES, type FailureCode } from '../../contracts/errors/failures.ts';
import { type SentPhoto, watchStep, type SentBatch, type WatchStep } from '../../contracts/journals.ts';
import type { EnrolmentProgress } from '../../contracts/uploads.ts';
import type { Photo, PhotoSource, UploadRecord, Wait } from '../../uploader/ports.ts';
import { personsOfFolders } from '../../uploader/photoPersons.ts';
import { Uploader } from '../../uploader/uploader.ts';
import {
  exitOfSilence,
  SILENCE_TIMEOUT_MS,
  systemClock,
  terminalObserver,
  type Enrolment,
} from '../enroll/client.ts';
import { planFolder, unreadableFolder, type PlannedFile, type SkippedFile } from '../enroll/plan.ts';
import { reasonOf } from '../terminal/inputFile.ts';
import { CliError } from '../terminal/output.ts';
import { type PhotoNames, JournalFile } from '../terminal/journalFile.ts';
import { DONE, FAILED, isFixed, moveFile } from './movedFile.ts';

/**
 * The batches that are not finished. A batch is written down before it is sent, so that after a crash the very same one is
 * sent again under the same key, and the service enrols it once.
 */
export class WatchJournal {
  readonly batches = new Map<string, SentBatch>();
  readonly #steps: JournalFile<WatchStep>;

  constructor(path: string) {
    this.#steps = new JournalFile(path, watchStep, (step) => {
      this.#apply(step);
    });
    if (this.batches.size === 0) this.#steps.clear();
  }

  sending(batch: SentBatch): void {
    this.#steps.append({ kind: 'sending', key: batch.key, files: [...batch.files] });
  }

  sent(key: string, uploadId: string): void {
    this.#steps.append({ kind: 'sent', key, uploadId });
  }

  /** Every file of the batch was moved. With no other batch open the file is emptied. */
  done(key: string): void {
    this.#steps.append({ kind: 'done', key });
    if (this.batches.size === 0) this.#steps.clear();
  }

  close(): void {
    this.#steps.close();
  }

  #apply(step: WatchStep): void {
    if (step.kind === 'sending') this.batches.set(step.key, { key: step.key, files: step.files });
    else if (step.kind === 'done') this.batches.delete(step.key);
    else {
      const batch = this.batches.get(step.key);
      if (batch !== undefined) batch.uploadId = step.uploadId;
    }
  }
}

/** Entries that are no files to move, or cannot be moved: they stay, and are named. */
const LEFT: readonly FolderSkip[] = [
  'link',
  'special',
  'badName',
  'tooLong',
  'unreadable',
  'system',
  'unfinished',
];

const FIXED =
  'The file cannot be moved, because this account cannot change its folder. Change the permissions of the folder.';

/** The result of one file. */
export interface Outcome {
  path: string;
  /** `left`: not sent, and not moved either. */
  status: 'enrolled' | 'failed' | 'left';
  trustValidationId: number | null;
  reason: string | null;
  failureCode: FailureCode | null;
  /** Why no photo was made of it. */
  cause: WatchCause | null;
  /** Where the file is now, relative to the folder. Null: another file has taken its place, or it was left. */
  movedTo: string | null;
}

export interface WatcherOptions {
  folder: string;
  client: Enrolment;
  journal: WatchJournal;
  names: PhotoNames;
  batchSize: number;
  maxBytes: number;
  /** Each folder directly in the watched one is a person; absent: no person is named. */
  persons?: 'folder' | undefined;
  /** A file that has not changed for so long is written to its end, milliseconds. */
  settle: number;
  onOutcome(outcome: Outcome): void;
  /** Receives the reason when no file can be sent. */
  onWait: (why: string, wait: Wait) => void;
}

/** A file that arrived; `id` is its name in the journal. */
interface ArrivedPhoto extends Photo {
  id: string;
  /** As it is sent, once it was read. */
  state?: SentPhoto;
}

export class Watcher {
  readonly #options: WatcherOptions;
  readonly #root: string;
  readonly #uploader: Uploader<ArrivedPhoto, EnrolmentProgress>;
  /** Of files that are waiting: as they were when they were seen first in their present state. */
  readonly #seen = new Map<string, { file: string; since: number }>();
  /** Entries that were reported as left. */
  readonly #left = new Set<string>();
  /** A file that was under way has become another one, which the next walk finds. */
  #replaced = false;
  /** Device and number of the folder at its first walk. */
  #identity: string | undefined;
  /** The files of the last walk, by their names in the journal. */
  #files: ReadonlyMap<string, PlannedFile> = new Map();

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#root = resolve(options.folder);
    const { client, journal, batchSize } = options;
    this.#uploader = new Uploader<ArrivedPhoto, EnrolmentProgress>(
      {
        service: {
          send: (photos, key) =>
            client.send(
              photos.map((photo) => join(this.#root, this.#pathOf(photo))),
              key,
              options.persons === 'folder' ? this.#personsOf(photos) : undefined,
            ),
          find: (key) => client.find(key),
          progress: (uploadId) => client.progress(uploadId),
        },
        source: this.#source,
        record: this.#record,
        observer: terminalObserver(options.onWait),
        clock: systemClock,
      },
      { batchSize, pollIntervalMs: 0, silenceTimeoutMs: SILENCE_TIMEOUT_MS },
    );
    this.#uploader.resumeBatches(
      [...journal.batches.values()].map(({ files, ...batch }) => ({
        ...batch,
        photos: files.map((state) => ({ id: state.photo, bytes: state.bytes, state })),
      })),
    );
  }

  /** How many entries of the last walk are neither sent nor moved. */
  get left(): number {
    return this.#left.size;
  }

  /** Walks the folder once: sends files that are complete, polls open uploads. @returns whether files wait or batches are open */
  async step(now = Date.now()): Promise<boolean> {
    const { names } = this.#options;
    const { ready, unusable, waiting } = await this.#walk(now);
    for (const { reason, skip, ...file } of unusable)
      if (await this.#isAsWalked(file)) await this.#move(file.path, { kind: 'failed', reason, cause: skip });
    this.#uploader.setWaiting(ready.map(({ path, bytes }) => ({ id: names.nameOf(path), bytes })));
    await this.#uploader.round().catch(exitOfSilence);
    const { batches, photos } = this.#uploader.pending;
    const replaced = this.#replaced;
    this.#replaced = false;
    return replaced || waiting || batches + photos + ready.length > 0;
  }

  #pathOf({ id }: ArrivedPhoto): string {
    return this.#files.get(id)?.path ?? '';
  }

  #personsOf(photos: readonly ArrivedPhoto[]) {
    const paths = photos.map((photo) => this.#pathOf(photo));
    const { persons } = personsOfFolders(paths);
    return paths.map((path) => persons.get(path) ?? null);
  }

  readonly #source: PhotoSource<ArrivedPhoto> = {
    read: async (photos) => {
      const readable: ArrivedPhoto[] = [];
      for (const photo of photos) {
        const file = this.#files.get(photo.id);
        if (file === undefined || !(await this.#isAsWalked(file))) continue;
        const state = await this.#options.names.stateOf(this.#root, file.path);
        if (state !== undefined) readable.push({ ...photo, state });
      }
      return readable;
    },
    isUnchanged: async (photos) => {
      await this.#checkFolder();
      for (const { id, state } of photos) {
        const file = this.#files.get(id);
        if (file === undefined || state === undefined || !(await this.#isSame(file, state))) return false;
      }
      return true;
    },
  };

  readonly #record: UploadRecord<ArrivedPhoto, EnrolmentProgress> = {
    keyOf: () => `watch-${randomUUID()}`,
    sending: ({ key, photos }) => {
      this.#options.journal.sending({ key, files: photos.flatMap(({ state }) => state ?? []) });
    },
    sent: ({ key }, uploadId) => {
      this.#options.journal.sent(key, uploadId);
    },
    progressed: () => undefined,
    finished: async ({ key, photos }, progress) => {
      await this.#checkFolder();
      for (const image of progress.images) {
        const photo = photos[image.index];
        const file = photo && this.#files.get(photo.id);
        // Moved already, before a crash that came before the journal had it.
        if (photo !== undefined && file !== undefined) await this.#moveSent(file, photo, resultOf(image));
      }
      this.#options.journal.done(key);
    },
    closed: async ({ key, photos }, reasons) => {
      await this.#checkFolder();
      for (const [place, reason] of reasons) {
        const photo = photos[place];
        const file = photo && this.#files.get(photo.id);
        if (photo !== undefined && file !== undefined)
          await this.#moveSent(file, photo, { kind: 'failed', reason, cause: 'refused' });
      }
      this.#options.journal.done(key);
    },
    // The next walk finds what is there instead.
    unreadable: () => undefined,
  };

  /** Files that no program writes to any longer: size and time of change stay the same. */
  async #walk(now: number): Promise<{
    ready: PlannedFile[];
    unusable: SkippedFile[];
    waiting: boolean;
  }> {
    const { folder, maxBytes, journal, names } = this.#options;
    await this.#checkFolder();
    const plan = await planFolder(folder, maxBytes, [DONE, FAILED]);
    const fixed = await this.#fixedFolders([...plan.files, ...plan.skipped]);
    const isLeft = ({ path }: PlannedFile) => fixed.has(dirname(path));
    const movable = plan.files.filter((file) => !isLeft(file));
    const skipped = plan.skipped.filter((file) => !LEFT.includes(file.skip) && !isLeft(file));
    this.#reportLeft([
      ...plan.skipped
        .filter(({ skip }) => LEFT.includes(skip))
        .map(({ path, reason, skip }) => ({ path, reason, cause: skip })),
      ...[...plan.files, ...plan.skipped]
        .filter(isLeft)
        .map(({ path }) => ({ path, reason: FIXED, cause: 'fixed' as const })),
    ]);
    const underWay = new Set(
      [...journal.batches.values()].flatMap(({ files }) => files.map(({ photo }) => photo)),
    );
    const all = [...movable, ...skipped].map((file) => ({ file, photo: names.nameOf(file.path) }));
    this.#files = new Map(all.map(({ photo, file }) => [photo, file]));
    const here = all.filter(({ photo }) => !underWay.has(photo));
    const paths = new Set(here.map(({ file }) => file.path));
    for (const path of this.#seen.keys()) if (!paths.has(path)) this.#seen.delete(path);
    const settled = (file: PlannedFile) => this.#isSettled(file, now);
    return {
      ready: movable.filter((file) => paths.has(file.path) && settled(file)),
      unusable: skipped.filter((file) => paths.has(file.path) && settled(file)),
      waiting: here.some(({ file }) => this.#seen.has(file.path)),
    };
  }

  /**
   * Without its disk a folder is missing, or empty: files under way would pass for moved ones, and be sent again later.
   * @throws {CliError} the folder is gone, another one has its place, or it is empty though files of an earlier run are under way
   */
  async #checkFolder(): Promise<void> {
    const { folder, journal } = this.#options;
    const { dev, ino } = await stat(this.#root).catch((cause: unknown) => {
      throw unreadableFolder(folder, reasonOf(cause));
    });
    const now = `${dev} ${ino}`;
    // The numbers of a disk change when it is connected again, so they tell nothing of an earlier run.
    if (this.#identity === undefined && journal.batches.size > 0 && (await readdir(this.#root)).length === 0)
      throw new CliError(
        `${folder} is empty, but photos of it are being enrolled. If its disk is missing, connect it and run the command again. If the photos were taken away, create the folder "${DONE}" in it and run the command again.`,
      );
    this.#identity ??= now;
    if (now !== this.#identity) throw unreadableFolder(folder, 'another folder has taken its place');
  }

  /** Folders whose files this account cannot move. A file that was sent and stayed would be sent again at every walk. */
  async #fixedFolders(files: readonly PlannedFile[]): Promise<Set<string>> {
    const folders = new Set(files.map(({ path }) => dirname(path)));
    const fixed = new Set<string>();
    for (const folder of folders) if (await isFixed(join(this.#root, folder))) fixed.add(folder);
    return fixed;
  }

  /** Each entry once, as long as it is there. */
  #reportLeft(entries: readonly { path: string; reason: string; cause: WatchCause }[]): void {
    const paths = new Set(entries.map(({ path }) => path));
    for (const path of this.#left) if (!paths.has(path)) this.#left.delete(path);
    for (const { path, reason, cause } of entries) {
      if (this.#left.has(path)) continue;
      this.#left.add(path);
      this.#options.onOutcome({
        path,
        reason,
        cause,
        status: 'left',
        trustValidationId: null,
        failureCode: null,
        movedTo: null,
      });
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

  /** Whether no program has written to the file since the walk, which can take minutes. The next one waits for it again. */
  async #isAsWalked({ path, bytes, modified }: PlannedFile): Promise<boolean> {
    const now = await stat(join(this.#root, path)).catch(() => undefined);
    return now?.size === bytes && now.mtimeMs === modified;
  }

  /** As the file is now, which may be later than the walk. */
  async #isSame({ path }: PlannedFile, sent: SentPhoto): Promise<boolean> {
    const now = await stat(join(this.#root, path)).catch(() => undefined);
    const { names } = this.#options;
    return (
      now !== undefined && names.isSame(this.#root, { path, bytes: now.size, modified: now.mtimeMs }, sent)
    );
  }

  /** Moves a file that was sent, unless another photo has taken its name: that one is sent next. */
  async #moveSent(file: PlannedFile, { state }: ArrivedPhoto, result: Result): Promise<void> {
    if (state === undefined || (await this.#isSame(file, state))) {
      await this.#move(file.path, result);
      return;
    }
    this.#replaced = true;
    this.#report(file.path, result, null);
  }

  async #move(path: string, result: Result): Promise<void> {
    const root = this.#root;
    this.#seen.delete(path);
    // Moved already, before a crash that came before the note of it.
    if (!existsSync(join(root, path))) return;
    const movedTo = await moveFile(
      root,
      path,
      result.kind === 'enrolled' ? { folder: DONE, reason: null } : { folder: FAILED, reason: result.reason },
    );
    this.#report(path, result, movedTo);
  }

  #report(path: string, result: Result, movedTo: string | null): void {
    this.#options.onOutcome({
      path,
      movedTo,
      status: result.kind,
      trustValidationId: result.kind === 'enrolled' ? result.trustValidationId : null,
      reason: result.kind === 'failed' ? result.reason : null,
      failureCode: result.kind === 'failed' ? (result.code ?? null) : null,
      cause: result.kind === 'failed' ? (result.cause ?? null) : null,
    });
  }
}

type Result =
  | { kind: 'enrolled'; trustValidationId: number }
  | { kind: 'failed'; reason: string; code?: FailureCode | null; cause?: WatchCause };

function resultOf({
  trustValidationId,
  failureCode,
  failureReason,
}: EnrolmentProgress['images'][number]): Result {
  if (trustValidationId !== null) return { kind: 'enrolled', trustValidationId };
  const remedy = failureCode === null ? '' : ` ${FAILURES[failureCode].remedy}`;
  return { kind: 'failed', reason: `${failureReason ?? 'Not enrolled.'}${remedy}`, code: failureCode };
}
