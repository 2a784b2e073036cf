/**
 * Random sequences of everything that operators and callers can do to screening, against the real store and the real
 * gallery, compared after every step with a model of a few lines: two companies, the same people.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type {
  BlacklistId,
  FaceId,
  TrustFlowId,
  TrustValidationId,
  UploadId,
} from '../../core/contracts/ids.ts';
import type { ValidationDetail } from '../../core/contracts/validations.ts';
import { openGallery } from '../../core/gallery/index.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { SILENT_LOG } from '../support/fakes.ts';
import { NOBODY, photoOf, visionOfPeople } from '../support/people.ts';
import { TestClock, newCompany, temporaryFolder } from '../support/site.ts';
import { Dispatcher } from '../../core/domain/enrolment/dispatcher.ts';
import { blacklistActs } from '../api/screeningSite.ts';
import { Verifications } from '../../core/domain/screening/verifications.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import { InvalidInput, problem } from '../../core/contracts/errors/problem.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

const VERIFIED = 3;

interface ModelList {
  id: BlacklistId;
  name: string;
  active: boolean;
  faces: Map<FaceId, number>;
}

interface ModelValidation {
  id: TrustValidationId;
  flowId: TrustFlowId;
  /** Lists chosen by the version that it was created under. */
  chosen: { lists: BlacklistId[]; action: 'review' | 'reject' };
  /** Of the newest selfie, the one that can be matched later. */
  person: number | null;
  /** Of every accepted selfie: all of them are screened. */
  people: number[];
  status: number;
  /** The state after finalisation; only status and history can change later. */
  settled: Pick<ValidationDetail, 'duplicates' | 'blacklistMatches' | 'screening'> | null;
  historyLines: number;
}

interface ModelCompany {
  company: Company;
  lists: ModelList[];
  flow: { id: TrustFlowId; chosen: ModelValidation['chosen'] };
  validations: ModelValidation[];
}

const index = fc.nat(20);
const person = fc.nat(4);
const step = fc.record({
  side: fc.nat(1),
  action: fc.oneof(
    fc.record({
      kind: fc.constant('create list' as const),
      name: fc.constantFrom('VIP', 'vip', 'Staff', 'Ban'),
    }),
    fc.record({
      kind: fc.constant('upload' as const),
      list: index,
      people: fc.array(fc.integer({ min: -1, max: 4 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('toggle' as const), list: index }),
    fc.record({ kind: fc.constant('delete list' as const), list: index }),
    fc.record({ kind: fc.constant('delete face' as const), list: index, face: index }),
    fc.record({
      kind: fc.constant('save flow' as const),
      lists: fc.array(index, { maxLength: 3 }),
      action: fc.constantFrom('review' as const, 'reject' as const),
    }),
    fc.record({ kind: fc.constant('begin' as const) }),
    fc.record({ kind: fc.constant('selfie' as const), validation: index, person }),
    fc.record({ kind: fc.constant('finalise' as const), validation: index }),
    fc.record({ kind: fc.constant('whole verification' as const), person }),
    fc.record({
      kind: fc.constant('decide' as const),
      validation: index,
      decision: fc.constantFrom('verify' as const, 'reject' as const, 'review' as const),
    }),
  ),
});
type Action = Parameters<Parameters<typeof step.map>[0]>[0]['action'];

test('counts, statuses, matches and settlements follow the model, whatever happens', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const world = await openWorld(t);
      try {
        for (const { side, action } of steps) {
          await act(world, world.sides[side]!, action);
          for (const each of world.sides) await compare(world, each);
        }
      } finally {
        await world.close();
      }
    }),
    { numRuns: 25 },
  );
});

type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld(t: Parameters<typeof temporaryFolder>[0]) {
  const folder = temporaryFolder(t);
  const clock = new TestClock();
  const storage = await openStorage(openHome(folder), clock);
  const vision = visionOfPeople();
  const gallery = await openGallery({ pipelineId: vision.pipelineId }, storage, SILENT_LOG);
  const ports = { ...storage, vision, gallery, clock, log: SILENT_LOG };
  const sides: ModelCompany[] = [];
  for (const name of ['Acme', 'Rival']) {
    const company = await newCompany(storage, folder, name);
    const flow = await storage.flows.create(company.id, 'Onboarding', {}, 'local-admin');
    const chosen = { lists: [], action: 'review' as const };
    sides.push({ company, lists: [], flow: { id: flow.id, chosen }, validations: [] });
  }
  return {
    ...ports,
    sides,
    service: blacklistActs(ports),
    verifications: new Verifications(ports),
    async close() {
      await gallery.close();
      await storage.close();
    },
  };
}

