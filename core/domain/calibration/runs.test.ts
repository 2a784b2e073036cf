import { CodedError } from '../../contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { PipelineId } from '../../contracts/ids.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import { TEST_CALIBRATION } from '../../../test/support/fakes.ts';
import { inventedPeople } from '../../../test/support/inventedPeople.ts';
import { faceAlong, newCompany, temporaryStorage, TEST_PIPELINE } from '../../../test/support/site.ts';
import type { PipelineRunner } from '../ports/pipelines.ts';
import { PipelineRegistry } from '../recognition/pipelineRegistry.ts';
import { distanceAtFmr } from '../scores/scores.ts';
import { appliedCalibrationOf, chooseThresholds } from './applied.ts';
import { CalibrationRuns } from './runs.ts';
import { PLATFORM } from '../../platform/platform.ts';

/** Describes an image by the numbers that are written in it; shorter ones show no person. */
function numberReader(): PipelineRunner & { workers: number } {
  const id: PipelineId = TEST_PIPELINE;
  const refused = { kind: 'refused', code: 'NO_FACE' } as const;
  const recogniser: ReturnType<PipelineRunner['using']> = {
    pipelineId: id,
    dimensions: 16,
    calibration: TEST_CALIBRATION,
    strict: {
      points: TEST_CALIBRATION.points.map(({ fmr, distance }) => ({ fmr, distance: distance - 0.1 })),
    },
    enrol: (image) => {
      if (image.length < 8) return Promise.resolve(refused);
      const vector = new Float32Array(Uint8Array.from(image).buffer);
      const facts = { width: 100, height: 100, format: 'jpeg' } as const;
      return Promise.resolve({
        kind: 'face',
        image: facts,
        face: { ...faceAlong(0), template: { pipelineId: id, vector } },
      });
    },
    search: () => Promise.resolve(refused),
    reextract: () => Promise.resolve(refused),
    measure: () => Promise.resolve(refused),
  };
  const standard = {
    id,
    name: 'test',
    title: 'Test',
    builtIn: true,
    retired: false,
    dimensions: 16,
    licence: 'MIT',
    calibration: TEST_CALIBRATION,
  };
  return {
    standard,
    workers: 1,
    using: (pipeline) => (pipeline === id ? recogniser : undefined),
    successorOf: () => undefined,
    list: () => Promise.resolve({ pipelines: [standard], refused: [] }),
    problemWith: () => Promise.resolve(undefined),
  };
}

async function openRuns(t: TestContext) {
  const { storage, clock, folder } = await temporaryStorage(t);
  const recognition = await PipelineRegistry.open(numberReader(), storage);
  const runs = new CalibrationRuns({ ...storage, ...PLATFORM, recognition, clock });
  const company = await newCompany(storage, folder);
  const other = await newCompany(storage, folder, 'Other');
  const measure = async (people: number) => {
    const run = runs.begin(company.id, { 'person 0': 'a group', 'Person 0': 'a group' });
    for (const [i, { person, vector }] of inventedPeople(people, 2, 0.1).entries())
      await runs.add(company, run, { person, file: `${i}.jpg`, image: Buffer.from(vector.buffer) });
    return run;
  };
  const ports = { ...storage, recognition };
  const applied = () => appliedCalibrationOf(ports, company.id);
  const apply = async (run: string) => {
    await runs.apply(company.id, run, TEST_ACT);
    return applied();
  };
  const reset = () => storage.companyCalibrations.reset(company.id, TEST_ACT);
  return { storage, recognition, ports, company, other, measure, runs, clock, applied, apply, reset };
}

test('a duplicate photo counts once; under two people it is named and not applied', async (t) => {
  const { company, runs, measure, apply } = await openRuns(t);
  const run = await measure(50);
  const { vector } = inventedPeople(50, 2, 0.1)[0]!;
  const image = Buffer.from(vector.buffer);
  const add = (person: string, file: string) => runs.add(company, run, { person, file, image });
  const { person } = inventedPeople(50, 2, 0.1)[0]!;
  const twice = await add(person, 'copy.jpg');
  assert.deepEqual(twice, { refused: null, sameAs: { person, file: '0.jpg' } });
  assert.equal((await runs.report(company.id, run)).photos, 100);
  assert.deepEqual((await add('somebody else', 'wrong.jpg')).sameAs, { person, file: '0.jpg' });
  await assert.rejects(
    apply(run),
    (error) => error instanceof CodedError && error.message.includes('under two people'),
  );
});

