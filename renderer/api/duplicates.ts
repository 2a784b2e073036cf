import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  decisionAnswer,
  duplicateCounts,
  duplicateRun,
  duplicateRunPage,
  duplicateRunPlan,
  groupDetail,
  groupPage,
  sample,
  sampleAccepted,
  sampleResult,
  sampleUndone,
  type DuplicateRunChange,
  type DuplicateRunRequest,
  type GroupDecisionRequest,
  type GroupFilter,
  type GroupQuery,
  type PersonDecision,
  type SampleRequest,
} from '../../core/contracts/dashboard/duplicates.ts';
import type { SearchReportRequest } from '../../core/contracts/dashboard/search.ts';
import { queryString, requestFile, requestJson } from './client.ts';

const PROGRESS_EVERY = 1_000;

/** The newest searches, and the one that has not ended. */
export const duplicateRunsQuery = queryOptions({
  queryKey: ['duplicates', 'runs'],
  queryFn: ({ signal }) =>
    requestJson('GET', `/duplicates/runs${queryString({ limit: 1 })}`, duplicateRunPage, { signal }),
  refetchInterval: ({ state }) => (state.data?.current?.state === 'running' ? PROGRESS_EVERY : false),
});

export const duplicateCountsQuery = queryOptions({
  queryKey: ['duplicates', 'counts'],
  queryFn: ({ signal }) => requestJson('GET', '/duplicates/counts', duplicateCounts, { signal }),
});

/**
 * The work and the expected chance pairs of a search. It measures random pairs, so that it takes some seconds with a
 * large gallery.
 */
export const duplicatePlanQuery = (request: DuplicateRunRequest) =>
  queryOptions({
    queryKey: ['duplicatePlan', request],
    queryFn: ({ signal }) =>
      requestJson('POST', '/duplicates/plan', duplicateRunPlan, { body: request, signal }),
    staleTime: 30_000,
  });

export const startDuplicateRun = (request: DuplicateRunRequest) =>
  requestJson('POST', '/duplicates/runs', duplicateRun, { body: request });

export const changeDuplicateRun = (id: number, change: DuplicateRunChange) =>
  requestJson('POST', `/duplicates/runs/${id}/${change}`, duplicateRun);

export const groupsQuery = (filter: GroupQuery) =>
  infiniteQueryOptions({
    queryKey: ['duplicates', 'groups', filter],
    queryFn: ({ pageParam, signal }) =>
      requestJson('GET', `/duplicates/groups${queryString({ ...filter, cursor: pageParam })}`, groupPage, {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** How many groups a filter leaves. */
export const groupCountQuery = (filter: GroupFilter) =>
  queryOptions({
    queryKey: ['duplicates', 'groupCount', filter],
    queryFn: ({ signal }) =>
      requestJson('GET', `/duplicates/groups${queryString({ ...filter, limit: 1 })}`, groupPage, { signal }),
  });

export const groupQueryById = (id: number) =>
  queryOptions({
    queryKey: ['duplicates', 'group', id],
    queryFn: ({ signal }) => requestJson('GET', `/duplicates/groups/${id}`, groupDetail, { signal }),
  });

export const decideGroup = (id: number, request: GroupDecisionRequest) =>
  requestJson('POST', `/duplicates/groups/${id}/decisions`, decisionAnswer, { body: request });

export const undoDecision = (id: number) =>
  requestJson('POST', `/duplicates/decisions/${id}/undo`, decisionAnswer, { body: {} });

export const drawSample = (request: SampleRequest) =>
  requestJson('POST', '/duplicates/samples', sample, { body: request });

/** @param answers all answers so far, in the order of the pairs */
export const answerSample = (id: string, answers: readonly PersonDecision[]) =>
  requestJson('POST', `/duplicates/samples/${id}/answers`, sampleResult, { body: { answers } });

export const acceptSample = (id: string) =>
  requestJson('POST', `/duplicates/samples/${id}/accept`, sampleAccepted, { body: {} });

export const undoSample = (id: string) =>
  requestJson('POST', `/duplicates/samples/${id}/undo`, sampleUndone, { body: {} });

export const exportGroups = (filter: GroupFilter) => requestFile('/duplicates/export', { filter });

export const reportGroup = (id: number, language: SearchReportRequest['language']) =>
  requestFile(`/duplicates/groups/${id}/report`, { language });
