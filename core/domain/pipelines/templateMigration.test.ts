import { CodedError, problem, type ErrorCode } from '../../contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { until } from '../../../test/support/until.ts';
import { test, type TestContext } from 'node:test';
import type { CompanyId, FaceId, PersonDecisionId, PersonId, UploadId } from '../../contracts/ids.ts';
import { TRUST_VALIDATION_STATUS } from '../../contracts/codes.ts';
import { openHome, openStorage } from '../../storage/index.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import { photoOf } from '../../../test/support/people.ts';
import { newCompany, temporaryFolder } from '../../../test/support/site.ts';
import { NEW, OLD, openTwoPipelines } from '../../../test/support/twoPipelines.ts';
import { PLATFORM } from '../../platform/platform.ts';
import { randomOf, SEED } from '../../../test/support/seed.ts';
import { GroupService } from '../duplicates/groups.ts';
import { PersonService } from '../persons/personService.ts';
import { UnavailableError } from '../ports/machine.ts';
import type { UploadTarget } from '../ports/uploads.ts';

/** A company with an enrolled person 1, a blacklisted person 2, and an open verification with a selfie of person 3. */
async function openChanging(t: TestContext) {
  const folder = temporaryFolder(t);
  const storage = await openStorage(openHome(folder), { now: () => new Date() });
  const service = await openTwoPipelines(storage);
  t.after(async () => {
    await service.close();
    await storage.close();
  });
  const company = await newCompany(storage, folder);
  const made = await storage.blacklists.create(company.id, { name: 'L', description: null }, TEST_ACT);
  const list = made;
  const flow = await storage.flows.create(
    company.id,
    'Door',
    { blacklistDetection: { enabled: true, blacklistIds: [list.id] } },
    'local-admin',
  );
  const duplicates = {
    kind: 'duplicate',
    trustFlowId: await storage.companies.systemTrustFlow(company.id),
  } as const;
  const blacklist = { kind: 'blacklist', blacklistId: list.id } as const;

  const enrol = async (target: UploadTarget, ...people: number[]): Promise<FaceId[]> => {
    const id = randomUUID() as UploadId;
    const images = [];
    for (const [shot, person] of people.entries())
      images.push({
        fileName: `Person ${person}.jpg`,
        image: await storage.images.write(company.id, 'jpeg', ReadableStream.from([photoOf(person, shot)])),
      });
    await storage.uploads.accept(company.id, { id, target, accepted: TEST_ACT, images });
    service.dispatcher.start();
    await until(async () => (await storage.queue.waiting()) === 0);
    const upload = await storage.uploads.find(company.id, target.kind, id);
    return upload!.items.map(({ faceId }) => faceId!);
  };
  const begin = async (person: number) => {
    const created = await service.verifications.create(company, flow.id, null, 'local-admin');
    const reference = { flowId: flow.id, id: created!.validation.id };
    const taken = await service.verifications.takeSelfie(company, reference, photoOf(person), 'local-admin');
    assert.equal(taken.kind, 'taken');
    return reference;
  };
  const [first] = await enrol(duplicates, 1);
  const [second] = await enrol(blacklist, 2);
  const third = await begin(3);
  return { ...service, storage, company, list, duplicates, blacklist, enrol, begin, first, second, third };
}

const serves = (site: { recognition: { pipelineOf(company: CompanyId): unknown } }, company: CompanyId) =>
  site.recognition.pipelineOf(company) === NEW;

const refusedWith = (code: ErrorCode) => (error: unknown) =>
  error instanceof CodedError && error.problem.code === code;

