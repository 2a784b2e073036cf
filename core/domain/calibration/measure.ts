/**
 * Error rates of a pipeline on the company's own labelled photos (ISO/IEC 19795-1): what share of non-mated pairs match,
 * what share of pairs of one person do not, and what can be said from so many pairs at all.
 */
import type { Timer } from '../ports/machine.ts';
import { DEFAULT_FMR, distanceAtFmr, type Calibration } from '../scores/scores.ts';
import { LEAST_IN_GROUP, type GroupRates } from '../../contracts/calibration.ts';
import { detCurve, type DetPoint } from './det.ts';
import { groupRates, type Pairs } from './groups.ts';
import { widened } from '../values/share.ts';
import { repeatable } from './repeatable.ts';

/** One described photo. `vector`: unit length. */
export interface LabelledTemplate {
  person: string;
  vector: Float32Array;
}

/** The rates that are reported, and that an applied calibration has points at. */
export const REPORTED_FMRS = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] as const;
/** Where the calibration's table begins. */
const WIDEST_FMR = 0.5;

/**
 * The certainty of a rate by the number of pairs. Rule of 30 (Doddington): with 30 expected errors the true rate is within 30 % of
 * the found one, 90 times of 100. Rule of 3: with none in N, the rate is below 3/N, 95 times of 100. Both count pairs as
 * independent, which pairs of the same people are not; so they say at most this much.
 */
export type Statement = 'measured' | 'estimated' | 'extrapolated';
const RULE_OF_30 = 30;
const RULE_OF_3 = 3;

/** The rarest rate that must be measured before the rest of the curve is moved with it. */
const NEEDED_FMR = 1e-2;
const ROUNDS = 400;

export interface Interval {
  low: number;
  high: number;
}

/** One operating point. FNMR counts pairs of described photos; who was refused is in `failureToAcquire`. */
export interface OperatingPoint {
  fmr: number;
  statement: Statement;
  /** Distance of this rate on the company's photos: read off where measured, else the shipped one moved with the company's. */
  distance: number;
  /** 95 % of the resampled values lie between. */
  interval: Interval;
  fnmr: number;
  fnmrInterval: Interval;
  shipped: {
    distance: number;
    /** Non-mated pairs that match at the shipped threshold, and the rate that is at least not exceeded (95 %). */
    falseMatches: number;
    fmrAtMost: number;
    fnmr: number;
  };
}

export interface CompanyMeasurement {
  people: number;
  photos: number;
  matedPairs: number;
  nonMatedPairs: number;
  /** By falling rate. Empty when there are too few pairs to move anything. */
  points: OperatingPoint[];
  /** The curve that the pairs draw themselves, nothing of the shipped one in it: by falling rate, empty like `points`. */
  det: DetPoint[];
  /** Null: no groups were given, or nothing can be recommended. */
  groups: GroupRates | null;
  /** Why nothing can be recommended; null when something can. */
  tooFew: string | null;
}

/**
 * @param shipped what the pipeline's distances mean elsewhere @param groupOf the group of each person, for rates by group
 * Gives way to others between rows of the pair matrix.
 */
