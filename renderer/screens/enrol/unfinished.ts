import { z } from 'zod';
import type { FoundFile } from './droppedFiles.ts';
import { countsOf, type Run } from './run.ts';

/**
 * The stored progress of a run, so that it can continue after its window was closed: one hash of the file list and the
 * number of photos that the service has. It holds no file name, which often is a person's name: the browser's store is
 * not encrypted.
 */
const unfinishedRun = z.object({
  /** Also in the keys of its batches, so that the service recognises a batch whose answer was lost. */
  run: z.uuid(),
  companyId: z.number(),
  /** Null: duplicate detection. */
  blacklistId: z.number().nullable(),
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
  const record: Unfinished = {
    ...kept,
    run: run.id,
    blacklistId: run.target.kind === 'blacklist' ? run.target.id : null,
    startedAt: run.startedAt,
    // Batches are sent in order, so what waits is the end of the list.
    sent: kept.total - waiting,
  };
  localStorage.setItem(KEY, JSON.stringify(record));
}
