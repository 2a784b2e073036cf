/**
 * Error rates of signature comparison on the labelled signatures of a company, and the two similarities that mean there what
 * 40 and 70 mean on the shipped scale. Writers are resampled, not pairs: pairs of one writer are not independent.
 */
import {
  FIXED_POINTS,
  SIGNATURE_PAIR_KINDS,
  type EstimatedShare,
  type MeasuredSignatures,
  type SignatureCalibrationReport,
  type SignaturePairKind,
} from '../../contracts/signatureCalibration.ts';
import { repeatable } from '../calibration/repeatable.ts';

/** A compared pair. Writers by number; those of a genuine pair, and of a forgery and its model, are the same. */
export interface ComparedSignatures {
  kind: SignaturePairKind;
  writers: readonly [number, number];
  /** Of the matcher, 0 to 100. */
  similarity: number;
}

type FixedPoint = MeasuredSignatures['fixedPoints'][number];
type Rate = MeasuredSignatures['rates'][number];

/**
 * The fixed points of the shipped scale: at 40 one in a hundred pairs of different writers, at 70 one in ten forgeries.
 */
const SHARE_AT: Record<40 | 70, number> = { 40: 0.01, 70: 0.1 };

/** Rules of 30 and of 3 (Doddington; ISO/IEC 19795-1): errors that are needed to measure a rate, and to estimate it. */
const [RULE_OF_30, RULE_OF_3] = [30, 3];
/** Writers that a rate rests on at least. */
export const LEAST_WRITERS = 10;
/** Resamplings of the writers for an interval. */
export const ROUNDS = 200;
/** A fixed point stays this far from the ends of the scale and from the other one, so that no part of it vanishes. */
const APART = 1;

/** The measured rates of pairs. */
export type MeasuredPairs = Pick<SignatureCalibrationReport, 'rates' | 'fixedPoints' | 'tooFew'>;

/**
 * Measures the shipped scale, and a scale of the company's own.
 * @param writers how many there are
 */
export function measureSignatures(compared: readonly ComparedSignatures[], writers: number): MeasuredPairs {
  const byKind = (kind: SignaturePairKind) => compared.filter((pair) => pair.kind === kind);
  const pairs = {
    genuine: byKind('genuine'),
    forgery: byKind('forgery'),
    differentWriters: byKind('differentWriters'),
  };
  const tooFew = whatIsMissing(writers, pairs);
  const once = new Uint8Array(writers).fill(1);
  const random = repeatable(compared.length);
  const draws = Array.from({ length: ROUNDS }, () => drawn(writers, random));
  const fitted = tooFew === null ? fixedPointsOf(pairs, once) : undefined;
  const refitted = fitted === undefined ? [] : draws.map((times) => fixedPointsOf(pairs, times));
  const rates = FIXED_POINTS.flatMap((score) =>
    SIGNATURE_PAIR_KINDS.filter((kind) => pairs[kind].length > 0).map((of): Rate => {
      const erring = erringAt(of);
      const shipped = interval(
        shareOf(pairs[of], once, (similarity) => erring(similarity, score)),
        draws.map((times) => shareOf(pairs[of], times, (similarity) => erring(similarity, score))),
        pairs[of].length,
      );
      if (fitted === undefined) return { score, of, shipped, own: null };
      const held = draws.map((times, round) => {
        const point = refitted[round]![score];
        return shareOf(pairs[of], notDrawn(times), (similarity) => erring(similarity, point));
      });
      const known = held.filter((each) => !Number.isNaN(each));
      const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
      return { score, of, shipped, own: interval(mean, known, pairs[of].length) };
    }),
  );
  if (fitted === undefined) return { rates, fixedPoints: [], tooFew };
  const fixedPoints = FIXED_POINTS.map((score): FixedPoint => {
    const { low, high } = middle(refitted.map((points) => points[score]));
    return { score, similarity: fitted[score], low, high, statement: statementOf(score, pairs) };
  });
  return { rates, fixedPoints, tooFew };
}

