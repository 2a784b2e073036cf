/** Good requests for the routes of programs about groups, runs and persons. */
import { randomUUID } from 'node:crypto';
import { groupsPage } from '../../../core/contracts/duplicateGroups.ts';
import type { DuplicateRunId, FaceId } from '../../../core/contracts/ids.ts';
import type { DuplicateRun } from '../../../core/storage/duplicates/runs.ts';
import type { Person } from '../../../core/storage/persons/personRows.ts';
import { enrolItem } from '../../support/answerItem.ts';
import { TEST_ACT } from '../../support/act.ts';
import { acceptUpload, faceAlong } from '../../support/site.ts';
import type { TestSite } from '../site.ts';
import type { ProgramRequest, ProgramRoute } from './programRequest.ts';
import type { Company } from '../../../core/domain/ports/auditContext.ts';

const PERSONS = '/api/v3/persons';
const DETECTION = '/api/v3/duplicate-detection';

type Prepared = (site: TestSite, company: Company) => Promise<ProgramRequest>;

const reads = (scope: ProgramRoute['scope'], request: Prepared, otherCompany = 404): ProgramRoute => ({
  scope,
  request,
  right: 200,
  otherCompany,
});
const writes = (request: Prepared, right = 200): ProgramRoute => ({
  scope: 'persons:write',
  request,
  right,
  otherCompany: 404,
});

/** By method and path, as the interface description spells them. */
export const IDENTITY_ROUTES: Record<string, ProgramRoute> = {
  'GET /api/v3/persons': reads('persons:read', () => Promise.resolve(get(PERSONS)), 200),
  'GET /api/v3/persons/{personId}': reads('persons:read', async (site, company) =>
    get(`${PERSONS}/${(await newPerson(site, company)).id}`),
  ),
  'GET /api/v3/persons/{personId}/faces': reads('persons:read', async (site, company) =>
    get(`${PERSONS}/${(await newPerson(site, company)).id}/faces`),
  ),
  'POST /api/v3/persons': writes(
    async (site, company) => send('POST', PERSONS, { name: 'Ada', faces: await enrol(site, company, 1) }),
    201,
  ),
  'PATCH /api/v3/persons/{personId}': writes(async (site, company) => {
    const { id, version } = await newPerson(site, company);
    return send('PATCH', `${PERSONS}/${id}`, { version, name: 'Ada Byron' });
  }),
  'DELETE /api/v3/persons/{personId}': writes(async (site, company) => {
    const { id, version } = await newPerson(site, company);
    return { method: 'DELETE', target: `${PERSONS}/${id}?version=${version}`, headers: newKey() };
  }),
  'POST /api/v3/persons/{personId}/faces': writes(async (site, company) => {
    const { id, version } = await newPerson(site, company);
    return send('POST', `${PERSONS}/${id}/faces`, { version, faces: await enrol(site, company, 1) });
  }),
  'POST /api/v3/persons/{personId}/split': writes(async (site, company) => {
    const { id, version } = await newPerson(site, company);
    const [face] = await site.storage.persons.facesOf(company.id, id);
    return send('POST', `${PERSONS}/${id}/split`, { version, faces: [face], name: 'Ben' });
  }),
  'POST /api/v3/persons/{targetPersonId}/merge/{sourcePersonId}': writes(async (site, company) => {
    const { target, source, versions } = await pairOf(site, company);
    return send('POST', `${PERSONS}/${target.id}/merge/${source.id}`, versions);
  }),
  'POST /api/v3/persons/{targetPersonId}/move/{sourcePersonId}/faces/{faceId}': writes(
    async (site, company) => {
      const { target, source, versions } = await pairOf(site, company);
      const [face] = await site.storage.persons.facesOf(company.id, source.id);
      return send('POST', `${PERSONS}/${target.id}/move/${source.id}/faces/${face}`, versions);
    },
  ),
  'GET /api/v3/duplicate-detection/groups': reads(
    'duplicates:read',
    () => Promise.resolve(get(`${DETECTION}/groups`)),
    200,
  ),
  'GET /api/v3/duplicate-detection/groups/{groupId}': reads('duplicates:read', async (site, company) =>
    get(`${DETECTION}/groups/${(await newGroup(site, company)).id}`),
  ),
  'POST /api/v3/duplicate-detection/groups/{groupId}/decisions': {
    ...writes(async (site, company) => {
      const { id, version } = await newGroup(site, company);
      const decision = { version, about: { kind: 'group' }, decision: 'same' };
      return send('POST', `${DETECTION}/groups/${id}/decisions`, decision);
    }),
    scope: 'duplicates:review',
  },
  'POST /api/v3/duplicate-detection/decisions/{decisionId}/undo': {
    ...writes(async (site, company) => {
      const { decision } = await newPerson(site, company);
      return {
        method: 'POST',
        target: `${DETECTION}/decisions/${decision}/undo`,
        headers: newKey(),
      };
    }),
    scope: 'duplicates:review',
    orScope: 'persons:write',
  },
  'GET /api/v3/duplicate-detection/runs': {
    ...reads('duplicates:read', () => Promise.resolve(get(`${DETECTION}/runs`)), 200),
    orScope: 'duplicates:run',
  },
  'GET /api/v3/duplicate-detection/runs/{runId}': {
    ...reads('duplicates:read', async (site, company) =>
      get(`${DETECTION}/runs/${await newRun(site, company)}`),
    ),
    orScope: 'duplicates:run',
  },
  // A run of a company that has one already.
  'POST /api/v3/duplicate-detection/runs': {
    scope: 'duplicates:run',
    request: async (site, company) => {
      await newRun(site, company);
      const list = await site.storage.blacklists.create(
        company.id,
        { name: randomUUID(), description: null },
        TEST_ACT,
      );
      const { headers: _key, ...request } = send('POST', `${DETECTION}/runs`, {
        blacklists: [list.id],
      });
      return request;
    },
    right: 409,
    otherCompany: 404,
  },
  ...Object.fromEntries(
    (['pause', 'resume', 'cancel'] as const).map((change) => [
      `POST /api/v3/duplicate-detection/runs/{runId}/${change}`,
      {
        ...writes(async (site, company) => {
          const run = await newRun(site, company);
          const step = { from: ['running'], to: 'paused' } as const;
          if (change === 'resume') await site.storage.duplicateRuns.change(company.id, run, step, TEST_ACT);
          return { method: 'POST', target: `${DETECTION}/runs/${run}/${change}` };
        }),
        scope: 'duplicates:run' as const,
      },
    ]),
  ),
};

