import { thresholdForSearch, type Calibration, type LikelihoodWeights } from '../domain/scores/scores.ts';
import calibrations from './calibration.json' with { type: 'json' };
import found from './found.json' with { type: 'json' };
import likelihood from './likelihood.json' with { type: 'json' };
import type { PipelineName } from './builtInPipelines.ts';

/**
 * Impostor distances of every pipeline, written by `npm run research -- fusion` from all non-mated pairs of LFW. The
 * rarest rates are extrapolated (docs/explanation/recognition.md says from where on, and how). `strict`: of the pairs among the people
 * that the networks confuse most often. The weights of the likelihood ratio come from `npm run research -- likelihood`,
 * the shares of people who are found from `npm run bench -- persons`.
 */
export const CALIBRATIONS: Record<PipelineName, Calibration & { strict: Calibration }> = {
  full: withMeasured(calibrations.full, likelihood.full, found.full),
  light: withMeasured(calibrations.light, likelihood.light, found.light),
};

/** @param shares at false match rates of the default table: what is found depends on the distance, whichever table is used */
function withMeasured(
  { points, strict }: Calibration & { strict: Calibration },
  weights: LikelihoodWeights,
  { people, rows }: typeof found.full,
) {
  const shares = rows.map(({ fmr, ...row }) => ({
    ...row,
    distance: thresholdForSearch({ points }, fmr, 1).maxDistance,
  }));
  const measured = { likelihood: weights, found: { people, rows: shares } };
  return { points, ...measured, strict: { ...strict, ...measured } };
}
