/** Duplicate searches and groups of the interface that answers browser tests. */
import {
  DUPLICATE_FILE_COLUMNS,
  DUPLICATE_RUN_CHANGES,
  decisionAnswer,
  duplicateCounts,
  duplicateExport,
  duplicateRunPage,
  duplicateRunPlan,
  duplicateRunQuery,
  duplicateRunRequest,
  groupDecisionRequest,
  groupDetail,
  groupPage,
  groupQuery,
  groupReportRequest,
  sample,
  sampleAccepted,
  sampleAnswers,
  sampleRequest,
  sampleResult,
  sampleUndone,
  type DuplicateRun,
  type GroupDetail,
  type GroupRow,
  type PersonDecision,
  type ListedFace,
} from '../../core/contracts/dashboard/duplicates.ts';
import { at, BLACKLISTS, personName, faceImageOf, readingOf } from './fixtures.ts';

type Answer = [status: number, body: unknown];

/** The state that changes while a test uses the groups. */
export interface DuplicateState {
  /** Requests to decide, in order, as they arrived. */
  decisions: unknown[];
  /** The decision about each group, by the group's id; undone decisions are absent. */
  decided: Map<number, PersonDecision>;
  /** A group whose acceptance waits for a second operator, and who accepted it; null: none. */
  /** `photos`: of the first ones of the group only, as a split is. */
  awaiting: { group: number; by: string; photos?: number } | null;
  /** The group that another operator changes before the next decision about it arrives. */
  changedMeanwhile: number | null;
  /** Position of the pair of a sample that shows two people; null: none does. */
  wrongInSample: number | null;
  run: DuplicateRun;
}

export const RUN: DuplicateRun = {
  id: 7,
  mode: 'all',
  state: 'done',
  blacklists: [],
  oneIn: 1_000,
  nearFrom: 88.4,
  pipelineId: 'vouch-face-1',
  faces: 100_000,
  compared: 100_000,
  pairs: 1_240,
  identical: 31,
  truncated: 0,
  expected: { pairs: 60, low: 45, high: 78, extrapolated: true },
  facesPerSecond: null,
  secondsLeft: null,
  startedBy: 'operator:1',
  startedByName: 'Maren Holt',
  startedAt: at(-50),
  endedAt: at(-49),
  problem: null,
};

export const newDuplicateState = (): DuplicateState => ({
  decisions: [],
  decided: new Map(),
  awaiting: null,
  changedMeanwhile: null,
  wrongInSample: null,
  run: RUN,
});

/** The groups: how many faces, how certain, and the least similar pair. The first one is of identical photos. */
export const GROUPS = [
  { id: 301, size: 2, certainty: 1, score: 100 },
  { id: 302, size: 5, certainty: 0.998, score: 93.1 },
  { id: 303, size: 3, certainty: 0.994, score: 91.4 },
  { id: 304, size: 2, certainty: 0.951, score: 89.2 },
  { id: 305, size: 2, certainty: 0.62, score: 88.5 },
] as const;
const STATE_OF = { same: 'accepted', different: 'rejected', unsure: 'deferred' } as const;

export function faceOf(person: number, photo: number): ListedFace {
  const listed = photo === 3;
  return {
    id: person * 10 + photo,
    name: photo === 0 ? personName(person) : faceImageOf(person, photo).fileName,
    faceImage: faceImageOf(person, photo),
    blacklist: listed ? { id: BLACKLISTS[0]!.id, name: BLACKLISTS[0]!.name } : null,
    source: (['dashboard', 'program', 'verification', 'import'] as const)[photo % 4]!,
    runName: photo % 2 === 0 ? 'Gate photos' : null,
    enrolledAt: at(-4_000 + photo * 900),
    trustValidationId: listed ? null : 240_000 - person,
    person: null,
  };
}

function rowOf({ decided, awaiting }: DuplicateState, group: (typeof GROUPS)[number]): GroupRow {
  const { id, size, certainty, score } = group;
  const decision = decided.get(id);
  return {
    id,
    version: decision === undefined ? 1 : 2,
    state:
      decision !== undefined
        ? STATE_OF[decision]
        : awaiting?.group === id
          ? 'awaitingConfirmation'
          : 'proposed',
    identical: score === 100,
    certainty,
    reading: readingOf(score),
    size,
    faces: Array.from({ length: Math.min(size, 4) }, (_, photo) => faceOf(id % 100, photo)),
    createdAt: at(-49),
    changedAt: at(-49),
  };
}