test('the old pipeline answers until every face is migrated, then the new one does', async (t) => {
  const site = await openChanging(t);
  const { company, service, templateMigration, script, blacklist } = site;
  const { promise: held, resolve: goOn } = Promise.withResolvers<undefined>();
  script.before = async () => {
    await held;
  };
  templateMigration.start();
  await service.use(company.id, 'new', TEST_ACT);
  await until(async () => (await service.of(company.id)).migration?.stage === 'extracting');
  assert.deepEqual(await site.find(company.id, 1), [site.first], 'found while no template is re-created');
  const [fourth] = await site.enrol(site.duplicates, 4);
  assert.deepEqual(await site.find(company.id, 4), [fourth], 'and so is who is enrolled meanwhile');
  goOn(undefined);
  await until(() => serves(site, company.id));
  assert.deepEqual(await site.find(company.id, 1), [site.first]);
  assert.deepEqual(await site.find(company.id, 4), [fourth]);
  assert.deepEqual(await site.find(company.id, 2, blacklist), [site.second]);
  assert.equal((await service.of(company.id)).migration, null);
  const finalised = await site.verifications.finalise(company, site.third, 'local-admin');
  assert.equal(finalised?.status, TRUST_VALIDATION_STATUS.Verified, 'a selfie of before is screened');
  assert.deepEqual(await site.find(company.id, 3), [finalised.selfies.at(-1)?.faceId]);
});

test('a failed extraction keeps the old pipeline active until an operator decides', async (t) => {
  const site = await openChanging(t);
  const { company, service, templateMigration, script, blacklist } = site;
  script.refuses.set(2, 'NO_FACE');
  templateMigration.start();
  await service.use(company.id, 'new', TEST_ACT);
  await until(async () => (await service.of(company.id)).migration?.stage === 'refused');
  assert.ok(!serves(site, company.id));
  assert.deepEqual(await site.find(company.id, 2, blacklist), [site.second], 'still matchable');
  const [refused] = await service.refused(company.id, { after: 0 as FaceId, limit: 10 });
  assert.deepEqual([refused?.faceId, refused?.code], [site.second, 'NO_FACE']);

  assert.ok(await service.leaveRefused(company.id, TEST_ACT));
  await until(() => serves(site, company.id));
  assert.deepEqual(await site.find(company.id, 2, blacklist), []);
  assert.deepEqual(await site.find(company.id, 1), [site.first]);
  assert.equal(
    (await service.refused(company.id, { after: 0 as FaceId, limit: 10 })).length,
    1,
    'still listed',
  );

  await service.use(company.id, 'old', TEST_ACT);
  await until(() => !serves(site, company.id));
  assert.deepEqual(await site.find(company.id, 2, blacklist), [site.second]);
});

test('a selfie that fails extraction goes to review unscreened when it is finalised', async (t) => {
  const site = await openChanging(t);
  site.script.refuses.set(3, 'CORRUPT_IMAGE');
  site.templateMigration.start();
  await site.service.use(site.company.id, 'new', TEST_ACT);
  await until(async () => (await site.service.of(site.company.id)).migration?.stage === 'refused');
  await site.service.leaveRefused(site.company.id, TEST_ACT);
  await until(() => serves(site, site.company.id));
  const finalised = await site.verifications.finalise(site.company, site.third, 'local-admin');
  assert.equal(finalised?.status, TRUST_VALIDATION_STATUS.ReviewNeeded);
});

test('a paused migration extracts nothing, and nothing is extracted twice', async (t) => {
  const site = await openChanging(t);
  const { company, service, templateMigration, script } = site;
  templateMigration.start();
  await service.use(company.id, 'new', TEST_ACT);
  await until(() => serves(site, company.id));
  assert.equal(script.extracted, 3);
  await service.use(company.id, 'old', TEST_ACT);
  await until(() => !serves(site, company.id));
  const [fifth] = await site.enrol(site.duplicates, 5);
  await templateMigration.stop();
  await service.use(company.id, 'new', TEST_ACT);
  assert.ok(await service.pause(company.id, TEST_ACT));
  templateMigration.start();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await service.of(company.id)).migration?.stage, 'paused');
  assert.equal(script.extracted, 3);
  await service.resume(company.id, TEST_ACT);
  await until(() => serves(site, company.id));
  assert.equal(script.extracted, 4, 'only the one that was new');
  assert.deepEqual(await site.find(company.id, 5), [fifth]);
});

