/** Folders whose arriving photos a running `vouch watch` enrols. */
import { z } from 'zod';
import { FAILURE_CODES } from '../errors/failures.ts';
import { problemShape } from '../errors/problemShape.ts';
import { FOLDER_SKIPS } from './folders.ts';

/** `fixed`: the account must not move it. `refused`: the service did not accept it; the reason is in the file beside it. */
export const WATCH_CAUSES = [...FOLDER_SKIPS, 'fixed', 'refused'] as const;
export type WatchCause = (typeof WATCH_CAUSES)[number];

export const LONGEST_WATCHED_PATH = 4096;

export const WATCHER_STATES = ['watching', 'waiting', 'stopped'] as const;

const lastFile = z.object({
  /** Relative to the folder. */
  path: z.string().max(LONGEST_WATCHED_PATH),
  /** `left`: neither sent nor moved. */
  status: z.enum(['enrolled', 'failed', 'left']),
  trustValidationId: z.number().int().nullable(),
  /** Why its photo was not enrolled. */
  failureCode: z.enum(FAILURE_CODES).nullable(),
  /** Why no photo was made of it. Both are null for an enrolled file. */
  cause: z.enum(WATCH_CAUSES).nullable(),
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
  problem: problemShape.nullable(),
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
