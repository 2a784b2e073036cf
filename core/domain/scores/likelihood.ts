/**
 * How much more probable the similarity of two photos is if they show one person than if they show two. The non-mated side is
 * the false match rate by the calibration in effect, so a company's own calibration moves the ratio; the mated side was
 * measured with the pipeline.
 */
import { strengthOf, type FaceLikelihood } from '../../contracts/certainty.ts';

/** Constants of a pipeline, written by `npm run bench -- likelihood write`. */
export interface LikelihoodWeights extends Pick<
  FaceLikelihood,
  'lowest' | 'highest' | 'people' | 'one_person' | 'two_people'
> {
  /** log10 of the ratio at a false match rate of 1 in 10, before the bounds. */
  intercept: number;
  /** How much log10 of the ratio rises with log10 of the rarity. */
  slope: number;
}

/** log10 of the ratio before its bounds. @param rarity −log10 of the false match rate, above 0 */
export function logRatio(
  { intercept, slope }: Pick<LikelihoodWeights, 'intercept' | 'slope'>,
  rarity: number,
): number {
  return intercept + slope * Math.log10(rarity);
}

/** @param falseMatchRate of the similarity, above 0 and below 1 */
export function faceLikelihood(
  { intercept, slope, ...measured }: LikelihoodWeights,
  falseMatchRate: number,
): FaceLikelihood {
  const plain = logRatio({ intercept, slope }, -Math.log10(falseMatchRate));
  const log10 = Math.round(100 * Math.min(measured.highest, Math.max(measured.lowest, plain))) / 100;
  const strength = strengthOf(log10);
  const favours = strength === 'NONE' ? 'neither' : log10 > 0 ? 'one_person' : 'two_people';
  return { log10, favours, strength, ...measured };
}
