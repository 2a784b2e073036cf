import { z } from 'zod';
import { queryOptions } from '@tanstack/react-query';
import {
  personDetail,
  personPage,
  personRow,
  personsAnswer,
  type PersonChange,
  type PersonMerge,
  type PersonMove,
  type PersonQuery,
  type PersonSplit,
} from '../../core/contracts/dashboard/persons.ts';
import { loadedSpecimens, personSpecimens, signatureSpecimen } from '../../core/contracts/persons.ts';
import {
  erasureAnswer,
  erasureList,
  receiptVerdict,
  type ErasureRequest,
  erasurePlan,
  signedReceipt,
  type ErasureSelection,
  type SignedReceipt,
} from '../../core/contracts/erasure.ts';
import { retentionPreview, type RetentionRules } from '../../core/contracts/retention.ts';
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
import { pagesQuery, queryString, readQuery, requestJson, requestFile } from './client.ts';

export const personsQuery = (filter: PersonQuery) =>
  pagesQuery(
    ['persons', 'list', filter],
    personPage,
    (cursor) => `/persons${queryString({ ...filter, cursor })}`,
  );

export const personQueryById = (id: number) =>
  readQuery(['persons', 'one', id], `/persons/${id}`, personDetail);

export const changePerson = (id: number, change: PersonChange) =>
  requestJson('PATCH', `/persons/${id}`, personRow, { body: change });

/** The photos of the source come to the target. */
export const mergePersons = (target: number, source: number, merge: PersonMerge) =>
  requestJson('POST', `/persons/${target}/merge/${source}`, personsAnswer, { body: merge });

export const splitPerson = (id: number, split: PersonSplit) =>
  requestJson('POST', `/persons/${id}/split`, personsAnswer, { body: split });

export const moveFace = (id: number, face: number, move: PersonMove) =>
  requestJson('POST', `/persons/${id}/move/${face}`, personsAnswer, { body: move });

export const specimensQuery = (person: number) =>
  readQuery(['persons', 'specimens', person], `/persons/${person}/specimens`, personSpecimens);

/** Stores an image as a specimen. @param image data URI of a JPEG or PNG */
export const addSpecimen = (person: number, image: string) =>
  requestJson('POST', `/persons/${person}/specimens`, signatureSpecimen, { body: { image } });

export const eraseSpecimen = (person: number, specimen: number) =>
  requestJson('DELETE', `/persons/${person}/specimens/${specimen}`, z.null());

/** All specimens of a person with their images. The audit log records that they were loaded for a comparison. */
export const loadSpecimens = (person: number) =>
  requestJson('POST', `/persons/${person}/specimens/use`, loadedSpecimens);

/** Address of the image; each reading is recorded in the audit log. */
export const specimenUrl = (person: number, specimen: number) =>
  `/api/dashboard/persons/${person}/specimens/${specimen}/image`;

/** Where the aligned face of an enrolled photo is. */
export const faceThumbnailUrl = (face: number) => `/api/dashboard/faces/${face}/thumbnail`;

export const planErasure = (choice: ErasureSelection) =>
  requestJson('POST', '/erasures/plan', erasurePlan, { body: { choice } });
export const erasePerson = (request: ErasureRequest) =>
  requestJson('POST', '/erasures', erasureAnswer, { body: request });

export const erasuresQuery = readQuery(['erasures', 'list'], '/erasures', erasureList);
export const receiptQuery = (id: string) =>
  readQuery(['erasures', 'receipt', id], `/erasures/${id}`, signedReceipt);
export const verifyReceipt = (receipt: SignedReceipt) =>
  requestJson('POST', '/erasures/verify', receiptVerdict, { body: receipt });
export const receiptReport = (id: string, language: string) =>
  requestFile(`/erasures/${id}/report`, { language });

export const retentionQuery = readQuery(['retention'], '/retention', retentionPreview);
export const previewRetention = (rules: RetentionRules) =>
  requestJson('POST', '/retention/preview', retentionPreview, { body: { rules } });
export const setRetention = (rules: RetentionRules, code: string) =>
  requestJson('PUT', '/retention', retentionPreview, { body: { rules, code } });

const PROGRESS_EVERY = 1_000;

/** The newest searches, and the one that has not ended. */
export const duplicateRunsQuery = readQuery(
  ['duplicates', 'runs'],
  `/duplicates/runs${queryString({ limit: 1 })}`,
  duplicateRunPage,
  {
    refetchInterval: ({ state }) => (state.data?.current?.state === 'running' ? PROGRESS_EVERY : false),
  },
);

export const duplicateCountsQuery = readQuery(
  ['duplicates', 'counts'],
  '/duplicates/counts',
  duplicateCounts,
);

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
  pagesQuery(
    ['duplicates', 'groups', filter],
    groupPage,
    (cursor) => `/duplicates/groups${queryString({ ...filter, cursor })}`,
  );

/** How many groups a filter leaves. */
export const groupCountQuery = (filter: GroupFilter) =>
  readQuery(
    ['duplicates', 'groupCount', filter],
    `/duplicates/groups${queryString({ ...filter, limit: 1 })}`,
    groupPage,
  );

export const groupQueryById = (id: number) =>
  readQuery(['duplicates', 'group', id], `/duplicates/groups/${id}`, groupDetail);

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
