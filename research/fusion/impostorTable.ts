/** The table of impostor distances that ships with a pipeline. */
import { thresholdAt } from '../../core/domain/calibration/det.ts';
import { distanceAtFmr, fmrAtDistance, type Calibration } from '../../core/domain/scores/scores.ts';
import type { Comparisons } from '../../bench/accuracy/comparisons.ts';
import { type Interval } from '../../bench/accuracy/errorRates.ts';
import { repeatable } from '../../core/domain/calibration/repeatable.ts';

/** Rates whose distance is read off the comparisons; rarer ones rest on too few pairs. */
const MEASURED = [0.5, 1e-1, 1e-2, 1e-3, 1e-4];
const EXTRAPOLATED = [1e-5, 1e-6];
/** The part of the tail that the extrapolation is fitted to: 2,700 pairs of LFW's 2.7 million at one end, 27 at the other. */
const FITTED_FROM = -3;
const FITTED_TO = -5;
const FITTED_POINTS = 9;

/** @param sorted all non-mated distances, rising */
export function impostorTable(sorted: Float32Array): Calibration {
  const extrapolate = tailOf(sorted);
  const points = [
    ...MEASURED.map((fmr) => ({ fmr, distance: thresholdAt(sorted, fmr) })),
    ...EXTRAPOLATED.map((fmr) => ({ fmr, distance: extrapolate(fmr) })),
  ];
  return { points: points.map(({ fmr, distance }) => ({ fmr, distance: Number(distance.toFixed(4)) })) };
}

/**
 * Least-squares line through distance over the root of −log FMR: straight for a distribution whose lower tail falls off
 * as a normal one's does, which the measured part bears out.
 */
function tailOf(sorted: Float32Array): (fmr: number) => number {
  const points = Array.from({ length: FITTED_POINTS }, (_, i) => {
    const fmr = 10 ** (FITTED_FROM + ((FITTED_TO - FITTED_FROM) * i) / (FITTED_POINTS - 1));
    return { x: abscissa(fmr), y: thresholdAt(sorted, fmr) };
  });
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const slope =
    points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) /
    points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return (fmr) => meanY + slope * (abscissa(fmr) - meanX);
}

function abscissa(fmr: number): number {
  return Math.sqrt(-Math.log(fmr));
}

/** Distances of non-mated pairs within one group, which are smaller than those of people from everywhere. */
export interface LookAlikes {
  calibration: Calibration;
  /** non-mated pairs within the group. */
  pairs: number;
  /** How far the distance of the rarest rate that can be read off lies from that of everybody. */
  moved: Interval;
  /** False match rate over all people at the group's threshold for 1e-4. */
  everybody: number;
}

/** So many expected errors make a rate readable (rule of 30, Doddington). */
const RULE_OF_30 = 30;
const ROUNDS = 400;

/**
 * The impostor table of a group: read off its own pairs as far as 30 of them decide, beyond that everybody's table moved to
 * that point, as a site calibration is (ADR 0016).
 * @param group whom it is of
 */
export function lookAlikeTable(
  { identities, nonMated }: Comparisons,
  group: ReadonlySet<string>,
  everybody: Calibration,
): LookAlikes {
  const member = identities.map((identity) => group.has(identity));
  const pairs = [...nonMated.distance.keys()].filter((i) => member[nonMated.a[i]!] && member[nonMated.b[i]!]);
  pairs.sort((i, j) => nonMated.distance[i]! - nonMated.distance[j]!);
  const rarest = RULE_OF_30 / pairs.length;
  const atRarest = distanceAtFmr(everybody, rarest);
  const read = (fmr: number, times: Uint8Array) => {
    let weight = 0;
    for (const i of pairs) {
      weight += times[nonMated.a[i]!]! * times[nonMated.b[i]!]!;
      if (weight >= fmr * pairs.length) return nonMated.distance[i]!;
    }
    return nonMated.distance[pairs.at(-1)!]!;
  };
  const once = new Uint8Array(identities.length).fill(1);
  const moved = read(rarest, once) - atRarest;
  const calibration: Calibration = {
    points: everybody.points.map(({ fmr, distance }) => ({
      fmr,
      distance: Number((fmr > rarest ? read(fmr, once) : distance + moved).toFixed(4)),
    })),
  };
  return {
    calibration,
    pairs: pairs.length,
    moved: { rate: moved, ...resampled(member, (times) => read(rarest, times) - atRarest) },
    everybody: fmrAtDistance(everybody, distanceAtFmr(calibration, 1e-4)),
  };
}

/** 95 % of what comes out when the members are redrawn, with replacement. */
function resampled(
  member: readonly boolean[],
  measure: (times: Uint8Array) => number,
): Omit<Interval, 'rate'> {
  const members = [...member.keys()].filter((i) => member[i]);
  const random = repeatable(1);
  const values = Array.from({ length: ROUNDS }, () => {
    const times = new Uint8Array(member.length);
    for (const _ of members) times[members[Math.floor(random() * members.length)]!]!++;
    return measure(times);
  }).sort((a, b) => a - b);
  return { low: values[Math.floor(0.025 * ROUNDS)]!, high: values[Math.floor(0.975 * ROUNDS)]! };
}