export async function measureCompany(
  timer: Pick<Timer, 'yield'>,
  templates: readonly LabelledTemplate[],
  shipped: Calibration,
  groupOf: ReadonlyMap<string, string> = new Map(),
): Promise<CompanyMeasurement> {
  const people = [...new Set(templates.map(({ person }) => person))];
  const { mated, nonMated } = await allPairs(timer, templates, people);
  const counts = {
    people: people.length,
    photos: templates.length,
    matedPairs: mated.distance.length,
    nonMatedPairs: nonMated.distance.length,
  };
  const tooFew = whyTooFew(counts);
  if (tooFew !== null) return { ...counts, points: [], det: [], groups: null, tooFew };
  const order = orderOf(nonMated.distance);
  const once = new Uint8Array(people.length).fill(1);
  const found = thresholds(nonMated, order, once, shipped);
  const random = repeatable(counts.photos);
  const rounds: { distances: number[]; fnmrs: number[] }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = new Uint8Array(people.length);
    for (const _ of people) times[Math.floor(random() * people.length)]!++;
    const distances = thresholds(nonMated, order, times, shipped);
    // Of the threshold as it was found, on other people: of both together the interval would count the same luck twice.
    rounds.push({ distances, fnmrs: found.map((distance) => nonMatchRate(mated, distance, times)) });
    if (round % 20 === 0) await timer.yield();
  }
  const several = new Set(mated.a).size;
  const points = REPORTED_FMRS.map((fmr, i): OperatingPoint => {
    const distance = found[i]!;
    const fnmr = nonMatchRate(mated, distance, once);
    const shippedDistance = distanceAtFmr(shipped, fmr);
    const falseMatches = nonMated.distance.reduce((sum, each) => sum + (each <= shippedDistance ? 1 : 0), 0);
    return {
      fmr,
      statement: statementOf(fmr, counts.nonMatedPairs),
      distance,
      interval: intervalOf(rounds.map(({ distances }) => distances[i]!)),
      fnmr,
      // Pairs of one person are not independent: the people with several photos are the trials.
      fnmrInterval: widened(intervalOf(rounds.map(({ fnmrs }) => fnmrs[i]!)), fnmr, several),
      shipped: {
        distance: shippedDistance,
        falseMatches,
        fmrAtMost: upperBound(falseMatches, counts.nonMatedPairs),
        fnmr: nonMatchRate(mated, shippedDistance, once),
      },
    };
  });
  const rarest = points.findLast(({ statement }) => statement === 'measured')?.fmr;
  const stated = points.filter(({ fmr }) => fmr === rarest || fmr === DEFAULT_FMR);
  const nearest = Float32Array.from(order, (pair) => nonMated.distance[pair]!);
  return {
    ...counts,
    points,
    det: detCurve(mated.distance, nearest, nonMated.distance.length),
    groups: groupOf.size === 0 ? null : groupRates(people, templates, { mated, nonMated }, groupOf, stated),
    tooFew: null,
  };
}

/** The rates of a company's distances by these measurements. */
export function calibrationFrom({ points }: CompanyMeasurement, shipped: Calibration): Calibration {
  const [first] = points;
  if (first === undefined) throw new RangeError('Nothing was measured that a calibration could be made of.');
  const moved = first.distance - distanceAtFmr(shipped, first.fmr);
  return {
    points: [
      { fmr: WIDEST_FMR, distance: distanceAtFmr(shipped, WIDEST_FMR) + moved },
      ...points.map(({ fmr, distance }) => ({ fmr, distance })),
    ],
  };
}

function statementOf(fmr: number, pairs: number): Statement {
  if (fmr * pairs >= RULE_OF_30) return 'measured';
  return fmr * pairs >= RULE_OF_3 ? 'estimated' : 'extrapolated';
}

function whyTooFew({
  people,
  matedPairs,
  nonMatedPairs,
}: Pick<CompanyMeasurement, 'people' | 'matedPairs' | 'nonMatedPairs'>): string | null {
  const needed = RULE_OF_30 / NEEDED_FMR;
  if (nonMatedPairs < needed)
    return `There are ${nonMatedPairs} pairs of photos of different people. A false-match rate of 1 in 100 needs ${needed} (rule of 30): photos of 80 people, or more photos of fewer.`;
  if (people < LEAST_IN_GROUP.people)
    return `There are ${people} people. The interval resamples people, and needs at least ${LEAST_IN_GROUP.people}.`;
  if (matedPairs < RULE_OF_30)
    return `There are ${matedPairs} pairs of two photos of one person. A false-non-match rate needs at least ${RULE_OF_30}.`;
  return null;
}

/** Clopper and Pearson's upper bound (95 %, one-sided) by its Poisson limit; 3/N when there were none. */
function upperBound(events: number, trials: number): number {
  // Wilson and Hilferty's quantile of chi-squared with 2(k + 1) degrees of freedom, at 0.95.
  const k = events + 1;
  const z = 1.6449;
  const cube = 1 - 1 / (9 * k) + z / (3 * Math.sqrt(k));
  return Math.min(1, (events === 0 ? RULE_OF_3 : k * cube ** 3) / trials);
}

