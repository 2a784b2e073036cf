import { test } from 'node:test';
import assert from 'node:assert/strict';
import { appliedCalibration } from '../../../core/contracts/calibration.ts';
import { TIMER } from '../../../core/runtime/timer.ts';
import { calibrationFrom, measureCompany } from '../../../core/domain/calibration/measure.ts';
import { TEST_ACT } from '../../support/act.ts';
import { TEST_CALIBRATION } from '../../support/fakes.ts';
import { inventedPeople } from '../../support/inventedPeople.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

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
