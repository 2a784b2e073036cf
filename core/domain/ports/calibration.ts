import type { MeasuredCalibration } from '../../contracts/calibration.ts';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { AuditContext } from './auditContext.ts';
import type { Calibration } from '../scores/scores.ts';

/** The rates of a pipeline's distances at one company, measured on its own photos. */
export interface CompanyCalibration {
  company: CompanyId;
  pipeline: PipelineId;
  calibration: Calibration;
  /** Its basis. */
  people: number;
  photos: number;
  nonMatedPairs: number;
  /** The error rates and the DET curve of the report. */
  measured: MeasuredCalibration;
  appliedAt: Date;
}

/** At most one per company and pipeline; it counts while that pipeline serves. */
export interface CompanyCalibrations {
  list(): Promise<CompanyCalibration[]>;
  of(company: CompanyId, pipeline: PipelineId): Promise<CompanyCalibration | undefined>;
  /** The pipelines that a company's own photos were measured with; what was found for one means nothing for another. */
  measured(company: CompanyId): Promise<PipelineId[]>;
  apply(calibration: CompanyCalibration, act: AuditContext): Promise<void>;
  /** Removes all of the company. @returns whether there was one */
  reset(company: CompanyId, act: AuditContext): Promise<boolean>;
  /**
   * Calls the listener with all calibrations of a company after each committed change of one, before it returns. Changes of
   * other services are reported as those of settings are.
   */
  follow(listener: (company: CompanyId, calibrations: readonly CompanyCalibration[]) => void): void;
}