const newKey = () => ({ 'idempotency-key': randomUUID() });

function get(target: string): ProgramRequest {
  return { method: 'GET', target };
}

function send(method: string, target: string, fields: object): ProgramRequest & { headers: object } {
  return {
    method,
    target,
    body: Buffer.from(JSON.stringify(fields)),
    contentType: 'application/json',
    headers: newKey(),
  };
}

let enrolled: Promise<unknown> = Promise.resolve();

/** Enrols identical photos for duplicate detection, without the engine. The queue is one, so calls follow each other. */
export function enrol(site: TestSite, company: Company, photos: number): Promise<FaceId[]> {
  const faces = enrolled.then(() => enrolNext(site, company, photos));
  enrolled = faces.catch(() => undefined);
  return faces;
}

async function enrolNext(site: TestSite, company: Company, photos: number): Promise<FaceId[]> {
  const { storage, engine } = site;
  const name = `${randomUUID()}.jpg`;
  await acceptUpload(storage, company, Array<string>(photos).fill(name));
  const faces: FaceId[] = [];
  for (const item of await storage.queue.lease(photos)) {
    const image = { width: 100, height: 100, format: 'jpeg' } as const;
    const face = faceAlong(0, 32);
    const template = { ...face.template, pipelineId: engine.vision.pipelineId };
    const landed = await enrolItem(storage.queue, item, { image, face: { ...face, template } }, TEST_ACT.at);
    if (landed !== undefined) faces.push(landed.faceId);
  }
  return faces;
}

/** A person of two photos with the decision that created it. */
export async function newPerson(site: TestSite, company: Company): Promise<Person & { decision: number }> {
  const { persons } = site.storage;
  const faces = (await enrol(site, company, 2)).map((face) => ({ face, side: 0 }));
  const made = await persons.decide(company.id, { kind: 'same', faces, reason: null }, TEST_ACT);
  if (made.person === null) throw new Error('The person was not created.');
  const person = await persons.find(company.id, made.person);
  if (person === undefined) throw new Error('The person is not found.');
  return { ...person, decision: made.decision };
}

async function pairOf(site: TestSite, company: Company) {
  const [target, source] = [await newPerson(site, company), await newPerson(site, company)];
  return { target, source, versions: { version: target.version, sourceVersion: source.version } };
}

/** A run in state `running`; an earlier one is cancelled. */
export async function newRun(
  { storage, engine }: TestSite,
  { id: company }: Company,
): Promise<DuplicateRunId> {
  const { duplicateRuns } = storage;
  const unfinished = await duplicateRuns.unfinished(company);
  const step = { from: ['running', 'paused'], to: 'cancelled' } as const;
  if (unfinished !== undefined) await duplicateRuns.change(company, unfinished.id, step, TEST_ACT);
  const choice = { mode: 'all', blacklists: [], oneIn: 1_000 } as const;
  const begun = await duplicateRuns.begin(
    company,
    choice,
    { pipeline: engine.vision.pipelineId, total: 2 },
    TEST_ACT,
  );
  await duplicateRuns.choose(begun, TAIL, 0.5);
  return begun.id;
}

/** A group of two photos that a run has found. */
export async function newGroup(
  site: TestSite,
  company: Company,
  photos = 2,
): Promise<{ id: number; version: number }> {
  const { duplicateRuns } = site.storage;
  const faces = await enrol(site, company, photos);
  const run = await duplicateRuns.find(company.id, await newRun(site, company));
  if (run === undefined) throw new Error('There is no run.');
  const pairs = faces.flatMap((first, at) =>
    faces.slice(at + 1).map((second) => ({ first, second, distance: 0 })),
  );
  await duplicateRuns.store(run, { compared: faces, pairs, truncated: [] }, faces.at(-1)!);
  await duplicateRuns.finish(run, { state: 'done' }, TEST_ACT);
  const token = await site.newToken({ company });
  const { data } = groupsPage.parse((await site.call(`${DETECTION}/groups?order=newest`, { token })).body);
  const found = data.find(({ faceIds }) => faceIds[0] === faces[0]);
  if (found === undefined) throw new Error('The group was not found.');
  return { id: found.groupId, version: found.version };
}

/** Enough of a tail for a run whose distance is chosen here. */
const TAIL: NonNullable<DuplicateRun['tail']> = {
  faces: 2,
  pairs: 1,
  strong: 0,
  measuredTo: 1,
  law: { at: 1, level: 1, slope: -1 },
  error: { level: 0, slope: 0, both: 0 },
};
