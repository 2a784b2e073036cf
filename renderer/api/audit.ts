import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { auditPage, auditState, auditVerdict, type AuditFilter } from '../../core/contracts/audit.ts';
import { requestJson, fetchFile, queryString } from './client.ts';

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

export const auditStateQuery = queryOptions({
  queryKey: ['audit', 'state'],
  queryFn: ({ signal }) => requestJson('GET', '/audit/state', auditState, { signal }),
});

export const verifyAudit = () => requestJson('POST', '/audit/verify', auditVerdict);
export const anchorAudit = () => requestJson('POST', '/audit/anchor', auditState);

export const exportAudit = (filter: AuditFilter, format: 'csv' | 'jsonl') =>
  fetchFile(`/audit/export${queryString({ ...filter, format })}`);
