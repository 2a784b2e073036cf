/** Backups from the dashboard: the key, the places, the schedule and the runs. */
import { z } from 'zod';
import { problemShape } from '../errors/problemShape.ts';
import { get, poll, post, put, remove } from './operation.ts';

/** Where a backup can be written: a drive, a folder of the local administrator, or the data directory. */
export const BACKUP_PLACE_KINDS = ['drive', 'configured', 'home'] as const;

export const backupPlace = z.object({
  /** Absolute folder; it names the place in requests. */
  path: z.string(),
  kind: z.enum(BACKUP_PLACE_KINDS),
  /** Null: the folder cannot be read. */
  freeBytes: z.number().nullable(),
  writable: z.boolean(),
});
export type BackupPlace = z.infer<typeof backupPlace>;

export const MAX_BACKUPS_KEPT = 100;

export const backupSchedule = z.object({
  place: z.string().min(1).max(4096),
  every: z.enum(['day', 'week']),
  /** 0 is Sunday; used by weekly backups. */
  weekday: z.number().int().min(0).max(6),
  /** Minute of the day in the time zone of the machine. */
  minute: z.number().int().min(0).max(1439),
  /** Scheduled backups that stay in the place; older ones are deleted. */
  keep: z.number().int().min(1).max(MAX_BACKUPS_KEPT),
});
export type BackupSchedule = z.infer<typeof backupSchedule>;

/** `dashboard`: written to a place on request. `download`, `terminal`: sent to the caller as a stream. */
export const BACKUP_TRIGGERS = ['dashboard', 'schedule', 'download', 'terminal'] as const;
export type BackupTrigger = (typeof BACKUP_TRIGGERS)[number];
/** `removed`: a verified backup that the schedule deleted, because newer ones exist. */
export const BACKUP_STATES = ['running', 'done', 'failed', 'cancelled', 'removed'] as const;
export type BackupRunState = (typeof BACKUP_STATES)[number];

export const backupRun = z.object({
  id: z.number().int(),
  trigger: z.enum(BACKUP_TRIGGERS),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  state: z.enum(BACKUP_STATES),
  /** Null: the backup was sent to the caller. */
  place: z.string().nullable(),
  file: z.string().nullable(),
  bytes: z.number().int(),
  /** Images that the installation had lost before: they are missing in the backup. */
  lostImages: z.number().int(),
  problem: problemShape.nullable(),
});
export type BackupRun = z.infer<typeof backupRun>;

export const backupState = z.object({
  /** The dashboard makes no backups of an installation with several companies. */
  available: z.boolean(),
  key: z.object({ madeAt: z.iso.datetime(), fingerprint: z.string() }).nullable(),
  places: z.array(backupPlace),
  /** Expected size of a backup, bytes. */
  expectedBytes: z.number(),
  schedule: backupSchedule.nullable(),
  nextAt: z.iso.datetime().nullable(),
  /** The newest backup that was completed. */
  lastGood: backupRun.nullable(),
  running: z
    .object({
      run: backupRun,
      phase: z.enum(['writing', 'verifying']),
      bytesPerSecond: z.number().nullable(),
    })
    .nullable(),
  /** Newest first. */
  runs: z.array(backupRun),
});
export type BackupState = z.infer<typeof backupState>;

/** The state of the backups for the overview and the System status screen. */
export const backupSummary = z.object({
  /** When the key was made that opens the backups; null: there is none, so no backup can be made. */
  keyMadeAt: z.iso.datetime().nullable(),
  /** When the newest completed backup ended; null: none was completed. */
  lastGoodAt: z.iso.datetime().nullable(),
  /** Whether the newest backup failed. */
  failed: z.boolean(),
  /** When the schedule makes the next backup; null: there is no schedule. */
  nextAt: z.iso.datetime().nullable(),
});
export type BackupSummary = z.infer<typeof backupSummary>;

export const backupRequest = z.object({ place: z.string().min(1).max(4096) });
export const backupScheduleRequest = z.object({ schedule: backupSchedule.nullable() });

/** A new backup key, shown once. It becomes the key of later backups with `PUT /backup/key`. */
export const draftedBackupKey = z.object({
  text: z.string(),
  /** 64 hexadecimal digits. */
  publicKey: z.string(),
  fingerprint: z.string(),
});
export const backupKeyRequest = z.object({
  publicKey: z.string().regex(/^[0-9a-f]{64}$/),
  /** Fingerprint of the key that it replaces; null: there is none. */
  replaces: z.string().nullable(),
});
export const backupKeyCheckRequest = z.object({ key: z.string().min(1).max(200) });
/** `mistyped`: no backup key. `other`: the key of other backups, with its fingerprint. */
export const backupKeyCheck = z.object({
  result: z.enum(['right', 'other', 'mistyped']),
  fingerprint: z.string().nullable(),
});
export type BackupKeyCheck = z.infer<typeof backupKeyCheck>;

/** The dashboard's operations. */
export const backupApi = {
  state: poll('/backup', 'system:read', { answer: backupState }),
  start: post('/backup/run', 'backups:write', { body: backupRequest, answer: backupState }),
  cancel: remove('/backup/run', 'backups:write', { answer: backupState }),
  setSchedule: put('/backup/schedule', 'backups:write', { body: backupScheduleRequest, answer: backupState }),
  announceDownload: post('/backup/download', 'backups:write'),
  download: get('/backup/file', 'backups:write'),
  draftKey: post('/backup/key/draft', 'backups:write', { answer: draftedBackupKey }),
  setKey: put('/backup/key', 'backups:write', { body: backupKeyRequest, answer: backupState }),
  checkKey: post('/backup/key/check', 'backups:write', {
    body: backupKeyCheckRequest,
    answer: backupKeyCheck,
  }),
};
