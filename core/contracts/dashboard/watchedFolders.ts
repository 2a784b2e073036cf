/** Folders whose arriving photos a running `vouch watch` enrols. */
import { z } from 'zod';
import { FAILURE_CODES } from '../errors/failures.ts';

export const WATCHER_STATES = ['watching', 'waiting', 'stopped'] as const;

const lastFile = z.object({
  /** Relative to the folder. */
  path: z.string().max(4096),
  /** `left`: neither sent nor moved. */
  status: z.enum(['enrolled', 'failed', 'left']),
  trustValidationId: z.number().int().nullable(),
  /** In English: why it was not enrolled; null for an enrolled file. */
  reason: z.string().max(2000).nullable(),
  /** The same as a code, for a file that was sent; the dashboard has its texts in every language. */
  failureCode: z.enum(FAILURE_CODES).nullable().default(null),
  at: z.iso.datetime(),
});

/** The report of a watcher about its folder. */
export const watchReport = z.object({
  /** Of the run of `vouch watch`. */
  id: z.uuid(),
  /** Absolute. */
  folder: z.string().min(1).max(32_768),
  /** `waiting`: no file can be sent; `problem` is the reason. `stopped`: the run has ended. */
  state: z.enum(WATCHER_STATES),
  startedAt: z.iso.datetime(),
  enrolled: z.number().int(),
  failed: z.number().int(),
  lastFile: lastFile.nullable(),
  problem: z.string().max(2000).nullable(),
});
export type WatchReport = z.infer<typeof watchReport>;

/** A watcher reports at least this often, milliseconds. */
export const REPORT_EVERY_MS = 10_000;

export const watchedFolder = watchReport.extend({
  /** `lost`: the watcher has not reported in time; its process or its machine has ended. */
  state: z.enum([...WATCHER_STATES, 'lost']),
  reportedAt: z.iso.datetime(),
});
export type WatchedFolder = z.infer<typeof watchedFolder>;
export const watchedFolderList = z.object({ items: z.array(watchedFolder) });