test('measured thresholds are applied, survive a restart, are logged, can be removed', async (t) => {
  const site = await openRuns(t);
  const { storage, recognition, runs, company, other, measure } = site;
  const before = distanceAtFmr(recognition.of(company.id).calibration, 1e-4);
  const run = await measure(50);
  const empty = { person: 'nobody', file: 'empty.jpg', image: Buffer.alloc(3) };
  assert.deepEqual(await runs.add(company, run, empty), { refused: 'NO_FACE', sameAs: null });
  const report = await runs.report(company.id, run);
  assert.deepEqual([report.people, report.photos, report.refused.length], [50, 100, 1]);
  assert.deepEqual(report.unmatched, ['Person 0'], 'the name of no photo');
  assert.ok(Math.abs(report.failureToAcquire - 1 / 101) < 1e-12);
  assert.equal(
    distanceAtFmr(recognition.of(company.id).calibration, 1e-4),
    before,
    'measuring changes nothing',
  );

  const applied = await site.apply(run);
  const { distance } = applied.points.find(({ fmr }) => fmr === 1e-4)!;
  assert.notEqual(distance, before);
  assert.equal(distanceAtFmr(recognition.of(company.id).calibration, 1e-4), distance);
  assert.equal(
    distanceAtFmr(recognition.of(other.id).calibration, 1e-4),
    before,
    'another company is untouched',
  );
  const { matedPairs, failureToAcquire, points, det, groups } = report;
  const shown = await site.applied();
  assert.notEqual(groups, null);
  assert.deepEqual(
    shown.measured,
    { matedPairs, failureToAcquire, points, det, groups },
    'what it rests on is kept',
  );
  assert.equal(shown.nonMatedPairs, report.nonMatedPairs);
  assert.deepEqual(shown.elsewhere, []);
  const restarted = await PipelineRegistry.open(numberReader(), storage);
  assert.equal(distanceAtFmr(restarted.of(company.id).calibration, 1e-4), distance);

  const anotherNet = 'another-net/1' as PipelineId;
  const own = (await storage.companyCalibrations.of(company.id, TEST_PIPELINE))!;
  await storage.companyCalibrations.apply({ ...own, pipeline: anotherNet }, TEST_ACT);
  await storage.companyCalibrations.apply({ ...own, company: other.id, pipeline: anotherNet }, TEST_ACT);
  const elsewhere = async ({ id }: typeof company) => {
    const { appliedAt, elsewhere: pipelines } = await appliedCalibrationOf(site.ports, id);
    return { own: appliedAt !== null, pipelines };
  };
  assert.deepEqual(await elsewhere(company), { own: true, pipelines: [anotherNet] });
  assert.deepEqual(await elsewhere(other), { own: false, pipelines: [anotherNet] }, 'found, and not active');
  await storage.companyCalibrations.reset(other.id, TEST_ACT);

  await site.reset();
  assert.equal(distanceAtFmr(recognition.of(company.id).calibration, 1e-4), before);
  assert.equal((await site.applied()).measured, null);
  assert.deepEqual(await storage.companyCalibrations.list(), []);
  const { total } = await storage.pipelines.counts(company.id, TEST_PIPELINE);
  assert.equal(total, 0, 'no face was enrolled');
  assert.deepEqual(await storage.companyCalibrations.reset(company.id, TEST_ACT), false);
});

test("a company's strict profile survives a restart and yields to measured thresholds", async (t) => {
  const { storage, recognition, ports, company, other, measure, apply, reset, applied } = await openRuns(t);
  const choose = async (profile: 'strict' | 'default') => {
    await chooseThresholds(ports, company.id, profile, TEST_ACT);
    return applied();
  };
  const inForce = () => distanceAtFmr(recognition.of(company.id).calibration, 1e-4);
  const usual = inForce();
  const chosen = await choose('strict');
  const strict = chosen.points.find(({ fmr }) => fmr === 1e-4)!.strictDistance!;
  assert.ok(strict < usual);
  assert.deepEqual([chosen.thresholds, inForce()], ['strict', strict]);
  assert.equal(distanceAtFmr(recognition.calibrationOf(company.id, TEST_PIPELINE)!, 1e-4), strict);
  assert.equal(distanceAtFmr(recognition.of(other.id).calibration, 1e-4), usual);
  const settings = (await storage.companies.find(company.id))!.settings;
  assert.equal(settings.thresholds, 'strict');
  const restarted = await PipelineRegistry.open(numberReader(), storage);
  assert.equal(distanceAtFmr(restarted.of(company.id).calibration, 1e-4), strict);

  await apply(await measure(50));
  assert.ok(![strict, usual].includes(inForce()), 'its own photos count more');
  await reset();
  assert.equal(inForce(), strict);
  await choose('default');
  assert.equal(inForce(), usual);
  const [entry] = await storage.audit.list(company.id, { filter: { action: 'company.changed' }, limit: 1 });
  assert.equal(
    entry?.details,
    JSON.stringify({ changed: ['thresholds'], before: ['strict'], after: ['default'] }),
  );
});

test('a run of another company does not exist, and too few photos change nothing', async (t) => {
  const { storage, runs, other, measure, apply } = await openRuns(t);
  const run = await measure(5);
  await assert.rejects(async () => runs.report(other.id, run), CodedError);
  await assert.rejects(async () => runs.apply(other.id, run, TEST_ACT), CodedError);
  await assert.rejects(apply(run), /too few/);
  assert.deepEqual(await storage.companyCalibrations.list(), []);
});

test('a calibration that was left for an hour is forgotten, one in use is not', async (t) => {
  const { runs, clock, company } = await openRuns(t);
  const [left, used] = [runs.begin(company.id), runs.begin(company.id)];
  clock.advance(1_800_000);
  await runs.report(company.id, used);
  clock.advance(1_800_000);
  runs.forgetUnused();
  const unknown = (error: unknown) =>
    error instanceof CodedError && error.problem.code === 'CALIBRATION_RUN_UNKNOWN';
  await assert.rejects(runs.report(company.id, left), unknown);
  assert.equal((await runs.report(company.id, used)).photos, 0);
});
