import type { Calibration } from '../domain/scores/scores.ts';
import calibrations from './calibration.json' with { type: 'json' };
import type { PipelineName } from './builtInPipelines.ts';

/**
 * Impostor distances of every pipeline, written by `npm run bench -- fusion` from all non-mated pairs of LFW. The
 * rarest rates are extrapolated (docs/explanation/recognition.md says from where on, and how). `strict`: of the pairs among the people
 * that the networks confuse most often.
 */
export const CALIBRATIONS: Record<PipelineName, Calibration & { strict: Calibration }> = calibrations;
