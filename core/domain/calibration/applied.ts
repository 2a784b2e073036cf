import type { AppliedCalibration } from '../../contracts/calibration.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Act } from '../actor.ts';
import type { SiteRecognition } from '../pipelines/recognition.ts';
import { DEFAULT_FMR, distanceAtFmr } from '../scores.ts';
import { REPORTED_FMRS } from './measure.ts';
import type { SiteCalibrations } from './ports.ts';

export interface AppliedPorts {
  siteCalibrations: SiteCalibrations;
  recognition: SiteRecognition;
}

/** What distances mean at a company under the pipeline that serves it, and what that rests on. */
export async function appliedCalibrationOf(
  { siteCalibrations, recognition }: AppliedPorts,
  company: CompanyId,
): Promise<AppliedCalibration> {
  const pipeline = recognition.pipelineOf(company);
  const own = await siteCalibrations.of(company, pipeline);
  const { calibration } = recognition.of(company);
  const shipped = recognition.shippedCalibration(pipeline) ?? calibration;
  return {
    pipeline,
    appliedAt: own?.appliedAt.toISOString() ?? null,
    people: own?.people ?? null,
    photos: own?.photos ?? null,
    nonMatedPairs: own?.nonMatedPairs ?? null,
    points: REPORTED_FMRS.map((fmr) => ({
      fmr,
      distance: distanceAtFmr(calibration, fmr),
      shippedDistance: distanceAtFmr(shipped, fmr),
    })),
    defaultFmr: DEFAULT_FMR,
    measured: own?.measured ?? null,
  };
}

/** Back to the pipeline's own thresholds. @returns false when the company had none of its own */
export async function resetCalibration(
  { siteCalibrations, recognition }: AppliedPorts,
  company: CompanyId,
  act: Act,
): Promise<boolean> {
  const was = await siteCalibrations.reset(company, act);
  recognition.uncalibrate(company);
  return was;
}