async function allPairs(
  timer: Pick<Timer, 'yield'>,
  templates: readonly LabelledTemplate[],
  people: readonly string[],
): Promise<{ mated: Pairs; nonMated: Pairs }> {
  const numbers = new Map(people.map((person, i) => [person, i]));
  const who = templates.map(({ person }) => numbers.get(person)!);
  const all = (templates.length * (templates.length - 1)) / 2;
  const mated = room(all);
  const nonMated = room(all);
  const filled = { mated: 0, nonMated: 0 };
  for (const [i, { vector }] of templates.entries()) {
    for (let j = 0; j < i; j++) {
      const kind = who[i] === who[j] ? 'mated' : 'nonMated';
      const into = kind === 'mated' ? mated : nonMated;
      const at = filled[kind]++;
      into.distance[at] = euclidean(vector, templates[j]!.vector);
      into.a[at] = who[i]!;
      into.b[at] = who[j]!;
    }
    if (i % 16 === 0) await timer.yield();
  }
  return { mated: cut(mated, filled.mated), nonMated: cut(nonMated, filled.nonMated) };
}

function room(pairs: number): Pairs {
  return { distance: new Float32Array(pairs), a: new Uint16Array(pairs), b: new Uint16Array(pairs) };
}

function cut({ distance, a, b }: Pairs, count: number): Pairs {
  return { distance: distance.slice(0, count), a: a.slice(0, count), b: b.slice(0, count) };
}

function euclidean(p: Float32Array, q: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < p.length; i++) sum += (p[i]! - q[i]!) ** 2;
  return Math.sqrt(sum);
}

/** Numbers of the pairs by rising distance, as far as rates of interest reach. */
function orderOf(distance: Float32Array): Uint32Array {
  const order = Uint32Array.from({ length: distance.length }, (_, i) => i);
  order.sort((i, j) => distance[i]! - distance[j]!);
  return order.subarray(0, Math.ceil(distance.length * REPORTED_FMRS[0] * 4));
}

/**
 * The distance of every reported rate when person i counts `times[i]` times: read off the pairs down to the rate at
 * which 30 are left; from there on the shipped curve, moved so that it goes through that point.
 */
function thresholds(
  { distance, a, b }: Pairs,
  order: Uint32Array,
  times: Uint8Array,
  shipped: Calibration,
): number[] {
  const total = distance.length;
  const rarest = RULE_OF_30 / total;
  const wanted = [...REPORTED_FMRS.filter((fmr) => fmr > rarest), rarest];
  const read: number[] = [];
  let weight = 0;
  let at = 0;
  for (const fmr of wanted.toReversed()) {
    while (at < order.length && weight < fmr * total) {
      const pair = order[at++]!;
      weight += times[a[pair]!]! * times[b[pair]!]!;
    }
    read.unshift(distance[order[Math.max(0, at - 1)]!]!);
  }
  const moved = read.at(-1)! - distanceAtFmr(shipped, rarest);
  const raw = REPORTED_FMRS.map((fmr, i) => (fmr > rarest ? read[i]! : distanceAtFmr(shipped, fmr) + moved));
  // Equal distances (the same photo twice) would make a rate of a distance ambiguous.
  for (let i = raw.length - 2; i >= 0; i--) raw[i] = Math.max(raw[i]!, raw[i + 1]! + 1e-4);
  return raw;
}

function nonMatchRate({ distance, a }: Pairs, threshold: number, times: Uint8Array): number {
  let misses = 0;
  let total = 0;
  for (let i = 0; i < distance.length; i++) {
    const weight = times[a[i]!]!;
    total += weight;
    if (distance[i]! > threshold) misses += weight;
  }
  return total === 0 ? 0 : misses / total;
}

function intervalOf(values: readonly number[]): Interval {
  const sorted = values.toSorted((p, q) => p - q);
  // Neither a distance nor a rate is below 0; a curve that was moved as a whole can be.
  return {
    low: Math.max(0, sorted[Math.floor(0.025 * sorted.length)]!),
    high: Math.max(0, sorted[Math.floor(0.975 * sorted.length)]!),
  };
}
