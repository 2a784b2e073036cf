/**
 * Folders that the desktop shell hands to the service by their path, so that photos are read where they lie and not
 * copied through the window. The page gets a grant: it never receives a path of this machine and cannot send one.
 */
import { z } from 'zod';
import { faceListingEdit } from '../faceListing.ts';
import { photoPersons } from '../uploads.ts';
import { FAILURE_CODES } from '../errors/failures.ts';
import { problemShape } from '../errors/problemShape.ts';
import { get, poll, post, remove } from './operation.ts';
import { runDeclaration, retryDeclaration } from './enrolmentRuns.ts';

/** Why a file of a folder is not sent. */
export const FOLDER_SKIPS = [
  'empty',
  'tooLarge',
  'notAnImage',
  /** Of a kind that is known and not read, as HEIC. */
  'otherFormat',
  'unreadable',
  'link',
  /** A pipe, a socket or a device. */
  'special',
  /** The name is not UTF-8. */
  'badName',
  /** The path has more bytes than the system opens. */
  'tooLong',
  /** Hidden, or in a folder that a system keeps for itself: thumbnails, deleted files, snapshots. */
  'system',
  /** Another program has not finished writing it. */
  'unfinished',
] as const;
export type FolderSkip = (typeof FOLDER_SKIPS)[number];

/** Hidden ones, and those of NAS devices, Nextcloud, Windows, macOS and Linux: thumbnails, recycle bins, snapshots, and what a repair of the disk found. */
const SYSTEM_FOLDER =
  /^(?:\..*|@eadir|@__thumb|@transcode|@recycle|@recently-snapshot|@sharebin|@sharesnap|@tmp|@gmt-[\d.-]+|#recycle|#snapshot|~snapshot|trashbox|files_(?:trashbin|versions)|\$recycle\.bin|\$windows\.~\w+|recycler|recycled|lost\+found|found\.\d{3}|system volume information|config\.msi|trash-\d+|network trash folder|temporary items|__macosx)$/i;
/** The endings that browsers, transfer programs and editors give to files they still write, and the start of lock files of Office. */
const UNFINISHED =
  /(?:\.(?:(?:file|dl|dta)?part|partial|(?:cr|op|fdm|wk)?download(?:ing)?|uploading|incomplete|inprogress|xltd|crswap|swp|aria2|~?tmp|temp|![a-z]{2,4}|[a-z]{2}!|sb-[\da-f]{8}-\w+|smbdelete\w*)|~)$|^~\$/i;

/** Why a path below a folder is not sent, by its names alone; null: nothing is wrong with them. */
export function skipOfNames(path: string): FolderSkip | null {
  const names = path.split('/');
  const last = names.pop() ?? '';
  const isHidden = names.length > 0 && last.startsWith('.');
  if (isHidden || names.some((name) => SYSTEM_FOLDER.test(name))) return 'system';
  return [...names, last].some((name) => UNFINISHED.test(name)) ? 'unfinished' : null;
}

/** `GET /folders/{grantId}`. */
export const offeredFolder = z.object({
  /** The folder's own name, without where it lies. */
  name: z.string(),
  /** In an order that stays; `path` below the folder, with `/`. `skip` null: it can be sent. */
  files: z.array(
    z.object({ path: z.string(), bytes: z.number().int(), skip: z.enum(FOLDER_SKIPS).nullable() }),
  ),
});
export type OfferedFolder = z.infer<typeof offeredFolder>;

/** `POST /folders/{grantId}/uploads`: places in `files`, and the blacklist that they go into; absent: duplicate detection. */
export const folderBatch = z.object({
  files: z.array(z.number().int().min(0)).min(1).max(1000),
  blacklist: z.number().int().min(1).brand<'BlacklistId'>().optional(),
  /** Of all the faces that a blacklist gets; absent: the default. */
  listing: faceListingEdit.optional(),
  /** One entry for each file; absent: the photos are enrolled without persons. */
  persons: photoPersons.optional(),
});
export const folderReceipt = z.object({ uploadId: z.uuid() });

// Folders whose arriving photos a running `vouch watch` enrols.

/** `fixed`: the account must not move it. `refused`: the service did not accept it; the reason is in the file beside it. */
const WATCH_CAUSES = [...FOLDER_SKIPS, 'fixed', 'refused'] as const;
export type WatchCause = (typeof WATCH_CAUSES)[number];

export const LONGEST_WATCHED_PATH = 4096;

const WATCHER_STATES = ['watching', 'waiting', 'stopped'] as const;

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
  /** How many files lie in the folder that are neither sent nor moved, such as unfinished ones. */
  left: z.number().int(),
  lastFile: lastFile.nullable(),
  problem: problemShape.nullable(),
});
export type WatchReport = z.infer<typeof watchReport>;

/** A watcher reports at least this often, milliseconds. */
export const REPORT_EVERY_MS = 10_000;

const watchedFolder = watchReport.extend({
  /** `lost`: the watcher has not reported in time; its process or its machine has ended. */
  state: z.enum([...WATCHER_STATES, 'lost']),
  reportedAt: z.iso.datetime(),
});
export type WatchedFolder = z.infer<typeof watchedFolder>;
export const watchedFolderList = z.object({ items: z.array(watchedFolder) });

const byId = z.object({ grantId: z.uuid() });
/** The dashboard's operations. */
export const folderApi = {
  read: get('/folders/:grantId', 'uploads:create', { params: byId, answer: offeredFolder }),
  send: post('/folders/:grantId/uploads', 'uploads:create', {
    params: byId,
    query: runDeclaration.extend(retryDeclaration.shape),
    body: folderBatch,
    answer: folderReceipt,
    status: 202,
  }),
  forget: remove('/folders/:grantId', 'uploads:create', { params: byId }),
  watched: poll('/watched-folders', 'uploads:read', { answer: watchedFolderList }),
  reportWatch: post('/local/watch', 'session', { body: watchReport }),
};
