import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  backupKeyCheck,
  backupState,
  draftedBackupKey,
  type BackupSchedule,
} from '../../core/contracts/dashboard/backups.ts';
import { requestJson } from './client.ts';

/** Under the queue's key: the live updates that refresh the queue refresh the backups, too. */
export const backupQuery = queryOptions({
  queryKey: ['queue', 'backup'],
  queryFn: ({ signal }) => requestJson('GET', '/backup', backupState, { signal }),
  refetchInterval: ({ state }) => (state.data?.running == null ? 60_000 : 1_000),
});

export const startBackup = (place: string) =>
  requestJson('POST', '/backup/run', backupState, { body: { place } });
export const cancelBackup = () => requestJson('DELETE', '/backup/run', backupState);
export const setBackupSchedule = (schedule: BackupSchedule | null) =>
  requestJson('PUT', '/backup/schedule', backupState, { body: { schedule } });

/** Lets the browser save a new backup. The file streams to the disk and is never held in the page. */
export async function downloadBackup(): Promise<void> {
  await requestJson('POST', '/backup/download', z.unknown());
  const link = document.createElement('a');
  link.href = '/api/dashboard/backup/file';
  link.download = '';
  link.click();
}

export const draftBackupKey = () => requestJson('POST', '/backup/key/draft', draftedBackupKey);
export const setBackupKey = (request: { publicKey: string; replaces: string | null }) =>
  requestJson('PUT', '/backup/key', backupState, { body: request });
export const checkBackupKey = (key: string) =>
  requestJson('POST', '/backup/key/check', backupKeyCheck, { body: { key } });
