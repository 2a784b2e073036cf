import { z } from 'zod';
import { faceListing, SEVERITIES } from '../../../core/contracts/faceListing.ts';
import { SEVERAL_FACES } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { PERSON_SOURCES } from './run.ts';

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

export function storeUnfinished(run: Unfinished): void {
  localStorage.setItem(KEY, JSON.stringify(run));
}