async function act(world: World, side: ModelCompany, action: Action): Promise<void> {
  const { company } = side;
  const listOf = (position: number) => side.lists[position % Math.max(1, side.lists.length)];
  const validationOf = (position: number) =>
    side.validations[position % Math.max(1, side.validations.length)];
  switch (action.kind) {
    case 'create list': {
      const making = world.service.create(company.id, { name: action.name });
      if (side.lists.some((list) => list.name.toLowerCase() === action.name.toLowerCase()))
        await assert.rejects(making, InvalidInput);
      else side.lists.push({ id: (await making).id, name: action.name, active: true, faces: new Map() });
      return;
    }
    case 'upload': {
      const list = listOf(action.list);
      if (list !== undefined) await upload(world, side, list, action.people);
      return;
    }
    case 'toggle': {
      const list = listOf(action.list);
      if (list === undefined) return;
      list.active = !list.active;
      await world.service.setActive(company.id, list.id, list.active);
      return;
    }
    case 'delete list': {
      const list = listOf(action.list);
      if (list === undefined) return;
      assert.equal(await world.service.delete(company.id, list.id), true);
      side.lists = side.lists.filter((one) => one !== list);
      return;
    }
    case 'delete face': {
      const list = listOf(action.list);
      const face = [...(list?.faces.keys() ?? [])][action.face % Math.max(1, list?.faces.size ?? 0)];
      if (list === undefined || face === undefined) return;
      assert.equal(await world.service.deleteFace(company.id, list.id, face), true);
      list.faces.delete(face);
      return;
    }
    case 'save flow':
      await saveFlow(
        world,
        side,
        action.lists.flatMap((position) => listOf(position) ?? []),
        action.action,
      );
      return;
    case 'begin':
      await begin(world, side);
      return;
    case 'selfie': {
      const validation = validationOf(action.validation);
      if (validation !== undefined) await selfie(world, side, validation, action.person);
      return;
    }
    case 'finalise': {
      const validation = validationOf(action.validation);
      if (validation !== undefined) await finalise(world, side, validation);
      return;
    }
    case 'whole verification': {
      const validation = await begin(world, side);
      await selfie(world, side, validation, action.person);
      await finalise(world, side, validation);
      return;
    }
    case 'decide': {
      const validation = validationOf(action.validation);
      if (validation !== undefined) await decide(world, side, validation, action.decision);
    }
  }
}

async function upload(world: World, side: ModelCompany, list: ModelList, people: readonly number[]) {
  const id = randomUUID() as UploadId;
  const images = await Promise.all(
    people.map(async (one, shot) => ({
      fileName: `Person ${one}.jpg`,
      image: await world.images.write(
        side.company.id,
        'jpeg',
        ReadableStream.from([one < 0 ? NOBODY : photoOf(one, shot)]),
      ),
    })),
  );
  const target = { kind: 'blacklist' as const, blacklistId: list.id };
  const accepted = world.uploads.accept(side.company.id, {
    id,
    target,
    accepted: { by: 'local-admin', at: world.clock.now() },
    images,
  });
  if (!list.active) return assert.rejects(accepted, { problem: problem('BLACKLIST_INACTIVE') });
  await accepted;
  const dispatcher = new Dispatcher({ ...world, ...PLATFORM });
  dispatcher.start();
  while ((await world.queue.waiting()) > 0) await new Promise((resolve) => setImmediate(resolve));
  await dispatcher.stop();
  const done = await world.uploads.find(side.company.id, 'blacklist', id);
  for (const item of done?.items ?? []) {
    const one = people[item.index]!;
    assert.equal(item.faceId === null, one < 0);
    if (item.faceId !== null) list.faces.set(item.faceId, one);
  }
}

async function saveFlow(
  world: World,
  side: ModelCompany,
  lists: readonly ModelList[],
  action: 'review' | 'reject',
): Promise<void> {
  const blacklistIds = lists.map((list) => list.id);
  const settings = { blacklistDetection: { enabled: true, blacklistIds, action } };
  const { flows } = world;
  const seen = (await flows.list(side.company.id)).find(({ id }) => id === side.flow.id)!;
  const saving = flows.setDraft(side.company.id, seen, settings, 'local-admin');
  if (!lists.every((list) => list.active)) return assert.rejects(saving, InvalidInput);
  await flows.save(side.company.id, await saving, 'local-admin');
  side.flow.chosen = { lists: [...new Set(blacklistIds)], action };
}

async function begin(world: World, side: ModelCompany): Promise<ModelValidation> {
  const created = await world.verifications.create(side.company, side.flow.id, null, 'local-admin');
  assert.ok(created);
  const validation: ModelValidation = {
    id: created.validation.id,
    flowId: side.flow.id,
    chosen: side.flow.chosen,
    person: null,
    people: [],
    status: 99,
    settled: null,
    historyLines: 1,
  };
  side.validations.push(validation);
  return validation;
}

async function selfie(world: World, side: ModelCompany, validation: ModelValidation, one: number) {
  const taken = await world.verifications.takeSelfie(side.company, validation, photoOf(one), 'local-admin');
  assert.equal(taken.kind, validation.settled === null ? 'taken' : 'closed');
  if (validation.settled !== null) return;
  validation.person = one;
  validation.people.push(one);
  validation.historyLines += 1;
  validation.status = 5;
}

