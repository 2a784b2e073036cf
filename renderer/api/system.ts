import { systemApi } from '../../core/contracts/dashboard/system.ts';
import { settingsApi, type CompanyPatch } from '../../core/contracts/dashboard/company.ts';
import { backupApi, type BackupSchedule } from '../../core/contracts/dashboard/backups.ts';
import { pipelineApi, type PipelineStep } from '../../core/contracts/pipelines.ts';
import { overviewApi } from '../../core/contracts/dashboard/overview.ts';
import { auditApi, type AuditFilter } from '../../core/contracts/audit.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { LimitChange } from '../../core/contracts/limits/limitShapes.ts';
import { readQuery, ask, pagesQuery, requestFile } from './client.ts';

/** Below the queue's key, so that an invalidation of the queue refetches this query too. */
export const systemQuery = readQuery(['queue', 'system'], systemApi.state);

/** The service keeps a report for ten minutes; so may the screen. */
export const healthQuery = readQuery(['health'], systemApi.health, { staleTime: 10 * 60_000 });
export const checkHealth = () => ask(systemApi.health, { query: { fresh: 1 } });

export const limitsQuery = readQuery(['settings'], settingsApi.limits);
export const changeLimits = (change: LimitChange) => ask(settingsApi.changeLimits, { body: { change } });

export const companyQuery = readQuery(['company'], settingsApi.company);
export const changeCompany = (change: CompanyPatch) => ask(settingsApi.changeCompany, { body: change });

/** Under the queue's key: the live updates that refresh the queue refresh the backups, too. */
export const backupQuery = readQuery(['queue', 'backup'], backupApi.state, {
  refetchInterval: ({ state }) => (state.data?.running == null ? 60_000 : 1_000),
});

export const startBackup = (place: string) => ask(backupApi.start, { body: { place } });
export const cancelBackup = () => ask(backupApi.cancel);
export const setBackupSchedule = (schedule: BackupSchedule | null) =>
  ask(backupApi.setSchedule, { body: { schedule } });

/** Lets the browser save a new backup. The file streams to the disk and is never held in the page. */
export async function downloadBackup(): Promise<void> {
  await ask(backupApi.announceDownload);
  const link = document.createElement('a');
  link.href = '/api/dashboard/backup/file';
  link.download = '';
  link.click();
}

export const draftBackupKey = () => ask(backupApi.draftKey);
export const setBackupKey = (request: { publicKey: string; replaces: string | null }) =>
  ask(backupApi.setKey, { body: request });
export const checkBackupKey = (key: string) => ask(backupApi.checkKey, { body: { key } });

export const pipelinesQuery = readQuery(['pipelines', 'state'], pipelineApi.state);
export const extractionFailuresQuery = pagesQuery(
  ['pipelines', 'refused'],
  pipelineApi.refused,
  (cursor) => ({ query: { cursor } }),
);

/** Describes everybody by the pipeline of this name, in the background. */
export const choosePipeline = (name: string) => ask(pipelineApi.use, { body: { name } });
export const changePipeline = (step: PipelineStep) => ask(pipelineApi.change, { body: { step } });

/** The numbers of the first page. @param since when the reader's day began, ISO 8601 */
export const overviewQuery = (since: string) =>
  readQuery(['overview', since], overviewApi.read, { query: { since } });

/**
 * The days of the chart. They are over, so the service counts them at most every ten minutes.
 * @param from when each day began, oldest first, ISO 8601. @param until when the last one ended
 */
export const activityQuery = (from: readonly string[], until: string) =>
  readQuery(['activity', until], overviewApi.activity, {
    query: { from: from.join(','), until },
    staleTime: 10 * 60_000,
  });

const PER_PAGE = 200;

export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', 'entries', filter],
    queryFn: ({ pageParam, signal }) =>
      ask(auditApi.list, { query: { ...filter, limit: PER_PAGE, before: pageParam }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.nextBefore ?? undefined,
  });
}

export const auditStateQuery = readQuery(['audit', 'state'], auditApi.state);

export const verifyAudit = () => ask(auditApi.verify);
export const anchorAudit = () => ask(auditApi.anchor);

export const exportAudit = (filter: AuditFilter, format: 'csv' | 'jsonl') =>
  requestFile(auditApi.export, { query: { ...filter, format } });
export const exportUse = ({ from, to }: AuditFilter, format: 'csv' | 'pdf', language: string) =>
  requestFile(auditApi.use, { query: { from, to, format, language } });
