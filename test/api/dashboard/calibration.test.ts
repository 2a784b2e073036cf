import { test } from 'node:test';
import assert from 'node:assert/strict';
import {
  addedPhoto,
  appliedCalibration,
  calibrationReport,
  calibrationRun,
} from '../../../core/contracts/calibration.ts';
import { calibrationFrom, measureCompany } from '../../../core/domain/calibration/measure.ts';
import { TEST_ACT } from '../../support/act.ts';
import { TEST_CALIBRATION } from '../../support/fakes.ts';
import { NOBODY, photoOf } from '../../support/people.ts';
import { inventedPeople } from '../../support/inventedPeople.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { good, openDashboardSite } from './dashboardSite.ts';
import { TIMER } from '../../../core/platform/platform.ts';

test('the page says whether thresholds rest on the pipeline or on own photos', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const state = async () => good(await admin('GET', '/calibration'), appliedCalibration);
  const shipped = await state();
  assert.deepEqual([shipped.appliedAt, shipped.measured, shipped.defaultFmr], [null, null, 1e-4]);
  assert.ok(shipped.points.every((point) => point.distance === point.shippedDistance));

  const report = await measureCompany(TIMER, inventedPeople(60, 3, 0.1), TEST_CALIBRATION);
  const { people, photos, nonMatedPairs, matedPairs, points, det } = report;
  const measured = { matedPairs, failureToAcquire: 0.05, points, det };
  const calibration = calibrationFrom(report, TEST_CALIBRATION);
  const pipeline = site.engine.vision.pipelineId;
  const facts = { pipeline, calibration, people, photos, nonMatedPairs, measured, appliedAt: TEST_ACT.at };
  await site.storage.companyCalibrations.apply({ company: site.company.id, ...facts }, TEST_ACT);
  const own = await state();
  assert.equal(own.appliedAt, TEST_ACT.at.toISOString());
  assert.deepEqual([own.people, own.photos, own.nonMatedPairs], [people, photos, nonMatedPairs]);
  assert.deepEqual(own.measured, measured);

  assert.deepEqual(good(await admin('DELETE', '/calibration'), appliedCalibration), shipped);
  assert.deepEqual(await state(), shipped);
  const [entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'calibration.reset' },
    limit: 2,
  });
  assert.equal(entry?.outcome, 'done');
});

test('labelled photos are measured, and only a sound result is applied', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const cookie = await signIn(site, 'admin');
  const { run } = good(await admin('POST', '/calibration/runs'), calibrationRun);
  const path = `/calibration/runs/${run}`;
  const add = (person: string, file: string, image: Buffer) =>
    site.call(`/api/dashboard${path}/photos?person=${person}&file=${file}`, {
      method: 'POST',
      token: null,
      headers: { cookie, origin: site.address, 'content-type': 'image/jpeg' },
      body: new Uint8Array(image),
    });
  const added = async (person: string, file: string, image: Buffer) =>
    good(await add(person, file, image), addedPhoto);
  assert.deepEqual(await added('anna', 'anna/1.jpg', photoOf(1)), { refused: null, sameAs: null });
  assert.deepEqual((await added('anna', 'anna/2.jpg', photoOf(1, 2))).refused, null);
  assert.deepEqual((await added('berta', 'berta/1.jpg', NOBODY)).refused, 'NO_FACE');
  const report = good(await admin('GET', path), calibrationReport);
  assert.deepEqual([report.people, report.photos, report.matedPairs], [1, 2, 1]);
  assert.deepEqual(report.refused, [{ person: 'berta', file: 'berta/1.jpg', code: 'NO_FACE' }]);
  const apply = async () => (await admin('POST', `${path}/apply`)).body.code;
  assert.equal(await apply(), 'CALIBRATION_TOO_FEW');
  const sameAs = { person: 'anna', file: 'anna/1.jpg' };
  assert.deepEqual(await added('clara', 'clara/1.jpg', photoOf(1)), { refused: null, sameAs });
  assert.equal(await apply(), 'CALIBRATION_MISLABELLED');
  assert.equal((await add('', 'x.jpg', photoOf(4))).status, 422, 'a photo without a person');

  await addOperator(site, 'elsewhere', 'admin', await site.newCompany());
  const answer = await ask(site, 'GET', path, { cookie: await signIn(site, 'elsewhere') });
  assert.equal(answer.body.code, 'CALIBRATION_RUN_UNKNOWN', 'a run of another company does not exist');
});
