import { z } from 'zod';
import { SEVERAL_FACES } from '../../../core/contracts/enrolmentRuns.ts';
import { faceListing, SEVERITIES, LISTING_TEXT_NAMES } from '../../../core/contracts/faceListing.ts';
import type { FoundFile } from './droppedFiles.ts';
import { countsOf, PERSON_SOURCES, type Run } from './run.ts';

/**
 * The stored progress of a run, so that it can continue after its window was closed: one hash of the file list, the number
 * of photos that the service has, and how the operator chose to enrol them. It holds no file name, which often is a person's
 * name, no table of persons and no text of a listing: the browser's store is not encrypted.
 */
const unfinishedRun = z.object({
  /** Also in the keys of its batches, so that the service recognises a batch whose answer was lost. */
  run: z.uuid(),
  companyId: z.number(),
  /** Null: duplicate detection. */
  blacklistId: z.number().nullable(),
  /** Of the faces in that blacklist. */
  listing: z
    .object({ severity: z.enum(SEVERITIES), expiresAt: faceListing.shape.expiresAt, typed: z.boolean() })
    .nullable(),
  severalFaces: z.enum(SEVERAL_FACES),
  personSource: z.enum(PERSON_SOURCES),
  startedAt: z.number(),
  total: z.number(),
  /** The first of the list that are not sent again. */
  sent: z.number(),
  list: z.string(),
});
export type Unfinished = z.infer<typeof unfinishedRun>;

const KEY = 'vouch-unfinished-run';

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

/** The run whose window was closed before every photo was sent; null without one. */
export function unfinishedOf(companyId: number): Unfinished | null {
  const kept = localStorage.getItem(KEY);
  if (kept === null) return null;
  const parsed = unfinishedRun.safeParse(JSON.parse(kept));
  return parsed.success && parsed.data.companyId === companyId ? parsed.data : null;
}

export function forgetUnfinished(): void {
  localStorage.removeItem(KEY);
}

/** Stores how many photos of a run the service has; removes it once that is all, or the run was cancelled. */
export function remember(run: Run, kept: Pick<Unfinished, 'companyId' | 'list' | 'total'>): void {
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
  localStorage.setItem(KEY, JSON.stringify(record));
}