test('cancelled: the old pipeline stays, and its templates cannot be discarded', async (t) => {
  const site = await openChanging(t);
  const { company, service, storage } = site;
  await service.use(company.id, 'new', TEST_ACT);
  const inUse = refusedWith('PIPELINE_IN_USE');
  await assert.rejects(service.discard(company, NEW, TEST_ACT), inUse, 'being changed to');
  assert.ok(await service.cancel(company.id, TEST_ACT));
  assert.equal(await service.cancel(company.id, TEST_ACT), false);
  await assert.rejects(service.discard(company, 'old', TEST_ACT), inUse, 'serves');
  await storage.pipelines.keep(company.id, NEW, [
    { faceId: site.first!, vector: Float32Array.of(0, 1, 0, 0) },
  ]);
  await assert.rejects(
    service.discard(company, 'nonsense', TEST_ACT),
    refusedWith('PIPELINE_WITHOUT_TEMPLATES'),
    'a mistyped name is no success',
  );
  assert.equal(await service.discard(company, 'new', TEST_ACT), 1);
  assert.equal((await storage.pipelines.counts(company.id, NEW)).extracted, 0);
});

test('an erased person leaves no template of any pipeline, and no refusal', async (t) => {
  const site = await openChanging(t);
  const { company, storage } = site;
  const list = site.list.id;
  await storage.pipelines.keep(company.id, NEW, [{ faceId: site.second!, code: 'NO_FACE' }]);
  await storage.blacklists.deleteFace(company.id, list, site.second!, TEST_ACT);
  assert.deepEqual(await storage.pipelines.counts(company.id, NEW), { total: 2, extracted: 0, refused: 0 });
  await storage.pipelines.keep(company.id, NEW, [
    { faceId: site.second!, vector: Float32Array.of(0, 1, 0, 0) },
  ]);
  assert.deepEqual(await storage.pipelines.stored(company.id), [{ pipeline: OLD, templates: 2 }]);
});

test('a superseded pipeline is listed and accepted only for companies that use it', async (t) => {
  const site = await openChanging(t);
  const { company, service } = site;
  site.supersede(NEW);
  assert.deepEqual(
    (await service.selectable()).pipelines.map(({ name }) => name),
    ['old'],
  );
  await assert.rejects(service.use(company.id, 'new', TEST_ACT), refusedWith('PIPELINE_SUPERSEDED'));
});

test('a company whose pipeline is missing sees how far the migration is', async (t) => {
  const site = await openChanging(t);
  const { company, service, recognition } = site;
  const message = () => {
    try {
      recognition.of(company.id);
      return '';
    } catch (error) {
      assert.ok(error instanceof UnavailableError);
      return error.message;
    }
  };
  site.retire(OLD);
  assert.match(message(), /of an earlier version.*vouch pipeline status/);
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  t.after(() => {
    release(undefined);
  });
  site.script.before = () => held;
  await service.use(company.id, 'new', TEST_ACT);
  site.templateMigration.start();
  await until(() => /: 0 of \d/.test(message()));
  assert.deepEqual(await service.serving(), [{ company: company.name, pipeline: OLD, installed: false }]);
  release(undefined);
  await until(() => serves(site, company.id));
  assert.equal(message(), '');
});

test('a pipeline that is not there, or whose pack is bad, is refused with words', async (t) => {
  const { company, service } = await openChanging(t);
  const missing = problem('PIPELINE_UNKNOWN', { name: 'nothing', known: 'old, new' });
  await assert.rejects(service.use(company.id, 'nothing', TEST_ACT), new CodedError(missing));
  const broken = problem('PACK_FILE_MISSING', { file: 'pipeline.json' });
  await assert.rejects(service.use(company.id, 'broken', TEST_ACT), new CodedError(broken));
  await service.use(company.id, 'old', TEST_ACT);
});

