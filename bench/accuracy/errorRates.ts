/** Error rates of comparisons (ISO/IEC 19795-1): what share of non-mated pairs match, what share of the same people do not. */
import { thresholdAt } from '../../core/domain/calibration/det.ts';
import type { Comparisons } from './comparisons.ts';
import { repeatable } from '../../core/domain/calibration/repeatable.ts';

/** Share of non-mated comparisons at or under the threshold. */
export function falseMatchRate({ nonMated }: Comparisons, threshold: number): number {
  return share(nonMated.distance, (distance) => distance <= threshold);
}

/** Share of mated comparisons at or under the threshold; a missed face is a missed match. */
export function trueMatchRate({ mated }: Comparisons, threshold: number): number {
  return share(mated.distance, (distance) => distance <= threshold);
}

function share(distances: Float32Array, test: (distance: number) => boolean): number {
  let count = 0;
  for (const distance of distances) if (test(distance)) count++;
  return count / distances.length;
}

export interface Interval {
  rate: number;
  /** 95 % of the resampled values lie between. */
  low: number;
  high: number;
}

/** Only the nearest non-mated pairs decide about small rates; this share of them is kept for the resampling. */
const TAIL = 0.02;

/**
 * True match rates at the thresholds that give these false match rates, with intervals from `rounds` resamplings of the
 * people (bootstrap): pairs share people, so resampling pairs would promise too much.
 * @param fmrs below 0.01
 */
export function trueMatchRates(comparisons: Comparisons, fmrs: readonly number[], rounds = 500): Interval[] {
  if (fmrs.length === 0) return [];
  const { identities, nonMated } = comparisons;
  const sorted = nonMated.distance.toSorted();
  const kept = tail(comparisons, thresholdAt(sorted, TAIL));
  const random = repeatable(1);
  const samples = fmrs.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    const times = new Uint8Array(identities.length);
    for (const _ of identities) times[Math.floor(random() * identities.length)]!++;
    const thresholds = resampledThresholds(kept, nonMated.distance.length, times, fmrs);
    thresholds.forEach((threshold, i) => samples[i]!.push(resampledRate(comparisons, threshold, times)));
  }
  return fmrs.map((fmr, i) => {
    const values = samples[i]!.toSorted((a, b) => a - b);
    return {
      rate: trueMatchRate(comparisons, thresholdAt(sorted, fmr)),
      low: values[Math.floor(0.025 * rounds)]!,
      high: values[Math.floor(0.975 * rounds)]!,
    };
  });
}

interface Tail {
  a: number;
  b: number;
  distance: number;
}

function tail({ nonMated }: Comparisons, limit: number): Tail[] {
  const kept: Tail[] = [];
  for (const [i, distance] of nonMated.distance.entries())
    if (distance <= limit) kept.push({ a: nonMated.a[i]!, b: nonMated.b[i]!, distance });
  return kept.sort((p, q) => p.distance - q.distance);
}

/** Resampling people changes how often a pair counts; the number of all pairs stays the same on average. */
function resampledThresholds(
  nearest: readonly Tail[],
  total: number,
  times: Uint8Array,
  fmrs: readonly number[],
): number[] {
  return fmrs.map((fmr) => {
    let weight = 0;
    for (const { a, b, distance } of nearest) {
      weight += times[a]! * times[b]!;
      if (weight >= fmr * total) return distance;
    }
    return nearest.at(-1)!.distance;
  });
}

function resampledRate({ mated }: Comparisons, threshold: number, times: Uint8Array): number {
  let matches = 0;
  let total = 0;
  for (const [i, distance] of mated.distance.entries()) {
    const weight = times[mated.identity[i]!]!;
    total += weight;
    if (distance <= threshold) matches += weight;
  }
  return matches / total;
}
