import { create } from 'zustand';
import type { SeveralFaces } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import type { PhotoPerson } from '../../../core/contracts/uploads.ts';
import type { FailureCode } from '../../../core/contracts/errors/failures.ts';
import type { PersonFault } from '../../../core/uploader/photoPersons.ts';
import { csvLine } from '../../../core/contracts/csv.ts';
import type { EnrolTarget } from '../../api/enrolment.ts';
import type { FoundFile } from './droppedFiles.ts';

/** The state of one file of a run. `refused`: the service rejected it, or it could not be read. */
export type ItemState = 'waiting' | 'sent' | 'enrolled' | 'failed' | 'refused';

export interface RunItem {
  key: number;
  path: string;
  file: FoundFile['file'];
  convertedFrom: FoundFile['convertedFrom'];
  state: ItemState;
  uploadId: string | null;
  /** Names the photo in the service once it failed. */
  itemId: number | null;
  /** The failed photo that this one is sent for once more. */
  fixes: number | null;
  /** The person that the photo shows; null: none was named. */
  person: PhotoPerson | null;
  failureCode: FailureCode | null;
  /** The message of the service for a refused file; null: the file could not be read. */
  reason: string | null;
  trustValidationId: number | null;
  faceId: number | null;
  thumbnailUrl: string | null;
}

/** Where the persons of a run come from. */
export const PERSON_SOURCES = ['none', 'folder', 'file'] as const;
export type PersonSource = (typeof PERSON_SOURCES)[number];

export type RunPhase = 'running' | 'paused' | 'cancelled' | 'done';

/** A file to send. `fixes`: the failed photo that it is sent for once more. `person`: whom it shows. */
export type FileToSend = FoundFile & { fixes?: number | null; person?: PhotoPerson | null };

export interface Run {
  id: string;
  /** The run of the service that its photos belong to: for photos that are sent once more, that of their failure. */
  serviceId: string;
  target: EnrolTarget;
  /** Of the folder; null: single photos were chosen. */
  name: string | null;
  /** Photos of the whole run, those that were sent before a reload included. */
  planned: number;
  severalFaces: SeveralFaces;
  personSource: PersonSource;
  /** The entries of the list of persons that could not be used. */
  personFaults: readonly PersonFault[];
  phase: RunPhase;
  items: readonly RunItem[];
  /** Why no photo is sent now, as a sentence. */
  held: string | null;
  /** The time for which the service did not answer; `until` null: it still does not. */
  gap: { since: number; until: number | null } | null;
  startedAt: number;
  finishedAt: number | null;
  /** Photos with a result over the last 30 seconds, for the rate. */
  pace: readonly { at: number; answered: number }[];
}

interface Runs {
  run: Run | null;
}

/** The run of this window. It is outside the screen, so that leaving the page does not stop it. */
export const runs = create<Runs>()(() => ({ run: null }));

/** @param files in the order in which they are sent; `from` the first of them: those before were sent under this id */
export function newRun(
  files: readonly FileToSend[],
  target: EnrolTarget,
  {
    id = crypto.randomUUID(),
    serviceId = id,
    from = 0,
    severalFaces = 'refuse',
    personSource = 'none',
    personFaults = [],
  }: {
    id?: string | undefined;
    serviceId?: string | undefined;
    from?: number | undefined;
    severalFaces?: SeveralFaces;
    personSource?: PersonSource;
    personFaults?: readonly PersonFault[];
  } = {},
): Run {
  return {
    id,
    serviceId,
    target,
    name: folderOf(files),
    planned: files.length,
    severalFaces,
    personSource,
    personFaults,
    phase: 'running',
    held: null,
    gap: null,
    startedAt: Date.now(),
    finishedAt: null,
    pace: [{ at: Date.now(), answered: 0 }],
    items: files.slice(from).map(({ path, file, convertedFrom, fixes = null, person = null }, index) => ({
      key: from + index,
      path,
      file,
      convertedFrom,
      state: 'waiting',
      uploadId: null,
      itemId: null,
      fixes,
      person,
      failureCode: null,
      reason: null,
      trustValidationId: null,
      faceId: null,
      thumbnailUrl: null,
    })),
  };
}

/** The folder that all files lie in; null without one. */
export function folderOf(files: readonly FoundFile[]): string | null {
  const [first] = files;
  const end = first?.path.indexOf('/') ?? -1;
  if (first === undefined || end <= 0) return null;
  const folder = first.path.slice(0, end + 1);
  return files.every(({ path }) => path.startsWith(folder)) ? folder.slice(0, 255).replace(/\/$/, '') : null;
}

export function countsOf({ items }: Run) {
  const of = (state: ItemState) => items.reduce((sum, item) => (item.state === state ? sum + 1 : sum), 0);
  const enrolled = of('enrolled');
  const failed = of('failed') + of('refused');
  return {
    enrolled,
    failed,
    sent: of('sent'),
    waiting: of('waiting'),
    answered: enrolled + failed,
    total: items.length,
  };
}

/** Images a second over the last 30 seconds; null while too little was measured. */
export function paceOf({ pace }: Run): number | null {
  const first = pace[0];
  const last = pace.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < 2_000) return null;
  const rate = ((last.answered - first.answered) * 1000) / (last.at - first.at);
  return rate > 0 ? rate : null;
}

/**
 * Applies changes to items of a run and updates its rate. Nothing happens if another run is shown by the time of the
 * answer.
 */
export function patchItems({ id }: Pick<Run, 'id'>, changes: ReadonlyMap<number, Partial<RunItem>>): void {
  runs.setState(({ run }) => {
    if (run?.id !== id || changes.size === 0) return {};
    const items = run.items.map((item) => {
      const change = changes.get(item.key);
      return change === undefined ? item : { ...item, ...change };
    });
    const now = Date.now();
    const changed = { ...run, items };
    const pace = [
      ...run.pace.filter(({ at }) => now - at < 30_000),
      { at: now, answered: countsOf(changed).answered },
    ];
    return { run: { ...changed, pace } };
  });
}

/** @param run the one that is meant; nothing happens when another is shown */
export function patchRun({ id }: Pick<Run, 'id'>, change: Partial<Run>): void {
  runs.setState(({ run }) => (run?.id === id ? { run: { ...run, ...change } } : {}));
}

/**
 * A run as comma-separated values (RFC 4180), one line per file.
 * @param words the sentence of a failure code, in the language of the page
 */
export function resultTable({ items }: Run, words: (code: string) => string): string {
  const head = ['file', 'status', 'trustValidationId', 'failureCode', 'reason'];
  const lines = items.map(({ path, state, trustValidationId, failureCode, reason }) => [
    path,
    state,
    trustValidationId === null ? '' : String(trustValidationId),
    failureCode ?? '',
    failureCode === null ? (reason ?? '') : words(failureCode),
  ]);
  return [head, ...lines].map(csvLine).join('');
}