test('an installation setting moves companies that chose no pipeline themselves', async (t) => {
  const site = await openChanging(t);
  const { company, service, storage } = site;
  const act = TEST_ACT;
  await service.applyInstallationPipeline(storage.companies, undefined, act);
  assert.deepEqual(
    await storage.pipelines.migrations(),
    [],
    'without a setting everybody keeps what serves them',
  );
  await service.applyInstallationPipeline(storage.companies, 'new', act);
  site.templateMigration.start();
  await until(() => serves(site, company.id));
  await service.use(company.id, 'old', act);
  await until(() => !serves(site, company.id));
  await service.applyInstallationPipeline(storage.companies, 'new', act);
  assert.deepEqual(await storage.pipelines.migrations(), [], 'what was chosen stays');
  site.replace(OLD);
  assert.deepEqual(await site.find(company.id, 1), [site.first], 'the version before serves');
  await service.applyInstallationPipeline(storage.companies, undefined, act);
  await until(() => serves(site, company.id));
  await service.use(company.id, 'old', act);
  await until(() => !serves(site, company.id));
  site.retire(OLD);
  assert.throws(() => site.recognition.of(company.id), UnavailableError);
  await service.applyInstallationPipeline(storage.companies, undefined, act);
  await until(() => serves(site, company.id));
  assert.deepEqual(await site.find(company.id, 1), [site.first]);
});

test('persons stay as they were corrected while all templates are created again', async (t) => {
  const site = await openChanging(t);
  const { company, service, storage, templateMigration, duplicates } = site;
  const groups = new GroupService({ ...storage, ...PLATFORM, clock: { now: () => new Date() } });
  const persons = new PersonService({ ...storage, groups });
  const random = randomOf(SEED, 1);
  const faces = await site.enrol(duplicates, ...Array.from({ length: 16 }, (_, index) => 10 + (index % 4)));
  const ids: PersonId[] = [];
  for (let first = 0; first < faces.length; first += 4)
    ids.push(
      (await persons.create(company.id, faces.slice(first, first + 4), { name: `P ${first}` }, TEST_ACT))
        .person!,
    );
  const shown = async () =>
    Promise.all(
      (await storage.persons.list(company.id, { order: 'newest', limit: 50 })).map(async (person) => ({
        ...person,
        its: await storage.persons.facesOf(company.id, person.id),
        history: await storage.persons.history(company.id, person.id),
      })),
    );
  const seen = async (id: PersonId) => ({
    id,
    version: (await storage.persons.find(company.id, id))!.version,
  });
  /** One change of a person by chance: two photos are moved, split off or merged, or the last change is undone. */
  let last: PersonDecisionId | undefined;
  const correct = async () => {
    const living = (await storage.persons.list(company.id, { order: 'newest', limit: 50 })).map(
      ({ id }) => id,
    );
    const pick = () => living[Math.floor(random() * living.length)]!;
    const [one, other] = [pick(), pick()];
    const its = await storage.persons.facesOf(company.id, one);
    const [what, some] = [Math.floor(random() * 4), its.slice(0, 2)];
    if (what === 3 && last !== undefined) {
      await persons.undo(company.id, last, TEST_ACT);
      last = undefined;
    } else if (what === 2 && one !== other) {
      const pair = { target: await seen(one), source: await seen(other) };
      last = (await persons.merge(company.id, pair, null, TEST_ACT)).decision;
    } else if (its.length > 2 && what === 1)
      last = (
        await persons.split(company.id, await seen(one), { faces: some, name: 'Q', reason: null }, TEST_ACT)
      ).decision;
    else if (its.length > 2 && one !== other) {
      const move = { faces: some, to: await seen(other), reason: null };
      last = (await persons.move(company.id, await seen(one), move, TEST_ACT)).decision;
    }
  };
  for (let step = 0; step < 8; step++) await correct();
  const before = await shown();
  templateMigration.start();
  await service.use(company.id, 'new', TEST_ACT);
  await until(() => serves(site, company.id));
  assert.deepEqual(await shown(), before);
  for (let step = 0; step < 4; step++) await correct();
  const after = await shown();
  const all = after.flatMap(({ its }) => its).toSorted((a, b) => a - b);
  assert.deepEqual(
    all,
    before.flatMap(({ its }) => its).toSorted((a, b) => a - b),
    'no photo is lost',
  );
});
