import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_CALIBRATION } from '../../../test/support/fakes.ts';
import { inventedPeople } from '../../../test/support/inventedPeople.ts';
import { distanceAtFmr, fmrAtDistance } from '../scores/scores.ts';
import { calibrationFrom, measureCompany } from './measure.ts';
import { TIMER } from '../../platform/platform.ts';

const distance = (p: Float32Array, q: Float32Array) => Math.hypot(...p.map((value, i) => value - q[i]!));

test('with enough pairs a threshold is the distance that its impostor share reaches', async () => {
  const templates = inventedPeople(60, 3, 0.1);
  const measured = await measureCompany(TIMER, templates, TEST_CALIBRATION);
  assert.deepEqual([measured.people, measured.photos, measured.matedPairs], [60, 180, 180]);
  assert.equal(measured.nonMatedPairs, (180 * 179) / 2 - 180);
  for (const point of measured.points.filter(({ statement }) => statement === 'measured')) {
    let within = 0;
    for (const [i, a] of templates.entries())
      for (const b of templates.slice(0, i))
        if (a.person !== b.person && distance(a.vector, b.vector) <= point.distance + 1e-6) within++;
    assert.ok(
      Math.abs(within / measured.nonMatedPairs - point.fmr) < 0.1 * point.fmr,
      `${point.fmr}: ${within}`,
    );
    assert.ok(point.interval.low <= point.distance && point.distance <= point.interval.high);
  }
});

test('no interval goes below 0, however far the shipped curve is moved', async () => {
  const steep = TEST_CALIBRATION.points.map(({ fmr, distance: each }) => ({ fmr, distance: 10 * each }));
  const { points } = await measureCompany(TIMER, inventedPeople(60, 2, 0.1), { points: steep });
  assert.ok(
    points.some((point) => point.distance < 0),
    'the curve itself is moved below 0',
  );
  for (const { interval, fnmrInterval } of points)
    assert.ok(interval.low >= 0 && interval.high >= 0 && fnmrInterval.low >= 0, JSON.stringify(interval));
});

test('rates on fewer than 30 expected errors follow the shipped curve and say so', async () => {
  const { points, nonMatedPairs } = await measureCompany(TIMER, inventedPeople(60, 3, 0.1), TEST_CALIBRATION);
  assert.ok(nonMatedPairs > 15_000 && nonMatedPairs < 30_000);
  assert.deepEqual(
    points.map(({ statement }) => statement),
    ['measured', 'measured', 'estimated', 'extrapolated', 'extrapolated', 'extrapolated'],
  );
  const moved = points.slice(2).map((point) => point.distance - point.shipped.distance);
  for (const each of moved) assert.ok(Math.abs(each - moved[0]!) < 1e-6, 'one shift for all of them');
});

test('zero false matches in N pairs are reported as at most 3 in N', async () => {
  const { points, nonMatedPairs } = await measureCompany(TIMER, inventedPeople(60, 3, 0.1), {
    points: [
      { fmr: 0.5, distance: 0.2 },
      { fmr: 1e-6, distance: 0.01 },
    ],
  });
  const last = points.at(-1)!;
  assert.equal(last.shipped.falseMatches, 0);
  assert.ok(Math.abs(last.shipped.fmrAtMost - 3 / nonMatedPairs) < 1e-12);
});

test('the curve gives both shares at every rate, as far as three pairs decide', async () => {
  const templates = inventedPeople(40, 3, 0.5);
  const { det, nonMatedPairs, matedPairs } = await measureCompany(TIMER, templates, TEST_CALIBRATION);
  assert.equal(det[0]!.fmr, 0.1);
  const last = det.at(-1)!;
  assert.ok(last.fmr * nonMatedPairs >= 3 && (last.fmr / 2) * nonMatedPairs < 3);
  for (const point of [det[0]!, det[12]!, last]) {
    let [within, beyond] = [0, 0];
    for (const [i, a] of templates.entries())
      for (const b of templates.slice(0, i)) {
        const near = Math.fround(distance(a.vector, b.vector)) <= point.distance + 1e-6;
        if (a.person === b.person) beyond += near ? 0 : 1;
        else within += near ? 1 : 0;
      }
    assert.ok(Math.abs(within - point.fmr * nonMatedPairs) <= 1, `${point.fmr}: ${within}`);
    assert.ok(Math.abs(beyond - point.fnmr * matedPairs) <= 1, `${point.fnmr}: ${beyond}`);
  }
});

test('inseparable people have a false non-match rate, separable ones can have none', async () => {
  const clear = await measureCompany(TIMER, inventedPeople(40, 3, 0.02), TEST_CALIBRATION);
  const blurred = await measureCompany(TIMER, inventedPeople(40, 3, 0.5), TEST_CALIBRATION);
  assert.equal(clear.points[1]!.fnmr, 0);
  const { low, high } = clear.points[1]!.fnmrInterval;
  assert.ok(low === 0 && high > 0.08 && high < 0.09, 'as wide as 40 people without an error allow');
  const { fnmr, fnmrInterval } = blurred.points[1]!;
  assert.ok(fnmr > 0.2 && fnmrInterval.low < fnmr && fnmr < fnmrInterval.high);
});

test('too few photos recommend nothing, and say what is missing', async () => {
  const few = await measureCompany(TIMER, inventedPeople(8, 2, 0.1), TEST_CALIBRATION);
  assert.deepEqual([few.points, few.det], [[], []]);
  assert.match(few.tooFew ?? '', /112 pairs of photos of different people.*3000/);
  assert.match(
    (await measureCompany(TIMER, inventedPeople(9, 12, 0.1), TEST_CALIBRATION)).tooFew ?? '',
    /9 people/,
  );
  assert.match(
    (await measureCompany(TIMER, inventedPeople(90, 1, 0.1), TEST_CALIBRATION)).tooFew ?? '',
    /0 pairs of two/,
  );
  assert.match((await measureCompany(TIMER, [], TEST_CALIBRATION)).tooFew ?? '', /0 pairs/);
});

test('the resulting calibration inverts every rate and falls without a step up', async () => {
  const measured = await measureCompany(TIMER, inventedPeople(60, 3, 0.1), TEST_CALIBRATION);
  const calibration = calibrationFrom(measured, TEST_CALIBRATION);
  for (const [i, { fmr, distance: at }] of calibration.points.entries()) {
    assert.ok(i === 0 || at < calibration.points[i - 1]!.distance);
    assert.ok(Math.abs(fmrAtDistance(calibration, distanceAtFmr(calibration, fmr)) / fmr - 1) < 1e-6);
  }
});
