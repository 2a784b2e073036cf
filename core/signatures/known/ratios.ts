/** Likelihood ratios of a questioned signature, from its likeness to the known ones and theirs to one another. */
import { supportOf, type KnownAlternative } from '../../contracts/knownSignatures.ts';
import type { LikelihoodRatio, LikelihoodRatios } from '../../domain/ports/knownSignatures.ts';
import { meanOf, pairsAmong, type Likeness } from './likeness.ts';

/**
 * Weights of one alternative. With m the mean likeness of the questioned signature to the known ones, w that expected among
 * the known ones and R their number: log10 LR = intercept + mean · m + among · w + few / R + sure · (m − w) · (1 − 1 / R).
 */
export interface RatioWeights {
  intercept: number;
  /** Of the mean likeness of the questioned signature to the known ones. */
  mean: number;
  /** Of the likeness of the known signatures to one another, shrunk; a weight below 0. */
  among: number;
  /** Of one over the number of known signatures. */
  few: number;
  /** How much more the difference of both counts with more known signatures. */
  sure: number;
  /** No value lies beyond, in both directions: what the validation data support with up to three known signatures. */
  bound: number;
  /** The same with more known signatures, which fewer writers of the validation have. */
  boundOfMore: number;
}

/** The largest number of known signatures that all writers of the validation have. */
const KNOWN_OF_ALL_WRITERS = 3;

export const RATIO_TERMS = ['mean', 'among', 'few', 'sure'] as const;

/** Shape of the constants that `npm run bench -- signatures known fit` writes. */
export interface KnownCalibration {
  modelVersion: string;
  /** Expected likeness among the known signatures of a writer, and how many known signatures beside the first it counts as. */
  prior: { likeness: number; weight: number };
  /** No two natural signatures are more alike. */
  natural: number;
  /** Known signatures that are less alike in the mean do not agree. */
  agreeing: number;
  /** Fewer half turns of the line are low complexity; `high` or more are high complexity. */
  halfTurns: { medium: number; high: number };
  ratios: Record<KnownAlternative, RatioWeights>;
}

/**
 * The likeness to expect among signatures of this writer: that of the known ones, shrunk towards what is usual. Few known
 * signatures say little about how much a writer varies, one says nothing.
 */
export function expectedAmong(among: Likeness['among'], { prior }: Pick<KnownCalibration, 'prior'>): number {
  const pairs = pairsAmong(among);
  const seen = among.length - 1;
  if (pairs.length === 0) return prior.likeness;
  return (prior.weight * prior.likeness + seen * meanOf(pairs)) / (prior.weight + seen);
}

/** The measurements that the weights belong to. */
export function ratioTerms(
  { questioned, among }: Likeness,
  calibration: Pick<KnownCalibration, 'prior'>,
): Record<(typeof RATIO_TERMS)[number], number> {
  const mean = meanOf(questioned);
  const expected = expectedAmong(among, calibration);
  const few = 1 / questioned.length;
  return { mean, among: expected, few, sure: (mean - expected) * (1 - few) };
}

/** Both likelihood ratios, each by its own weights. */
export function ratiosOf(likeness: Likeness, calibration: KnownCalibration): LikelihoodRatios {
  const terms = ratioTerms(likeness, calibration);
  const ratio = (alternative: KnownAlternative): LikelihoodRatio => {
    const weights = calibration.ratios[alternative];
    const plain =
      weights.intercept +
      weights.mean * terms.mean +
      weights.among * terms.among +
      weights.few * terms.few +
      weights.sure * terms.sure;
    const bound = likeness.questioned.length > KNOWN_OF_ALL_WRITERS ? weights.boundOfMore : weights.bound;
    const log10 = Math.round(100 * Math.min(bound, Math.max(-bound, plain))) / 100;
    return { log10, bounds: { lowest: -bound, highest: bound }, support: supportOf(log10) };
  };
  return { imitation: ratio('imitation'), stranger: ratio('stranger') };
}
