import type { Calibration, LikelihoodWeights } from '../domain/scores/scores.ts';
import calibrations from './calibration.json' with { type: 'json' };
import likelihood from './likelihood.json' with { type: 'json' };
import type { PipelineName } from './builtInPipelines.ts';

/**
 * Impostor distances of every pipeline, written by `npm run research -- fusion` from all non-mated pairs of LFW. The
 * rarest rates are extrapolated (docs/explanation/recognition.md says from where on, and how). `strict`: of the pairs among the people
 * that the networks confuse most often. The weights of the likelihood ratio come from `npm run research -- likelihood`.
 */
export const CALIBRATIONS: Record<PipelineName, Calibration & { strict: Calibration }> = {
  full: withLikelihood(calibrations.full, likelihood.full),
  light: withLikelihood(calibrations.light, likelihood.light),
};

function withLikelihood(shipped: Calibration & { strict: Calibration }, weights: LikelihoodWeights) {
  return { points: shipped.points, likelihood: weights, strict: { ...shipped.strict, likelihood: weights } };
}
