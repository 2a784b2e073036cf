import { z } from 'zod';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { systemState } from '../../core/contracts/dashboard/system.ts';
import { healthReport } from '../../core/contracts/diagnostics.ts';
import { companyProfile, type CompanyPatch } from '../../core/contracts/dashboard/company.ts';
import { limitState, type LimitChange } from '../../core/contracts/limits/limitShapes.ts';
import {
  backupKeyCheck,
  backupState,
  draftedBackupKey,
  type BackupSchedule,
} from '../../core/contracts/dashboard/backups.ts';
import { pipelineState, refusedFacePage, type PipelineStep } from '../../core/contracts/pipelines.ts';
import { activity, overview } from '../../core/contracts/dashboard/overview.ts';
import { auditPage, auditState, auditVerdict, type AuditFilter } from '../../core/contracts/audit.ts';
import { readQuery, requestJson, pagesQuery, queryString, fetchFile } from './client.ts';

/** Below the queue's key, so that an invalidation of the queue refetches this query too. */
export const systemQuery = readQuery(['queue', 'system'], '/system', systemState);

/** The service keeps a report for ten minutes; so may the screen. */
export const healthQuery = readQuery(['health'], '/system/health', healthReport, {
  staleTime: 10 * 60_000,
});
export const checkHealth = () => requestJson('GET', '/system/health?fresh=1', healthReport);

export const limitsQuery = readQuery(['settings'], '/settings', limitState);
export const changeLimits = (change: LimitChange) =>
  requestJson('PATCH', '/settings', limitState, { body: { change } });

export const companyQuery = readQuery(['company'], '/company', companyProfile);
export const changeCompany = (change: CompanyPatch) =>
  requestJson('PATCH', '/company', companyProfile, { body: change });

/** Under the queue's key: the live updates that refresh the queue refresh the backups, too. */
export const backupQuery = readQuery(['queue', 'backup'], '/backup', backupState, {
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

export const pipelinesQuery = readQuery(['pipelines', 'state'], '/pipelines', pipelineState);
export const extractionFailuresQuery = pagesQuery(
  ['pipelines', 'refused'],
  refusedFacePage,
  (cursor) => `/pipelines/refused${queryString({ cursor })}`,
);

/** Describes everybody by the pipeline of this name, in the background. */
export const choosePipeline = (name: string) =>
  requestJson('POST', '/pipelines/use', pipelineState, { body: { name } });
export const changePipeline = (step: PipelineStep) =>
  requestJson('POST', '/pipelines/change', pipelineState, { body: { step } });

/** The numbers of the first page. @param since when the reader's day began, ISO 8601 */
export const overviewQuery = (since: string) =>
  readQuery(['overview', since], `/overview${queryString({ since })}`, overview);

/**
 * The days of the chart. They are over, so the service counts them at most every ten minutes.
 * @param from when each day began, oldest first, ISO 8601. @param until when the last one ended
 */
export const activityQuery = (from: readonly string[], until: string) =>
  readQuery(
    ['activity', until],
    `/overview/activity${queryString({ from: from.join(','), until })}`,
    activity,
    {
      staleTime: 10 * 60_000,
    },
  );

const PER_PAGE = 200;

export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', 'entries', filter],
    queryFn: ({ pageParam, signal }) =>
      requestJson(
        'GET',
        `/audit${queryString({ ...filter, limit: PER_PAGE, before: pageParam })}`,
        auditPage,
        {
          signal,
        },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.nextBefore ?? undefined,
  });
}

export const auditStateQuery = readQuery(['audit', 'state'], '/audit/state', auditState);

export const verifyAudit = () => requestJson('POST', '/audit/verify', auditVerdict);
export const anchorAudit = () => requestJson('POST', '/audit/anchor', auditState);

export const exportAudit = (filter: AuditFilter, format: 'csv' | 'jsonl') =>
  fetchFile(`/audit/export${queryString({ ...filter, format })}`);