/** Genuine pairs err below a score, all others at or above it. */
function erringAt(of: SignaturePairKind): (similarity: number, score: number) => boolean {
  return of === 'genuine'
    ? (similarity, score) => similarity < score
    : (similarity, score) => similarity >= score;
}

type PairsOfKinds = Record<SignaturePairKind, ComparedSignatures[]>;

function whatIsMissing(writers: number, pairs: PairsOfKinds): MeasuredPairs['tooFew'] {
  if (writers < LEAST_WRITERS) return 'WRITERS';
  if (pairs.genuine.length < RULE_OF_30) return 'GENUINE_PAIRS';
  return pairs.differentWriters.length < RULE_OF_3 / SHARE_AT[40] ? 'DIFFERENT_WRITERS_PAIRS' : null;
}

function statementOf(score: 40 | 70, { forgery, differentWriters }: PairsOfKinds): FixedPoint['statement'] {
  const errors = SHARE_AT[score] * (score === 40 ? differentWriters : forgery).length;
  if (errors >= RULE_OF_30) return 'measured';
  return errors >= RULE_OF_3 ? 'estimated' : 'shifted';
}

/** The similarities that become 40 and 70 when writer i counts `times[i]` times. */
function fixedPointsOf(pairs: PairsOfKinds, times: Uint8Array): Record<40 | 70, number> {
  const at40 = Math.min(
    100 - 2 * APART,
    Math.max(APART, reachedBy(pairs.differentWriters, times, SHARE_AT[40])),
  );
  const own70 =
    statementOf(70, pairs) === 'shifted'
      ? fromLogit(logit(at40) + logit(70) - logit(40))
      : reachedBy(pairs.forgery, times, SHARE_AT[70]);
  return { 40: at40, 70: Math.min(100 - APART, Math.max(at40 + APART, own70)) };
}

/** The similarity above which a share of the pairs lies. */
function reachedBy(pairs: readonly ComparedSignatures[], times: Uint8Array, share: number): number {
  const weighted = pairs
    .map(({ similarity, writers }) => ({ similarity, weight: weightOf(writers, times) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.similarity - a.similarity);
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  let above = 0;
  for (const { similarity, weight } of weighted) {
    above += weight;
    if (above > share * total) return Math.round(similarity * 100 + 1) / 100;
  }
  return 0;
}

function shareOf(
  pairs: readonly ComparedSignatures[],
  times: Uint8Array,
  errs: (similarity: number) => boolean,
): number {
  let errors = 0;
  let total = 0;
  for (const { similarity, writers } of pairs) {
    const weight = weightOf(writers, times);
    total += weight;
    if (errs(similarity)) errors += weight;
  }
  return errors / total;
}

const weightOf = ([one, other]: ComparedSignatures['writers'], times: Uint8Array) =>
  one === other ? times[one]! : times[one]! * times[other]!;

/** How often each writer is drawn when as many are drawn with replacement as there are. */
export function drawn(writers: number, random: () => number): Uint8Array {
  const times = new Uint8Array(writers);
  for (let i = 0; i < writers; i++) times[Math.floor(random() * writers)]!++;
  return times;
}

/** The writers that a draw left out, once each. */
const notDrawn = (times: Uint8Array) => times.map((count) => (count === 0 ? 1 : 0));

/** Where no case erred, the interval ends at the rate that so many cases do not exclude. */
export function interval(share: number, resampled: readonly number[], cases: number): EstimatedShare {
  if (share === 0) return { share, low: 0, high: Math.min(1, RULE_OF_3 / cases) };
  const { low, high } = middle(resampled.filter((each) => !Number.isNaN(each)));
  return { share, low: Math.min(low, share), high: Math.max(high, share) };
}

function middle(values: readonly number[]): { low: number; high: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    low: sorted[Math.floor(0.025 * sorted.length)]!,
    high: sorted[Math.floor(0.975 * sorted.length)]!,
  };
}

const logit = (similarity: number) => Math.log(similarity / (100 - similarity));
const fromLogit = (value: number) => 100 / (1 + Math.exp(-value));
