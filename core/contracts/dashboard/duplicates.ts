/** Duplicates among the enrolled faces: runs that find near pairs, and the groups that are proposed from them. */
import { z } from 'zod';
import { displayLine } from '../displayLine.ts';
import { RUN_SOURCES } from './enrolmentRuns.ts';
import { pathId } from '../ids.ts';
import { faceImage, reading } from './faceImages.ts';
import { REPORT_LANGUAGES } from './search.ts';
import { poll, post } from './operation.ts';

const count = z.number().int();
const page = {
  cursor: z.string().max(400).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
};

/** `all`: every pair; `new`: faces that no finished run has compared, against all. */
export const DUPLICATE_RUN_MODES = ['all', 'new'] as const;
export type DuplicateRunMode = (typeof DUPLICATE_RUN_MODES)[number];
export const DUPLICATE_RUN_STATES = ['running', 'paused', 'done', 'failed', 'cancelled'] as const;
export type DuplicateRunState = (typeof DUPLICATE_RUN_STATES)[number];

/** The people enrolled once of whom one may be proposed by chance; the false positive identification rate is one in so many. */
export const PEOPLE_PER_FALSE_ALARM = { least: 10, most: 1_000_000, usual: 1_000 } as const;

/** The faces that a run compares. The enrolled faces always belong to them. */
export const duplicateRunRequest = z.object({
  mode: z.enum(DUPLICATE_RUN_MODES).default('all'),
  /** Faces of these blacklists are compared, too. */
  blacklists: z.array(pathId.blacklist).max(500).default([]),
  oneIn: z
    .number()
    .int()
    .min(PEOPLE_PER_FALSE_ALARM.least)
    .max(PEOPLE_PER_FALSE_ALARM.most)
    .default(PEOPLE_PER_FALSE_ALARM.usual),
});
export type DuplicateRunRequest = z.input<typeof duplicateRunRequest>;

/** Near pairs of different people that are expected among all the compared pairs, with a 95 % interval. */
const expectedPairs = z.object({
  pairs: z.number(),
  low: z.number(),
  high: z.number(),
  /** The rate lies beyond the rates that the random pairs of this gallery can measure. */
  extrapolated: z.boolean(),
});

/** `POST /duplicates/plan`, the request of a run: what the run would do. Nothing is started. */
export const duplicateRunPlan = z.object({
  /** Faces that the run compares with all others, and all the faces of its lists. */
  faces: count,
  allFaces: count,
  /** Pairs of faces. */
  comparisons: z.number(),
  /** Of this many people enrolled once about one would be proposed; of this company about so many. */
  oneIn: count,
  falseAlarms: z.number(),
  /** Null: fewer than two faces. */
  expected: expectedPairs.nullable(),
  /** Random pairs of this gallery that were measured. */
  measuredPairs: count,
  /** By the speed of this machine; null: unknown. */
  seconds: z.number().nullable(),
});
export type DuplicateRunPlan = z.infer<typeof duplicateRunPlan>;

