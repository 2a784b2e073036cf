import {
  personApi,
  type PersonChange,
  type PersonMerge,
  type PersonMove,
  type PersonQuery,
  type PersonRow,
  type PersonSplit,
} from '../../core/contracts/dashboard/persons.ts';
import { specimenApi } from '../../core/contracts/persons.ts';
import {
  erasureApi,
  type ErasureRequest,
  type ErasureSelection,
  type SignedReceipt,
} from '../../core/contracts/erasure.ts';
import {
  duplicateApi,
  type DuplicateRunChange,
  type DuplicateRunRequest,
  type GroupDecisionRequest,
  type GroupFilter,
  type GroupQuery,
  type PersonDecision,
  type SampleRequest,
} from '../../core/contracts/dashboard/duplicates.ts';
import { queryOptions } from '@tanstack/react-query';
import type { RetentionRules } from '../../core/contracts/retention.ts';
import type { SearchReportRequest } from '../../core/contracts/dashboard/search.ts';
import { pagesQuery, readQuery, ask, requestFile } from './client.ts';

export const personsQuery = (filter: PersonQuery) =>
  pagesQuery(['persons', 'list', filter], personApi.list, (cursor) => ({ query: { ...filter, cursor } }));

export const personQueryById = (id: number) =>
  readQuery(['persons', 'one', id], personApi.read, { params: { id } });

export const changePerson = (id: number, change: PersonChange) =>
  ask(personApi.change, { params: { id }, body: change });

/** The photos of the source come to the target. */
export const mergePersons = (target: number, source: number, merge: PersonMerge) =>
  ask(personApi.merge, { params: { id: target, source }, body: merge });

export const splitPerson = (id: number, split: PersonSplit) =>
  ask(personApi.split, { params: { id }, body: split });

export const moveFaces = (id: number, move: PersonMove) =>
  ask(personApi.move, { params: { id }, body: move });

/** Reads the persons that were made last and have several photos. @param wanted so many at least, if a search of 2,000 finds them */
export async function personsWithPhotos(wanted: number): Promise<PersonRow[]> {
  const found: PersonRow[] = [];
  for (let page = 0, cursor: string | undefined; page < 10 && found.length < wanted; page += 1) {
    const { items, nextCursor } = await ask(personApi.list, {
      query: { order: 'newest', limit: 200, cursor },
    });
    found.push(...items.filter(({ faces }) => faces > 1));
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return found;
}

export const alikeQuery = (id: number) =>
  readQuery(['persons', 'alike', id], personApi.alike, { params: { id } });

export const specimensQuery = (person: number) =>
  readQuery(['persons', 'specimens', person], specimenApi.list, { params: { id: person } });

/** Stores an image as a specimen. @param image data URI of a JPEG or PNG */
export const addSpecimen = (person: number, image: string) =>
  ask(specimenApi.add, { params: { id: person }, body: { image } });

export const eraseSpecimen = (person: number, specimen: number) =>
  ask(specimenApi.erase, { params: { id: person, specimen } });

/** All specimens of a person with their images. The audit log records that they were loaded for a comparison. */
export const loadSpecimens = (person: number) => ask(specimenApi.use, { params: { id: person } });

/** Address of the image; each reading is recorded in the audit log. */
export const specimenUrl = (person: number, specimen: number) =>
  `/api/dashboard/persons/${person}/specimens/${specimen}/image`;

/** Where the aligned face of an enrolled photo is. */
export const faceThumbnailUrl = (face: number) => `/api/dashboard/faces/${face}/thumbnail`;

export const planErasure = (choice: ErasureSelection) => ask(erasureApi.plan, { body: { choice } });
export const erasePerson = (request: ErasureRequest) => ask(erasureApi.erase, { body: request });

export const erasuresQuery = readQuery(['erasures', 'list'], erasureApi.list);
export const receiptQuery = (id: string) =>
  readQuery(['erasures', 'receipt', id], erasureApi.receipt, { params: { id } });
export const verifyReceipt = (receipt: SignedReceipt) => ask(erasureApi.verify, { body: receipt });
export const receiptReport = (id: string, language: string) =>
  requestFile(erasureApi.report, { params: { id }, body: { language } });

export const retentionQuery = readQuery(['retention'], erasureApi.retention);
export const previewRetention = (rules: RetentionRules) =>
  ask(erasureApi.previewRetention, { body: { rules } });
export const setRetention = (rules: RetentionRules, code: string) =>
  ask(erasureApi.setRetention, { body: { rules, code } });

const PROGRESS_EVERY = 1_000;

/** The newest searches, and the one that has not ended. */
export const duplicateRunsQuery = readQuery(['duplicates', 'runs'], duplicateApi.runs, {
  query: { limit: 1 },
  refetchInterval: ({ state }) => (state.data?.current?.state === 'running' ? PROGRESS_EVERY : false),
});

export const duplicateCountsQuery = readQuery(['duplicates', 'counts'], duplicateApi.counts);

/**
 * The work and the expected chance pairs of a search. It measures random pairs, so that it takes some seconds with a
 * large gallery.
 */
export const duplicatePlanQuery = (request: DuplicateRunRequest) =>
  queryOptions({
    queryKey: ['duplicatePlan', request],
    queryFn: ({ signal }) => ask(duplicateApi.plan, { body: request, signal }),
    staleTime: 30_000,
  });

export const startDuplicateRun = (request: DuplicateRunRequest) =>
  ask(duplicateApi.startRun, { body: request });

export const changeDuplicateRun = (id: number, change: DuplicateRunChange) =>
  ask(duplicateApi.changeRun(change), { params: { id } });

export const groupsQuery = (filter: GroupQuery) =>
  pagesQuery(['duplicates', 'groups', filter], duplicateApi.groups, (cursor) => ({
    query: { ...filter, cursor },
  }));

/** How many groups a filter leaves. */
export const groupCountQuery = (filter: GroupFilter) =>
  readQuery(['duplicates', 'groupCount', filter], duplicateApi.groups, { query: { ...filter, limit: 1 } });

export const groupQueryById = (id: number) =>
  readQuery(['duplicates', 'group', id], duplicateApi.group, { params: { id } });

export const decideGroup = (id: number, request: GroupDecisionRequest) =>
  ask(duplicateApi.decide, { params: { id }, body: request });

export const undoDecision = (id: number) => ask(duplicateApi.undo, { params: { id } });

export const drawSample = (request: SampleRequest) => ask(duplicateApi.drawSample, { body: request });

/** @param answers all answers so far, in the order of the pairs */
export const answerSample = (id: string, answers: readonly PersonDecision[]) =>
  ask(duplicateApi.answerSample, { params: { id }, body: { answers } });

export const acceptSample = (id: string) => ask(duplicateApi.acceptSample, { params: { id } });

export const undoSample = (id: string) => ask(duplicateApi.undoSample, { params: { id } });

export const exportGroups = (filter: Omit<GroupQuery, 'cursor' | 'limit'>) =>
  requestFile(duplicateApi.export, { body: { filter } });

export const reportGroup = (id: number, language: SearchReportRequest['language']) =>
  requestFile(duplicateApi.report, { params: { id }, body: { language } });
