/**
 * The tail of a gallery's distances: which share of pairs of different people is nearer than a distance. Measured on random pairs
 * of the gallery, and extrapolated to the rates at which all pairs of a large gallery are compared.
 */
import type { DistanceTail, TailLaw } from '../ports/duplicates.ts';
import type { Timer } from '../ports/machine.ts';
import { distanceAtFmr, type Calibration } from '../scores/scores.ts';

/** An estimated number with the bounds between which it lies in 95 of 100 cases. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** Random faces at most: 18 million pairs, some seconds of one core. */
export const SAMPLE = 6_000;
/** The law is fitted to pairs between these rates, as far as there are enough of them. */
const [WIDEST, NARROWEST] = [3e-2, 1e-6];
/** So many pairs at least lie below the lowest rate that is fitted (rule of 30, Doddington). */
const FEWEST = 30;
/** Parts of the faces that are left out in turn to see how much the law depends on chance. */
const PARTS = 20;
const BINS = 2_048;
/** Standard error of ln FMR for each factor e of extrapolation: how well the law holds on galleries whose tail is known. */
const MODEL_ERROR = 0.12;
/** The law of the gallery must be better known at this rate than that of a calibration that was measured elsewhere. */
const RATE_OF_USE = 1e-5;
/** Standard error of ln FMR where a gallery is too small to measure: a factor of ten at 95 %. */
const UNMEASURED_ERROR = Math.LN10 / 1.96;
const NORMAL_95 = 1.96;

/**
 * Measures the tail on all pairs of some faces. Of faces that are linked by pairs so near that they probably show one person,
 * one face counts: otherwise a person with many photos would bring pairs that are near, but not near enough to be left out.
 * @param vectors of unit length, in random order
 * @param calibration of the company; its law is taken where the gallery has too few people to know its own law better
 */
export async function measureTail(
  timer: Pick<Timer, 'yield'>,
  vectors: readonly Float32Array[],
  calibration: Calibration,
): Promise<DistanceTail> {
  const known = lawOf(calibration);
  const strong = lawDistance(known, NARROWEST);
  const people = await onePerPerson(timer, vectors, strong);
  const counts = await histogram(timer, people, distanceAtFmr(calibration, 0.5));
  const pairs = (people.length * (people.length - 1)) / 2;
  const window = windowOf(counts.all, pairs, counts.width, strong);
  const law = window && fit(counts.all, pairs, counts.width, window, known);
  const measured = { faces: people.length, pairs, strong };
  const calibrated = { ...measured, measuredTo: 1, law: known, error: errorOf(known, UNMEASURED_ERROR) };
  if (window === undefined || law === undefined) return calibrated;
  const size = people.length / PARTS;
  const pairsWithout = ((people.length - size) * (people.length - size - 1)) / 2;
  const laws = counts.parts.map((part) => {
    const without = counts.all.map((count, bin) => count - part[bin]!);
    return fit(without, pairsWithout, counts.width, window, law) ?? law;
  });
  const tail = {
    ...measured,
    measuredTo: rateAt(law, window.from * counts.width),
    law,
    error: jackknife(laws),
  };
  return deviationAt(tail, tailDistance(tail, RATE_OF_USE)) < UNMEASURED_ERROR ? tail : calibrated;
}

/** The share of pairs of different people that are at most `distance` apart. */
export function tailRate({ law }: DistanceTail, distance: number): number {
  return rateAt(law, distance);
}

/** The distance that `rate` of the pairs of different people are within; at least 0. */
export function tailDistance({ law }: DistanceTail, rate: number): number {
  return Math.max(0, lawDistance(law, rate));
}

function lawDistance({ at, level, slope }: TailLaw, rate: number): number {
  return at + (Math.sqrt(-Math.log(rate)) - level) / slope;
}

/** How many of so many comparisons of different people are expected within a distance, and how many there can be by chance. */
export function expectedWithin(tail: DistanceTail, comparisons: number, distance: number): Estimate {
  const value = comparisons * rateAt(tail.law, distance);
  const factor = Math.exp(NORMAL_95 * deviationAt(tail, distance));
  return {
    value,
    low: poissonLow(value / factor),
    high: Math.min(comparisons, poissonHigh(Math.min(comparisons, value * factor))),
  };
}

