/** The recognition pipeline of each company, its change to another one, and the calibration of its distances. */
import type { Generated } from 'kysely';
import type { FailureCode } from '../../../contracts/errors/failures.ts';
import type { CompanyId, FaceId, PipelineId } from '../../../contracts/ids.ts';

interface ActivePipelineTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  /** 1: an operator or the administrator chose it for this company. 0: it follows the setting of the installation. */
  chosen_for_company: Generated<number>;
}

interface TemplateMigrationTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  state: 'running' | 'paused';
  without_failed: Generated<number>;
  /** As in `active_pipeline`. */
  chosen_for_company: number;
  started_at: number;
}

interface ExtractionFailureTable {
  face_id: FaceId;
  pipeline_id: PipelineId;
  company_id: CompanyId;
  failure_code: FailureCode;
}

interface CompanyCalibrationTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  /** JSON: the points of a Calibration. */
  points: string;
  people: number;
  photos: number;
  non_mated_pairs: number;
  /** JSON: MeasuredCalibration. */
  measured: string;
  applied_at: number;
}

interface PipelineShapeTable {
  pipeline_id: PipelineId;
  /** Components of its templates. */
  dimensions: number;
}

export interface PipelinesTables {
  pipeline_shape: PipelineShapeTable;
  active_pipeline: ActivePipelineTable;
  template_migration: TemplateMigrationTable;
  extraction_failure: ExtractionFailureTable;
  company_calibration: CompanyCalibrationTable;
}
