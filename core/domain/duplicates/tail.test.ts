/** The tail of a gallery's distances, on invented galleries whose pairs of different people can be counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatable } from '../calibration/repeatable.ts';
import type { Calibration } from '../scores/scores.ts';
import { expectedWithin, measureTail, tailDistance, tailRate } from './tail.ts';

/** `VOUCH_RUNS=40` for the long run. */
const RUNS = Number(process.env.VOUCH_RUNS ?? 2);
const [PEOPLE, DIMENSIONS] = [1_100, 24];
const timer = { yield: () => Promise.resolve() };
/** As far off as the table of a pipeline that was measured on other photos. */
const ELSEWHERE: Calibration = {
  points: [
    { fmr: 0.5, distance: 1.3 },
    { fmr: 1e-4, distance: 0.6 },
    { fmr: 1e-6, distance: 0.45 },
  ],
};

/** Unit vectors of different people, spread less and less along their axes, as templates are. */
function people(count: number, seed: number): Float32Array[] {
  const random = repeatable(seed);
  for (let skipped = 0; skipped < 16; skipped++) random();
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, () => {
    const vector = Float64Array.from({ length: DIMENSIONS }, (_, i) => normal() * 0.97 ** i);
    const length = Math.hypot(...vector);
    return Float32Array.from(vector, (component) => component / length);
  });
}

/** Distances of all pairs, rising. */
function distances(vectors: readonly Float32Array[]): Float64Array {
  const all = new Float64Array((vectors.length * (vectors.length - 1)) / 2);
  let next = 0;
  for (const [i, one] of vectors.entries())
    for (let j = 0; j < i; j++) {
      let product = 0;
      for (let k = 0; k < DIMENSIONS; k++) product += one[k]! * vectors[j]![k]!;
      all[next++] = Math.sqrt(Math.max(0, 2 - 2 * product));
    }
  return all.sort();
}

function countWithin(sorted: Float64Array, distance: number): number {
  const beyond = sorted.findIndex((each) => each > distance);
  return beyond < 0 ? sorted.length : beyond;
}

test('the interval of chance pairs covers those that whole galleries have', async (t) => {
  let [covered, asked] = [0, 0];
  const factors: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const vectors = people(PEOPLE, 1_000 + run);
    const sorted = distances(vectors);
    // The law is measured on a third of the faces, a ninth of the pairs.
    const tail = await measureTail(timer, vectors.slice(0, PEOPLE / 3), ELSEWHERE);
    for (const rate of [3e-4, 1e-4, 3e-5, 1e-5]) {
      const distance = tailDistance(tail, rate);
      assert.ok(Math.abs(Math.log(tailRate(tail, distance) / rate)) < 1e-9);
      const { value, low, high } = expectedWithin(tail, sorted.length, distance);
      const count = countWithin(sorted, distance);
      assert.ok(low <= value && value <= high);
      asked++;
      if (count >= low && count <= high) covered++;
      factors.push((count + 1) / (value + 1));
    }
  }
  t.diagnostic(
    `${covered} of ${asked} covered; found / expected ${factors.map((f) => f.toFixed(2)).join(' ')}`,
  );
  assert.ok(covered >= 0.9 * asked, `${covered} of ${asked}`);
});

test('pairs of one person, also hundreds of copies of a photo, do not move the tail', async () => {
  const vectors = people(600, 5);
  const plain = await measureTail(timer, vectors, ELSEWHERE);
  const random = repeatable(9);
  const again = vectors.slice(0, 120).map((vector) => vector.map((x) => x + 0.02 * (random() - 0.5)));
  const copies = Array.from({ length: 60 }, () => vectors[0]!);
  const mixed = await measureTail(timer, [...vectors, ...again, ...copies], ELSEWHERE);
  const distance = tailDistance(plain, 1e-6);
  const { value, low, high } = expectedWithin(mixed, 1e9, distance);
  assert.ok(low < 1_000 && high > 1_000, `${value} (${low} to ${high}) instead of 1,000`);
  const near = countWithin(distances([...vectors, ...again, ...copies]), distance);
  assert.ok(near > 1_500, 'the pairs of one person are far more than a share of 1e-6');
});

test('a small gallery takes the law of its calibration with a wide interval', async () => {
  const tail = await measureTail(timer, people(20, 3), ELSEWHERE);
  assert.deepEqual([tail.faces, tail.pairs, tail.measuredTo], [20, 190, 1]);
  assert.ok(Math.abs(tailDistance(tail, 1e-6) - 0.45) < 1e-9);
  const { value, low, high } = expectedWithin(tail, 1e9, 0.45);
  assert.ok(Math.abs(value - 1_000) < 1e-6 && low < 150 && high > 8_000, `${low} ${high}`);
});