function detailOf(state: DuplicateState, group: (typeof GROUPS)[number]): GroupDetail {
  const row = rowOf(state, group);
  const faces = Array.from({ length: row.size }, (_, photo) => faceOf(row.id % 100, photo));
  const pairs = faces.flatMap((second, position) =>
    faces.slice(0, position).map((first, other) => ({
      first: first.id,
      second: second.id,
      reading: readingOf(Math.min(100, row.reading.score + other + (row.size - 1 - position))),
      identical: row.identical,
      decision: state.decided.get(row.id) ?? null,
    })),
  );
  pairs.sort((one, other) => one.reading.score - other.reading.score);
  const decision = state.decided.get(row.id);
  return {
    ...row,
    faces,
    pairs,
    pairCount: pairs.length,
    alsoNear:
      row.size < 3
        ? []
        : [
            {
              face: faceOf((row.id % 100) + 40, 1),
              group: null,
              reading: readingOf(86.2),
              why: 'tooFar',
            },
          ],
    history:
      decision === undefined
        ? state.awaiting?.group === row.id
          ? [awaitingEntry(row.id, state.awaiting.by, faces.slice(0, state.awaiting.photos))]
          : []
        : [
            {
              id: row.id,
              decision,
              faces: faces.map(({ id }) => id),
              by: 'operator:1',
              byName: 'Maren Holt',
              at: at(2),
              reason: null,
              measured: { score: row.reading.score, pipeline: 'hse-faceres/1' },
              undoneAt: null,
              awaitsConfirmation: false,
            },
          ],
  };
}

function awaitingEntry(id: number, by: string, faces: readonly ListedFace[]): GroupDetail['history'][number] {
  return {
    id,
    by,
    byName: 'Maren Holt',
    decision: 'same',
    reason: 'The same passport',
    undoneAt: null,
    faces: faces.map((face) => face.id),
    at: at(1),
    measured: null,
    awaitsConfirmation: true,
  };
}

export function answerDuplicates(
  site: { behaviour: { rows: number }; duplicates: DuplicateState },
  route: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  const state = site.duplicates;
  const sent = (): unknown => JSON.parse(body.toString());
  return (
    answerDuplicateRuns(state, route, query, sent, site.behaviour.rows === 0) ??
    answerGroups(state, route, query, sent, site.behaviour.rows === 0) ??
    answerSamples(state, route, sent)
  );
}

function answerDuplicateRuns(
  state: DuplicateState,
  route: string,
  query: URLSearchParams,
  sent: () => unknown,
  empty: boolean,
): Answer | undefined {
  const current = state.run.state === 'running' || state.run.state === 'paused' ? state.run : null;
  if (route === 'GET /duplicates/runs') {
    duplicateRunQuery.parse(Object.fromEntries(query));
    const items = empty ? [] : [state.run];
    const newFaces = empty ? 0 : 412;
    return [
      200,
      duplicateRunPage.parse({ items, nextCursor: null, newFaces, current: empty ? null : current }),
    ];
  }
  if (route === 'GET /duplicates/counts') {
    const open = empty ? 0 : GROUPS.length - state.decided.size;
    const counts = { open, deferred: 0, running: current !== null };
    return [200, duplicateCounts.parse(counts)];
  }
  if (route === 'POST /duplicates/plan') {
    const { mode, oneIn } = duplicateRunRequest.parse(sent());
    const plan = {
      faces: mode === 'all' ? 100_000 : 412,
      allFaces: 100_000,
      comparisons: mode === 'all' ? 4_999_950_000 : 41_115_122,
      oneIn,
      falseAlarms: 100_000 / oneIn,
      expected: { pairs: 60_000 / oneIn, low: 45_000 / oneIn, high: 78_000 / oneIn, extrapolated: true },
      measuredPairs: 10_000_000,
      seconds: mode === 'all' ? 12 : 1,
    };
    return [200, duplicateRunPlan.parse(plan)];
  }
  if (route === 'POST /duplicates/runs') {
    const { mode, oneIn } = duplicateRunRequest.parse(sent());
    state.run = {
      ...RUN,
      id: 8,
      mode,
      oneIn,
      state: 'running',
      compared: 41_000,
      pairs: 480,
      endedAt: null,
      facesPerSecond: 8_300,
      secondsLeft: 7,
    };
    return [200, state.run];
  }
  const change = DUPLICATE_RUN_CHANGES.find(
    (name) => route === `POST /duplicates/runs/${state.run.id}/${name}`,
  );
  if (change === undefined) return undefined;
  if (current === null) return [409, { success: false, code: 'DUPLICATE_SEARCH_STATE' }];
  const next = { pause: 'paused', resume: 'running', cancel: 'cancelled' } as const;
  state.run = { ...state.run, state: next[change] };
  return [200, state.run];
}