export const duplicateRun = z.object({
  id: count,
  mode: z.enum(DUPLICATE_RUN_MODES),
  state: z.enum(DUPLICATE_RUN_STATES),
  /** Blacklists whose faces were compared, too. */
  blacklists: z.array(z.object({ id: count, name: z.string() })),
  oneIn: count,
  /** Pairs of at least this similarity are near pairs, 0 to 100. Null: the tail is being measured. */
  nearFrom: z.number().nullable(),
  pipelineId: z.string(),
  /** Faces to compare, and how many of them were. */
  faces: count,
  compared: count,
  /** Near pairs found, and how many of them are of identical photos. */
  pairs: count,
  identical: count,
  /** Faces with more near pairs than are kept of one face. */
  truncated: count,
  /** Null: the tail is being measured. */
  expected: expectedPairs.nullable(),
  /** Null: unknown, or not running. */
  facesPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** An account, as the audit log writes it, and its name today. */
  startedBy: z.string(),
  startedByName: z.string().nullable(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** Why it failed. */
  problem: z.enum(['PIPELINE_CHANGED']).nullable(),
});
export type DuplicateRun = z.infer<typeof duplicateRun>;

/** `GET /duplicates/runs`, newest first. `cursor` is the last id of the page before. */
export const duplicateRunQuery = z.object({ ...page, cursor: pathId.duplicateRun.optional() });
export const duplicateRunPage = z.object({
  items: z.array(duplicateRun),
  nextCursor: z.string().nullable(),
  /** Faces that no finished run has compared. */
  newFaces: count,
  /** The run that has not ended. `POST /duplicates/runs/{id}/{pause|resume|cancel}` changes it. */
  current: duplicateRun.nullable(),
});
export type DuplicateRunPage = z.infer<typeof duplicateRunPage>;
export const DUPLICATE_RUN_CHANGES = ['pause', 'resume', 'cancel'] as const;
export type DuplicateRunChange = (typeof DUPLICATE_RUN_CHANGES)[number];

export const GROUP_STATES = [
  'proposed',
  'partlyDecided',
  'awaitingConfirmation',
  'accepted',
  'rejected',
  'deferred',
  'superseded',
] as const;
export type GroupState = (typeof GROUP_STATES)[number];

/** How a face was enrolled: as photos of an enrolment run are, or by a verification. */
export const FACE_SOURCES = [...RUN_SOURCES, 'verification'] as const;
export type DuplicateFaceSource = (typeof FACE_SOURCES)[number];

export const PERSON_DECISIONS = ['same', 'different', 'unsure'] as const;
export type PersonDecision = (typeof PERSON_DECISIONS)[number];

/** An enrolled face with its source for the reviewer. */
export const listedFace = z.object({
  id: count,
  name: z.string(),
  faceImage,
  /** Null: a face of duplicate detection. */
  blacklist: z.object({ id: count, name: z.string() }).nullable(),
  source: z.enum(FACE_SOURCES),
  /** The folder or file that it was enrolled from; null: none was declared. */
  runName: z.string().nullable(),
  enrolledAt: z.iso.datetime(),
  trustValidationId: count.nullable(),
  person: z.object({ id: count, name: z.string() }).nullable(),
});
export type ListedFace = z.infer<typeof listedFace>;

const groupRow = z.object({
  id: count,
  /** Rises with every change; a decision names the version that the operator saw. */
  version: count,
  state: z.enum(GROUP_STATES),
  /** All its photos are the same bytes. */
  identical: z.boolean(),
  /** Of the near pairs that are as similar as this group's least similar link, the share that chance does not explain: 0 to 1. */
  certainty: z.number().min(0).max(1),
  /** Of its least similar pair. */
  reading,
  size: count,
  /** The first faces by id, at most {@link GROUP_LISTED}.row. */
  faces: z.array(listedFace),
  createdAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
});
export type GroupRow = z.infer<typeof groupRow>;

/** A certainty as percent, cut and not rounded. `isMore`: it is the highest that is stated, so the certainty is above. */
export function certaintyPercent(certainty: number): { percent: number; isMore: boolean } {
  const percent = Math.min(99.9, Math.floor(certainty * 1000) / 10);
  return { percent, isMore: percent === 99.9 };
}

/** How much of a group an answer lists. */
export const GROUP_LISTED = { row: 4, faces: 500, pairs: 1_000 } as const;

/** The states of groups that wait for a decision. */
export const OPEN_GROUPS = ['proposed', 'partlyDecided', 'awaitingConfirmation', 'deferred'] as const;
/** `open`: those of {@link OPEN_GROUPS}. */
const GROUP_FILTERS = ['open', ...GROUP_STATES] as const;
export const GROUP_ORDERS = ['certainty', 'size', 'newest'] as const;
export type GroupOrder = (typeof GROUP_ORDERS)[number];
const groupFilter = z.object({
  state: z.enum(GROUP_FILTERS).default('open'),
  /** Groups with a face of this list: the id of a blacklist, or `main` for duplicate detection. */
  list: z.union([z.literal('main'), pathId.blacklist]).optional(),
  /** Groups with a face of this source. */
  source: z.enum(FACE_SOURCES).optional(),
  /** Groups with a face enrolled at or after `from` and before `until`. */
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  /** Groups of at least this certainty. */
  certainty: z.coerce.number().min(0).max(1).optional(),
  /** Only groups of identical photos, or none of them. */
  identical: z.enum(['only', 'none']).optional(),
  /** Part of the name of a face. */
  text: z.string().max(200).optional(),
});
/** `GET /duplicates/groups`. By certainty: the most certain first, then the largest, then the lowest id. */
const orderedGroups = groupFilter.extend({ order: z.enum(GROUP_ORDERS).default('certainty') });
export const groupQuery = orderedGroups.extend(page);
export type GroupQuery = z.infer<typeof groupQuery>;
export type GroupFilter = z.infer<typeof groupFilter>;
export const groupPage = z.object({
  items: z.array(groupRow),
  nextCursor: z.string().nullable(),
  /** All groups that the filter leaves. */
  total: count,
});

const decisionRow = z.object({
  id: count,
  decision: z.enum(PERSON_DECISIONS),
  /** The faces that the decision is about; of a whole group all. */
  faces: z.array(count),
  /** An account, as the audit log writes it, and its name today. */
  by: z.string(),
  byName: z.string().nullable(),
  at: z.iso.datetime(),
  reason: z.string().nullable(),
  /** Score of its least similar pair when it was made, null without that pipeline today; null: not measured. */
  measured: z.object({ score: z.number().nullable(), pipeline: z.string() }).nullable(),
  /** Null: the decision is still in force. */
  undoneAt: z.iso.datetime().nullable(),
  /** A second operator must confirm it before it takes effect. */
  awaitsConfirmation: z.boolean(),
});

const pair = z.object({
  first: count,
  second: count,
  reading,
  /** Both photos are the same bytes. */
  identical: z.boolean(),
  /** The decision in force. */
  decision: z.enum(PERSON_DECISIONS).nullable(),
});
export type GroupPair = z.infer<typeof pair>;

/** Why a near face or group was left out of a group. `tooFar`: one of the pairs is not similar enough. */
export const NOT_JOINED = ['tooFar', 'different', 'samePhoto', 'persons', 'externalIds'] as const;
export type NotJoined = (typeof NOT_JOINED)[number];

/** `GET /duplicates/groups/{id}`. */
export const groupDetail = groupRow.extend({
  /** By id, at most {@link GROUP_LISTED}.faces. */
  faces: z.array(listedFace),
  /** The least similar first, at most {@link GROUP_LISTED}.pairs. */
  pairs: z.array(pair),
  pairCount: count,
  /** Faces that are near a face of this group, and why they are not in it. */
  alsoNear: z.array(
    z.object({
      face: listedFace,
      /** Null: the face is in no group. */
      group: z.object({ id: count, version: count }).nullable(),
      /** Of the nearest pair of both. */
      reading,
      why: z.enum(NOT_JOINED),
    }),
  ),
  /** Newest first. */
  history: z.array(decisionRow),
});
export type GroupDetail = z.infer<typeof groupDetail>;

const reason = displayLine(1000).nullable().default(null);
const face = pathId.face;

/**
 * `POST /duplicates/groups/{id}/decisions`; 409 GROUP_CHANGED when the version is not the current one.
 * `group`: all its faces; `pair`: two faces of it; `split`: the named faces show one person, and the others of the group do
 * not show that person; `join`: this group and another one, or a face of no group, show the same person; `confirm`: a decision
 * that waits for a second operator.
 */
export const groupDecisionRequest = z.object({
  version: count,
  about: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('group') }),
    z.object({ kind: z.literal('pair'), first: face, second: face }),
    z.object({ kind: z.literal('split'), together: z.array(face).min(1).max(GROUP_LISTED.faces) }),
    z.object({
      kind: z.literal('join'),
      face,
      group: z.object({ id: pathId.duplicateGroup, version: count }).nullable(),
    }),
    z.object({ kind: z.literal('confirm'), decision: pathId.personDecision }),
  ]),
  /** Of a split, a join and a confirmation always `same`. */
  decision: z.enum(PERSON_DECISIONS),
  reason,
});
export type GroupDecisionRequest = z.input<typeof groupDecisionRequest>;