/** The standard error of ln FMR at a distance: of the law, and of its extrapolation. */
function deviationAt({ law, error, measuredTo }: DistanceTail, distance: number): number {
  const x = distance - law.at;
  const s = Math.max(0, law.level + law.slope * x);
  const ofLaw = 4 * s * s * (error.level + 2 * x * error.both + x * x * error.slope);
  const extrapolated = Math.max(0, s * s + Math.log(measuredTo));
  return Math.sqrt(Math.max(0, ofLaw) + (MODEL_ERROR * extrapolated) ** 2);
}

function rateAt({ at, level, slope }: TailLaw, distance: number): number {
  return Math.exp(-(Math.max(0, level + slope * (distance - at)) ** 2));
}

/** The line through the two rarest rates of a calibration. */
function lawOf({ points }: Calibration): TailLaw {
  const [from, to] = points.slice(-2);
  if (from === undefined || to === undefined) throw new RangeError('A calibration needs two points.');
  const level = Math.sqrt(-Math.log(from.fmr));
  const slope = (Math.sqrt(-Math.log(to.fmr)) - level) / (to.distance - from.distance);
  return { at: from.distance, level, slope };
}

/** The first of the vectors of each person, where vectors that a chain of near pairs links are of one person. */
async function onePerPerson(
  timer: Pick<Timer, 'yield'>,
  vectors: readonly Float32Array[],
  near: number,
): Promise<Float32Array[]> {
  const least = 1 - near ** 2 / 2;
  const parents = vectors.map((_, index) => index);
  const firstOf = (index: number): number => {
    while (parents[index] !== index) index = parents[index] = parents[parents[index]!]!;
    return index;
  };
  for (const [i, one] of vectors.entries()) {
    for (let j = 0; j < i; j++) {
      if (dot(one, vectors[j]!) < least) continue;
      const [a, b] = [firstOf(i), firstOf(j)];
      parents[Math.max(a, b)] = Math.min(a, b);
    }
    if (i % 8 === 0) await timer.yield();
  }
  return vectors.filter((_, index) => parents[index] === index);
}

/** Distances of all pairs up to the largest one, in bins: of all faces, and of the pairs that hold a face of each part. */
async function histogram(
  timer: Pick<Timer, 'yield'>,
  vectors: readonly Float32Array[],
  largest: number,
): Promise<{ all: Float64Array; parts: Float64Array[]; width: number }> {
  const width = largest / BINS;
  const all = new Float64Array(BINS);
  const parts = Array.from({ length: PARTS }, () => new Float64Array(BINS));
  const least = 1 - largest ** 2 / 2;
  for (const [i, one] of vectors.entries()) {
    for (let j = 0; j < i; j++) {
      const product = dot(one, vectors[j]!);
      if (product <= least) continue;
      const bin = Math.min(BINS - 1, Math.floor(Math.sqrt(Math.max(0, 2 - 2 * product)) / width));
      all[bin]!++;
      parts[i % PARTS]![bin]!++;
      if (j % PARTS !== i % PARTS) parts[j % PARTS]![bin]!++;
    }
    if (i % 8 === 0) await timer.yield();
  }
  return { all, parts, width };
}

function dot(a: Float32Array, b: Float32Array): number {
  let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < a.length; i += 4) {
    sum0 += a[i]! * b[i]!;
    sum1 += a[i + 1]! * b[i + 1]!;
    sum2 += a[i + 2]! * b[i + 2]!;
    sum3 += a[i + 3]! * b[i + 3]!;
  }
  for (; i < a.length; i++) sum0 += a[i]! * b[i]!;
  return sum0 + sum1 + sum2 + sum3;
}

/**
 * The bins that the law is fitted to, beyond the distance at which pairs may show one person.
 * @returns undefined: too few pairs
 */
