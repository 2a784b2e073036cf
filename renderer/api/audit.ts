import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { auditPage, auditState, auditVerdict, type AuditFilter } from '../../core/contracts/audit.ts';
import { ask, fetchFile, queryString } from './client.ts';

const PER_PAGE = 200;

export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', 'entries', filter],
    queryFn: ({ pageParam, signal }) =>
      ask('GET', `/audit${queryString({ ...filter, limit: PER_PAGE, before: pageParam })}`, auditPage, {
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.nextBefore ?? undefined,
  });
}

export const auditStateQuery = queryOptions({
  queryKey: ['audit', 'state'],
  queryFn: ({ signal }) => ask('GET', '/audit/state', auditState, { signal }),
});

export const verifyAudit = () => ask('POST', '/audit/verify', auditVerdict);
export const anchorAudit = () => ask('POST', '/audit/anchor', auditState);

export const exportAudit = (filter: AuditFilter, format: 'csv' | 'jsonl') =>
  fetchFile(`/audit/export${queryString({ ...filter, format })}`);