/** Also of `POST /duplicates/decisions/{id}/undo`. */
export const decisionAnswer = z.object({
  /** Undoes it. Null: it was an undo. */
  decisionId: count.nullable(),
  /** The group after the decision; null: it is superseded, or its faces are gone. */
  group: groupRow.nullable(),
  /** The person that the faces belong to now. */
  person: z.object({ id: count, name: z.string() }).nullable(),
});

/** Groups in a sample; `n` without an error bound the share of wrong groups at 3/n (95 %). */
export const SAMPLE_SIZES = [60, 150, 300] as const;
/** `POST /duplicates/samples`: a random sample of open groups of at least a certainty, mixed with pairs of different people. */
export const sampleRequest = z.object({
  filter: groupFilter.omit({ state: true }),
  certainty: z.number().min(0).max(1),
  size: z.literal([...SAMPLE_SIZES]),
});
export type SampleRequest = z.input<typeof sampleRequest>;
/** One pair of the sample as the operator sees it: no name, no similarity. */
const samplePair = z.object({
  index: count,
  thumbnails: z.tuple([z.string().nullable(), z.string().nullable()]),
});
export const sample = z.object({
  id: z.uuid(),
  expiresAt: z.iso.datetime(),
  /** Groups that a bulk accept would decide. */
  groups: count,
  pairs: z.array(samplePair),
});
export type Sample = z.infer<typeof sample>;
/** `POST /duplicates/samples/{id}/answers`: every answer in the order of the pairs; ends at the first error. */
export const sampleAnswers = z.object({ answers: z.array(z.enum(PERSON_DECISIONS)).min(1).max(1_000) });
export const sampleResult = z.object({
  /** `failed`: a pair of a group was not seen as the same person, or a pair of different people was. */
  state: z.enum(['open', 'clean', 'failed']),
  /** Groups of the sample that were confirmed. */
  confirmed: count,
  /** At most this share of the groups is wrong (95 %); null before the sample is complete. */
  bound: z.number().nullable(),
});
export type SampleResult = z.infer<typeof sampleResult>;
/** `POST /duplicates/samples/{id}/accept`: all the groups of a clean sample's filter are decided as `same`. */
export const sampleAccepted = z.object({
  accepted: count,
  /** Groups that changed since the sample was drawn and stay open. */
  changed: count,
});
/** `POST /duplicates/samples/{id}/undo`: the decisions of the bulk accept are undone, until the sample expires. */
export const sampleUndone = z.object({
  undone: count,
  /** Decisions that were undone one by one before, or that a later decision contradicts. */
  kept: count,
});