function answerGroups(
  state: DuplicateState,
  route: string,
  query: URLSearchParams,
  sent: () => unknown,
  empty: boolean,
): Answer | undefined {
  if (route === 'GET /duplicates/groups') {
    const { state: wanted } = groupQuery.parse(Object.fromEntries(query));
    const rows = GROUPS.map((group) => rowOf(state, group)).filter((row) =>
      wanted === 'open' ? ['proposed', 'deferred'].includes(row.state) : row.state === wanted,
    );
    const items = empty ? [] : rows;
    return [200, groupPage.parse({ items, nextCursor: null, total: items.length })];
  }
  if (route === 'POST /duplicates/export') {
    duplicateExport.parse(sent());
    return [200, `${DUPLICATE_FILE_COLUMNS.join(',')}\n`];
  }
  const [, undone] = /^POST \/duplicates\/decisions\/(\d+)\/undo$/.exec(route) ?? [];
  if (undone !== undefined) {
    state.decided.delete(Number(undone));
    const group = GROUPS.find(({ id }) => id === Number(undone));
    const row = group === undefined ? null : rowOf(state, group);
    return [200, decisionAnswer.parse({ decisionId: null, group: row, person: null })];
  }
  const one = /^(GET|POST) \/duplicates\/groups\/(\d+)(\/decisions|\/report)?$/.exec(route);
  const group = GROUPS.find(({ id }) => id === Number(one?.[2]));
  if (one === null || group === undefined) return undefined;
  if (one[3] === undefined) return [200, groupDetail.parse(detailOf(state, group))];
  if (one[3] === '/report') {
    groupReportRequest.parse(sent());
    return [200, 'a report'];
  }
  const request = groupDecisionRequest.parse(sent());
  if (state.changedMeanwhile === group.id || request.version !== rowOf(state, group).version) {
    state.changedMeanwhile = null;
    return [409, { success: false, code: 'GROUP_CHANGED' }];
  }
  state.decisions.push({ group: group.id, ...request });
  state.decided.set(group.id, request.decision);
  return [
    200,
    decisionAnswer.parse({
      decisionId: group.id,
      group: rowOf(state, group),
      person: request.decision === 'same' ? { id: 21, name: personName(group.id % 100) } : null,
    }),
  ];
}

const SAMPLE = '2f0d7a52-1f0e-4c7c-9d9e-0a2b8f1c3d11';

function answerSamples(state: DuplicateState, route: string, sent: () => unknown): Answer | undefined {
  if (route === 'POST /duplicates/samples') {
    const { size } = sampleRequest.parse(sent());
    const pairs = Array.from({ length: Math.min(size, GROUPS.length) + 1 }, (_, index) => {
      const other = index === state.wrongInSample ? index + 1 : index;
      return { index, thumbnails: [faceImageOf(index).thumbnailUrl, faceImageOf(other, 1).thumbnailUrl] };
    });
    return [200, sample.parse({ id: SAMPLE, expiresAt: at(60), groups: GROUPS.length, pairs })];
  }
  if (route === `POST /duplicates/samples/${SAMPLE}/answers`) {
    const { answers } = sampleAnswers.parse(sent());
    const failed = answers.some((answer, index) => (answer === 'same') === (index === state.wrongInSample));
    const complete = answers.length === GROUPS.length + 1;
    return [
      200,
      sampleResult.parse({
        state: failed ? 'failed' : complete ? 'clean' : 'open',
        confirmed: answers.length,
        bound: complete && !failed ? 0.05 : null,
      }),
    ];
  }
  if (route === `POST /duplicates/samples/${SAMPLE}/accept`) {
    for (const { id } of GROUPS.slice(1)) state.decided.set(id, 'same');
    return [200, sampleAccepted.parse({ accepted: state.decided.size, changed: 1 })];
  }
  if (route !== `POST /duplicates/samples/${SAMPLE}/undo`) return undefined;
  const undone = state.decided.size;
  state.decided.clear();
  return [200, sampleUndone.parse({ undone, kept: 0 })];
}