async function finalise(world: World, side: ModelCompany, validation: ModelValidation): Promise<void> {
  const answer = await world.verifications.finalise(side.company, validation, 'local-admin');
  if (validation.settled !== null) {
    assert.equal(answer?.status, validation.status, 'again: what stands');
    return;
  }
  const detail = await world.validations.detail(side.company.id, validation.id);
  assert.ok(detail);
  const expected = expectedOutcome(side, validation);
  assert.deepEqual(
    detail.duplicates.map((entry) => entry.trustValidationId).sort(byNumber),
    expected.duplicates,
  );
  assert.deepEqual(
    detail.blacklistMatches.map(({ blacklistId, matches }) => [
      blacklistId,
      matches.map((match) => match.blacklistFaceUploadId),
    ]),
    expected.blacklists,
  );
  assert.deepEqual(
    detail.screening?.notScreened.map(({ blacklistId, reason }) => [blacklistId, reason]),
    expected.notScreened,
  );
  assert.equal(detail.status, expected.status);
  const { duplicates, blacklistMatches, screening } = detail;
  Object.assign(validation, {
    status: expected.status,
    settled: { duplicates, blacklistMatches, screening },
    historyLines: validation.historyLines + 1,
  });
}

/** The model's whole idea of screening. */
function expectedOutcome(side: ModelCompany, validation: ModelValidation) {
  const { people, chosen } = validation;
  if (people.length === 0) return { duplicates: [], blacklists: [], notScreened: undefined, status: 4 };
  const duplicates = side.validations
    .filter((other) => other.status === VERIFIED && other.person !== null && people.includes(other.person))
    .map((other) => other.id)
    .sort(byNumber);
  const found = chosen.lists.map((id) => side.lists.find((list) => list.id === id));
  const blacklists = found
    .filter((list) => list?.active === true)
    .map((list) => [list!.id, facesOf(list!, people)] as const)
    .filter(([, faces]) => faces.length > 0);
  const notScreened = chosen.lists.flatMap((id, position) => {
    const list = found[position];
    if (list === undefined) return [[id, 'deleted']];
    return list.active ? [] : [[id, 'inactive']];
  });
  const rejected = blacklists.length > 0 && chosen.action === 'reject';
  const review = duplicates.length > 0 || blacklists.length > 0;
  return {
    duplicates,
    blacklists: blacklists.map((entry) => [...entry]),
    notScreened,
    status: rejected ? 1 : review ? 2 : VERIFIED,
  };
}

/** All photos of one person are equally near here, so they come in the order of their ids, the best ten. */
function facesOf(list: ModelList, people: readonly number[]): FaceId[] {
  return [...list.faces]
    .filter(([, other]) => people.includes(other))
    .map(([face]) => face)
    .sort(byNumber)
    .slice(0, 10);
}

async function decide(
  world: World,
  side: ModelCompany,
  validation: ModelValidation,
  decision: 'verify' | 'reject' | 'review',
): Promise<void> {
  const seen = { decision, note: 'looked at it', seenStatus: validation.status };
  const outcome = await world.verifications.decide(side.company, validation.id, seen, 'local-admin');
  assert.equal(outcome, validation.settled === null ? 'open' : 'decided');
  if (validation.settled === null) return;
  validation.status = { verify: VERIFIED, reject: 1, review: 2 }[decision];
  validation.historyLines += 1;
}

/** Checks the conditions that hold after every step. */
async function compare(world: World, side: ModelCompany): Promise<void> {
  const { company } = side;
  const { rows, total } = await world.blacklists.list(company.id, { offset: 0, limit: 100 });
  assert.equal(total, side.lists.length);
  assert.deepEqual(
    rows.map((row) => [row.id, row.status, row.enrolledFacesCount]),
    side.lists.map((list) => [list.id, list.active ? 1 : 0, list.faces.size]),
  );
  for (const list of side.lists)
    assert.equal(
      await world.gallery.size(company.id, { kind: 'blacklist', blacklistId: list.id }),
      list.faces.size,
    );
  const verified = side.validations.filter((one) => one.status === VERIFIED && one.person !== null);
  assert.equal(await world.gallery.size(company.id, { kind: 'duplicate' }), verified.length);
  for (const validation of side.validations) {
    const detail = await world.validations.detail(company.id, validation.id);
    assert.equal(detail?.status, validation.status);
    assert.equal(detail.history.length, validation.historyLines);
    if (validation.settled === null) continue;
    const { duplicates, blacklistMatches, screening } = detail;
    assert.deepEqual(
      { duplicates, blacklistMatches, screening },
      validation.settled,
      'what was settled stays',
    );
  }
}

function byNumber(a: number, b: number): number {
  return a - b;
}
