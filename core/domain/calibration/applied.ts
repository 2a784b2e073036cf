import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { AppliedCalibration } from '../../contracts/calibration.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { ThresholdProfile } from '../../contracts/settings.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { PipelineRegistry } from '../recognition/pipelineRegistry.ts';
import { DEFAULT_FMR, distanceAtFmr } from '../scores/scores.ts';
import { REPORTED_FMRS } from './measure.ts';
import type { CompanyCalibrations } from '../../storage/faces/companyCalibrations.ts';
import type { Companies } from '../../storage/settings/companies.ts';

export interface AppliedPorts {
  companyCalibrations: CompanyCalibrations;
  recognition: PipelineRegistry;
}

/** The rates of distances at a company with the pipeline in use, and their basis. */
export async function appliedCalibrationOf(
  { companyCalibrations, recognition }: AppliedPorts,
  company: CompanyId,
): Promise<AppliedCalibration> {
  const pipeline = recognition.pipelineOf(company);
  const own = await companyCalibrations.of(company, pipeline);
  const { calibration } = recognition.of(company);
  const shipped = recognition.shippedCalibration(pipeline) ?? calibration;
  const strict = recognition.strictCalibration(pipeline);
  return {
    pipeline,
    thresholds: recognition.tableOf(company),
    appliedAt: own?.appliedAt.toISOString() ?? null,
    people: own?.people ?? null,
    photos: own?.photos ?? null,
    nonMatedPairs: own?.nonMatedPairs ?? null,
    points: REPORTED_FMRS.map((fmr) => ({
      fmr,
      distance: distanceAtFmr(calibration, fmr),
      shippedDistance: distanceAtFmr(shipped, fmr),
      strictDistance: strict === undefined ? null : distanceAtFmr(strict, fmr),
    })),
    defaultFmr: DEFAULT_FMR,
    measured: own?.measured ?? null,
    elsewhere: (await companyCalibrations.measured(company)).filter((each) => each !== pipeline),
  };
}

/**
 * Which of its pipeline's tables counts for a company. It is the company's, not the pipeline's: another pipeline, or a
 * newer version of this one, continues with its own table of the same name.
 * @throws {CodedError} the company is gone, or its pipeline has no such table
 */
export async function chooseThresholds(
  { companies, recognition }: Pick<AppliedPorts, 'recognition'> & { companies: Companies },
  company: CompanyId,
  thresholds: ThresholdProfile,
  act: AuditContext,
): Promise<void> {
  if ((await companies.find(company)) === undefined) throw new CodedError(problem('COMPANY_GONE'));
  const pipeline = recognition.pipelineOf(company);
  if (thresholds === 'strict' && recognition.strictCalibration(pipeline) === undefined)
    throw new CodedError(problem('THRESHOLDS_NOT_STRICT', { pipeline }));
  await companies.changeSettings(company, { thresholds }, act);
}
