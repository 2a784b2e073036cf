/** Examples of the operations about runs, groups and persons, by operationId. A test holds them against the schemas. */
import type { Example } from './examples.ts';

const AT = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-01T12:00:04.250Z';
const BASE = 'http://127.0.0.1:4610/api/v3';

const person = {
  personId: 12,
  version: 1,
  name: 'Amina Haddad',
  externalId: 'E-1183',
  note: null,
  coverFaceId: 88,
  numberOfFaces: 2,
  createdAt: AT,
  updatedAt: AT,
};
const face = {
  faceId: 88,
  name: 'Amina Haddad',
  blacklistId: null,
  trustValidationId: 41,
  personId: 12,
  enrolledAt: AT,
};
const similarity = { similarityScore: 91.4, band: 'strong' };
const group = {
  groupId: 7,
  version: 2,
  state: 'proposed',
  identicalPhotos: false,
  certainty: 0.998,
  ...similarity,
  numberOfFaces: 2,
  createdAt: AT,
  updatedAt: AT,
};
const run = {
  runId: 3,
  blacklistIds: [],
  mode: 'all',
  state: 'running',
  oneIn: 1_000,
  nearFrom: 78.2,
  pipelineId: 'example',
  faces: 20_000,
  compared: 5_120,
  pairs: 40,
  identical: 3,
  truncated: 0,
  expected: { pairs: 1.2, low: 0.4, high: 3.1, extrapolated: true },
  facesPerSecond: 1_450,
  secondsLeft: 10,
  startedBy: 'token:3',
  startedAt: AT,
  endedAt: null,
  problem: null,
};

const started = {
  runId: 3,
  mode: 'new',
  state: 'running',
  blacklistIds: [],
  oneIn: 1_000,
  faces: 20_000,
  startedAt: AT,
};

const answer = (message: string, data: object) => ({ response: { success: true, message, data } });
const changed = (message: string, ...persons: object[]) => answer(message, { decisionId: 31, persons });
const page = (message: string, path: string, row: object) => ({
  response: {
    success: true,
    message,
    data: [row],
    links: { first: `${path}?limit=50`, last: null, prev: null, next: null },
    meta: { path, per_page: 50, total: 1, next_cursor: null },
  },
});

export const IDENTITY_EXAMPLES: Readonly<Record<string, Example>> = {
  listPersons: page('Persons retrieved', `${BASE}/persons`, person),
  getPerson: answer('Person retrieved', person),
  listPersonFaces: answer('Faces of the person retrieved', [face]),
  createPerson: {
    request: { name: 'Amina Haddad', externalId: 'E-1183', faces: [88, 91] },
    ...changed('Person created', person),
  },
  updatePerson: {
    request: { version: 1, note: 'Two passports.' },
    ...answer('Person changed', { ...person, version: 2, note: 'Two passports.' }),
  },
  deletePerson: answer('Person deleted', { decisionId: 31 }),
  addPersonFaces: {
    request: { version: 1, faces: [95] },
    ...changed('Person changed', { ...person, version: 2, numberOfFaces: 3 }),
  },
  splitPerson: {
    request: { version: 2, faces: [95], name: 'Samir Haddad' },
    ...changed(
      'Person changed',
      { ...person, version: 3 },
      { ...person, personId: 13, name: 'Samir Haddad', externalId: null, coverFaceId: 95, numberOfFaces: 1 },
    ),
  },
  mergePersons: {
    request: { version: 3, sourceVersion: 1, reason: 'The same passport.' },
    ...changed('Person changed', { ...person, version: 4, numberOfFaces: 3 }),
  },
  movePersonFace: {
    request: { version: 4, sourceVersion: 2 },
    ...changed('Person changed', { ...person, version: 5, numberOfFaces: 4 }),
  },
  listGroups: page('Groups retrieved', `${BASE}/duplicate-detection/groups`, { ...group, faceIds: [88, 91] }),
  getGroup: answer('Group retrieved', {
    ...group,
    faces: [{ ...face, personId: null }],
    pairs: [{ faceIds: [88, 91], identicalPhotos: false, decision: null, ...similarity }],
    numberOfPairs: 1,
    alsoNear: [
      {
        faceId: 140,
        groupId: null,
        groupVersion: null,
        reason: 'tooFar',
        similarityScore: 74.1,
        band: 'possible',
      },
    ],
    history: [
      {
        decisionId: 30,
        decision: 'unsure',
        faceIds: [88, 91],
        actor: 'operator:2',
        at: AT,
        reason: null,
        measured: { similarityScore: 91.4, pipeline: 'vouch-face/1/0123456789ab' },
        undoneAt: LATER,
        awaitsConfirmation: false,
      },
    ],
  }),
  decideGroup: {
    request: { version: 2, about: { kind: 'group' }, decision: 'same', reason: 'The same passport.' },
    ...answer('Decision recorded', {
      decisionId: 31,
      group: { ...group, version: 3, state: 'accepted', faceIds: [88, 91] },
      person,
    }),
  },
  undoDecision: answer('Decision undone', {
    decisionId: null,
    group: { ...group, version: 4, faceIds: [88, 91] },
    person: null,
  }),
  listRuns: page('Runs retrieved', `${BASE}/duplicate-detection/runs`, run),
  getRun: answer('Run retrieved', run),
  startRun: { request: { mode: 'new', oneIn: 1_000 }, ...answer('Run started', started) },
  pauseRun: answer('Run changed', { ...run, state: 'paused', facesPerSecond: null, secondsLeft: null }),
  resumeRun: answer('Run changed', run),
  cancelRun: answer('Run changed', {
    ...run,
    state: 'cancelled',
    facesPerSecond: null,
    secondsLeft: null,
    endedAt: LATER,
  }),
};