function windowOf(
  counts: Float64Array,
  pairs: number,
  width: number,
  near: number,
): { from: number; to: number } | undefined {
  const lowest = Math.max(NARROWEST * pairs, FEWEST);
  const highest = Math.min(WIDEST * pairs, Math.max(1e-3 * pairs, 1_000 * lowest));
  let count = 0;
  let from: number | undefined;
  for (let bin = Math.floor(near / width); bin < counts.length; bin++) {
    count += counts[bin]!;
    if (from === undefined && count >= lowest) from = bin + 1;
    if (from !== undefined && count >= highest && count >= 3 * lowest) return { from, to: bin + 1 };
  }
  return undefined;
}

/** Most likely law of the counts of some bins, by Fisher scoring. @returns undefined: it does not converge */
function fit(
  counts: Float64Array,
  pairs: number,
  width: number,
  { from, to }: { from: number; to: number },
  start: TailLaw,
): TailLaw | undefined {
  const law = {
    at: to * width,
    level: Math.sqrt(-Math.log(Math.max(1 / pairs, sum(counts, from, to) / pairs))),
    slope: start.slope,
  };
  for (let round = 0; round < 100; round++) {
    let [aa, ab, bb, a, b] = [0, 0, 0, 0, 0];
    let before = slopesAt(law, from * width, pairs);
    for (let bin = from; bin < to; bin++) {
      const after = slopesAt(law, (bin + 1) * width, pairs);
      const expected = Math.max(1e-9, after.count - before.count);
      const [level, slope] = [after.level - before.level, after.slope - before.slope];
      const rest = counts[bin]! - expected;
      aa += (level * level) / expected;
      ab += (level * slope) / expected;
      bb += (slope * slope) / expected;
      a += (level * rest) / expected;
      b += (slope * rest) / expected;
      before = after;
    }
    const determinant = aa * bb - ab * ab;
    if (!(determinant > 0)) return undefined;
    const level = (bb * a - ab * b) / determinant;
    const slope = (aa * b - ab * a) / determinant;
    // Half steps while the level would leave the range in which the law falls.
    const step = Math.min(
      1,
      (0.3 * law.level) / Math.abs(level),
      (0.3 * Math.abs(law.slope)) / Math.abs(slope),
    );
    law.level += step * level;
    law.slope += step * slope;
    if (Math.abs(level) < 1e-9 && Math.abs(slope) < 1e-9) return law.slope < 0 ? law : undefined;
  }
  return undefined;
}

/** Pairs within a distance, and their derivatives by level and slope. */
function slopesAt(
  law: TailLaw,
  distance: number,
  pairs: number,
): { count: number; level: number; slope: number } {
  const x = distance - law.at;
  const s = Math.max(0, law.level + law.slope * x);
  const count = pairs * Math.exp(-(s * s));
  return { count, level: -2 * s * count, slope: -2 * s * count * x };
}

/** Variances by leaving out one part at a time. All laws have the same `at`. */
function jackknife(laws: readonly TailLaw[]): DistanceTail['error'] {
  const mean = (of: (law: TailLaw) => number) =>
    laws.reduce((total, law) => total + of(law), 0) / laws.length;
  const [level, slope] = [mean((law) => law.level), mean((law) => law.slope)];
  const times = laws.length - 1;
  return {
    level: times * mean((law) => (law.level - level) ** 2),
    slope: times * mean((law) => (law.slope - slope) ** 2),
    both: times * mean((law) => (law.level - level) * (law.slope - slope)),
  };
}

/** The error of a law whose ln FMR has this standard error near its own distance. */
function errorOf({ level }: TailLaw, deviation: number): DistanceTail['error'] {
  return { level: (deviation / (2 * level)) ** 2, slope: 0, both: 0 };
}

function sum(counts: Float64Array, from: number, to: number): number {
  let total = 0;
  for (let bin = from; bin < to; bin++) total += counts[bin]!;
  return total;
}

/** The count that a Poisson number of this mean stays above in 97.5 of 100 cases (Wilson and Hilferty). */
function poissonLow(mean: number): number {
  if (mean <= 0) return 0;
  return Math.max(0, Math.floor(mean * (1 - 1 / (9 * mean) - NORMAL_95 / (3 * Math.sqrt(mean))) ** 3));
}

/** The count that it stays below. */
function poissonHigh(mean: number): number {
  const above = mean + 1;
  return Math.ceil(above * (1 - 1 / (9 * above) + NORMAL_95 / (3 * Math.sqrt(above))) ** 3);
}
