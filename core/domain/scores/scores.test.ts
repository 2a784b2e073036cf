import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  matchBandOf,
  DEFAULT_FMR,
  distanceAtFmr,
  falsePositiveIdentificationRate,
  fmrAtDistance,
  similarityScore,
  type Calibration,
} from './scores.ts';

const CALIBRATION: Calibration = {
  points: [
    { fmr: 0.5, distance: 1.4 },
    { fmr: 1e-2, distance: 1.1 },
    { fmr: 1e-4, distance: 0.9 },
    { fmr: 1e-6, distance: 0.7 },
  ],
};
const distance = () => fc.double({ min: 0, max: 2, noNaN: true });

test('the default threshold sits at score 70, a strong match begins at 85', () => {
  assert.equal(similarityScore(CALIBRATION, distanceAtFmr(CALIBRATION, DEFAULT_FMR)), 70);
  assert.equal(similarityScore(CALIBRATION, 0.7), 85);
  assert.equal(similarityScore(CALIBRATION, 0), 100);
  assert.equal(similarityScore(CALIBRATION, 2), 0);
});

test('a nearer face never scores lower, and every score is between 0 and 100', () => {
  fc.assert(
    fc.property(distance(), distance(), (a, b) => {
      const [near, far] = a < b ? [a, b] : [b, a];
      const scores = [similarityScore(CALIBRATION, near), similarityScore(CALIBRATION, far)] as const;
      assert(scores[0] >= scores[1] && scores[1] >= 0 && scores[0] <= 100);
    }),
  );
});

test('distance and false-match rate are each other’s inverse where they were measured', () => {
  fc.assert(
    fc.property(fc.double({ min: -5.9, max: -0.4, noNaN: true }), (exponent) => {
      const fmr = 10 ** exponent;
      const back = fmrAtDistance(CALIBRATION, distanceAtFmr(CALIBRATION, fmr));
      assert(Math.abs(back / fmr - 1) < 1e-9);
    }),
  );
});

test('no rate is promised beyond what was measured', () => {
  assert.equal(distanceAtFmr(CALIBRATION, 1e-9), 0.7);
  assert(Math.abs(fmrAtDistance(CALIBRATION, 0.1) / 1e-6 - 1) < 1e-9);
});

test('a match is strong at one false match in a million, else possible', () => {
  assert.equal(matchBandOf(CALIBRATION, 0.7), 'strong');
  assert.equal(matchBandOf(CALIBRATION, 0.7001), 'possible');
});

test('a larger gallery raises the chance of a false alarm: 1 − (1 − fmr)^size', () => {
  assert(Math.abs(falsePositiveIdentificationRate(1e-4, 10_000) - 0.632) < 0.001);
  assert(Math.abs(falsePositiveIdentificationRate(1e-9, 1) - 1e-9) < 1e-15);
  assert.equal(falsePositiveIdentificationRate(1e-4, 0), 0);
});
