import type { MeasuredCalibration } from '../../contracts/calibration.ts';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
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