/** `GET /duplicates/counts`: what the overview shows. */
export const duplicateCounts = z.object({
  /** Proposed, and partly decided. */
  open: count,
  deferred: count,
  running: z.boolean(),
});

/** `POST /duplicates/export`: one line for each face of the groups, as comma-separated values. */
export const duplicateExport = z.object({ filter: orderedGroups });
export const DUPLICATE_FILE_COLUMNS = [
  'group',
  'state',
  'certainty',
  'identicalPhotos',
  'faces',
  'leastSimilar',
  'face',
  'name',
  'list',
  'source',
  'folder',
  'enrolled',
  'validation',
  'person',
  'personName',
] as const;
/** `POST /duplicates/groups/{id}/report`: a PDF. */
export const groupReportRequest = z.object({ language: z.enum(REPORT_LANGUAGES).default('en') });

const byId = z.object({ id: pathId.duplicateGroup });
const bySample = z.object({ id: z.uuid() });
/** The dashboard's operations. */
export const duplicateApi = {
  report: post('/duplicates/groups/:id/report', 'exports:create', { params: byId, body: groupReportRequest }),
  groups: poll('/duplicates/groups', 'duplicates:read', { query: groupQuery, answer: groupPage }),
  group: poll('/duplicates/groups/:id', 'duplicates:read', { params: byId, answer: groupDetail }),
  counts: poll('/duplicates/counts', 'duplicates:read', { answer: duplicateCounts }),
  export: post('/duplicates/export', 'exports:create', { body: duplicateExport }),
  decide: post('/duplicates/groups/:id/decisions', 'duplicates:review', {
    params: byId,
    body: groupDecisionRequest,
    answer: decisionAnswer,
  }),
  undo: post('/duplicates/decisions/:id/undo', 'duplicates:review', {
    params: z.object({ id: pathId.personDecision }),
    answer: decisionAnswer,
  }),
  runs: poll('/duplicates/runs', 'duplicates:read', { query: duplicateRunQuery, answer: duplicateRunPage }),
  plan: post('/duplicates/plan', 'duplicates:run', { body: duplicateRunRequest, answer: duplicateRunPlan }),
  startRun: post('/duplicates/runs', 'duplicates:run', { body: duplicateRunRequest, answer: duplicateRun }),
  changeRun: (change: DuplicateRunChange) =>
    post(`/duplicates/runs/:id/${change}`, 'duplicates:run', {
      params: z.object({ id: pathId.duplicateRun }),
      answer: duplicateRun,
    }),
  drawSample: post('/duplicates/samples', 'duplicates:review', { body: sampleRequest, answer: sample }),
  answerSample: post('/duplicates/samples/:id/answers', 'duplicates:review', {
    params: bySample,
    body: sampleAnswers,
    answer: sampleResult,
  }),
  acceptSample: post('/duplicates/samples/:id/accept', 'duplicates:review', {
    params: bySample,
    answer: sampleAccepted,
  }),
  undoSample: post('/duplicates/samples/:id/undo', 'duplicates:review', {
    params: bySample,
    answer: sampleUndone,
  }),
};
