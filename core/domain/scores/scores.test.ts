import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CALIBRATIONS } from '../../vision/calibration.ts';
import { repeatable } from '../calibration/repeatable.ts';
import {
  matchBandOf,
  DEFAULT_FMR,
  distanceAtFmr,
  falsePositiveIdentificationRate,
  fmrAtDistance,
  searchedRate,
  scoreScale,
  similarityScore,
  thresholdForSearch,
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

void test('a search keeps its rate of false alarms among 1,000 to 100,000 persons', () => {
  const random = repeatable(7);
  for (const { points } of Object.values(CALIBRATIONS)) {
    const last = points.at(-1)!;
    const before = points.at(-2)!;
    const rarity = (fmr: number) => Math.sqrt(-Math.log(fmr));
    const slope = (before.distance - last.distance) / (rarity(last.fmr) - rarity(before.fmr));
    const impostor = (fmr: number) => last.distance - slope * (rarity(fmr) - rarity(last.fmr));
    // The table as it is shipped: few points of the distribution, rounded to four decimals.
    const table = {
      points: [0.5, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6].map((fmr) => ({
        fmr,
        distance: Number(impostor(fmr).toFixed(4)),
      })),
    };
    for (const persons of [1_000, 10_000, 100_000])
      for (const rate of [0.1, 0.01, 0.001]) {
        const { maxDistance, keptRate } = thresholdForSearch(table, rate, persons);
        const searches = 300 / rate;
        let alarms = 0;
        // The nearest of so many independent strangers, drawn at once.
        for (let i = 0; i < searches; i++)
          if (impostor(-Math.expm1(Math.log(1 - random()) / persons)) <= maxDistance) alarms++;
        const found = alarms / searches / rate;
        assert.ok(found > 0.67 && found < 1.5, `${rate} among ${persons}: ${found} times as many`);
        assert.equal(keptRate, rate);
      }
  }
});

void test('a threshold beyond the supported rates is the most severe one and says so', () => {
  const bound = thresholdForSearch(CALIBRATION, 1e-3, 100_000);
  const beyond = thresholdForSearch(CALIBRATION, 1e-3, 1_000_000);
  assert.ok(Math.abs(bound.fmr / 1e-8 - 1) < 1e-3 && bound.maxDistance < 0.7);
  assert.equal(beyond.fmr, 1e-8);
  assert.ok(Math.abs(beyond.keptRate / 0.01 - 1) < 0.01);
  assert.equal(thresholdForSearch(CALIBRATION, 0.01, 0).maxDistance, distanceAtFmr(CALIBRATION, 0.01));
});

void test('a table whose rarest points are one distance promises nothing beyond it', () => {
  const flat = {
    points: CALIBRATION.points.map((point) => ({ ...point, distance: Math.max(0.9, point.distance) })),
  };
  const { fmr, maxDistance, keptRate } = thresholdForSearch(flat, 1e-3, 100_000);
  assert.deepEqual([fmr, maxDistance], [1e-6, 0.9]);
  assert.ok(Math.abs(keptRate / falsePositiveIdentificationRate(1e-6, 100_000) - 1) < 1e-12);
  assert.ok(Math.abs(searchedRate(flat, 0.3) / 1e-6 - 1) < 1e-9);
});

void test('a table of one point has a scale and no threshold beyond it', () => {
  const one = { points: [{ fmr: 1e-6, distance: 0.7 }] };
  assert.deepEqual(thresholdForSearch(one, 1e-3, 100_000).fmr, 1e-6);
  assert.equal(searchedRate(one, 0.1), fmrAtDistance(one, 0.1));
  assert.equal(scoreScale(one).length, 1);
});

void test('the rate of a distance beyond the table is that of the threshold there', () => {
  for (const persons of [2_000, 30_000, 90_000]) {
    const { fmr, maxDistance } = thresholdForSearch(CALIBRATION, 1e-3, persons);
    assert.ok(Math.abs(searchedRate(CALIBRATION, maxDistance) / fmr - 1) < 1e-6);
  }
  assert.ok(Math.abs(searchedRate(CALIBRATION, 0) / 1e-8 - 1) < 1e-9);
});

void test('the threshold of a search gets more severe with each person', () => {
  const persons = () => fc.integer({ min: 1, max: 10_000_000 });
  const chosen = () => fc.double({ min: 1e-6, max: 0.1, noNaN: true });
  fc.assert(
    fc.property(persons(), persons(), chosen(), (one, other, rate) => {
      const [few, many] = [Math.min(one, other), Math.max(one, other)].map((count) =>
        thresholdForSearch(CALIBRATION, rate, count),
      );
      assert.ok(many!.maxDistance <= few!.maxDistance && many!.keptRate >= few!.keptRate);
      assert.ok(few!.keptRate >= rate);
    }),
  );
});
