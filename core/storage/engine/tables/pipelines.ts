/** Which pipeline describes a company's faces, and what its distances mean there. */
import type { Generated } from 'kysely';
import type { FailureCode } from '../../../contracts/errors/failures.ts';
import type { CompanyId, FaceId, PipelineId } from '../../../contracts/ids.ts';

interface CompanyPipelineTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  /** 1: somebody chose it for this company. */
  chosen: Generated<number>;
}

interface PipelineMigrationTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  state: 'running' | 'paused';
  without_failed: Generated<number>;
  /** 1: somebody chose it for this company, and not the setting of the site. */
  chosen: number;
  started_at: number;
}

interface TemplateRefusalTable {
  face_id: FaceId;
  pipeline_id: PipelineId;
  company_id: CompanyId;
  code: FailureCode;
}

interface SiteCalibrationTable {
  company_id: CompanyId;
  pipeline_id: PipelineId;
  /** JSON: the points of a Calibration. */
  points: string;
  people: number;
  photos: number;
  non_mated_pairs: number;
  /** JSON: a MeasuredCalibration; null in rows from before it was kept. */
  measured: string | null;
  applied_at: number;
}

interface PipelineShapeTable {
  pipeline_id: PipelineId;
  /** Components of its templates. */
  dimensions: number;
}

export interface PipelinesTables {
  pipeline_shape: PipelineShapeTable;
  company_pipeline: CompanyPipelineTable;
  pipeline_migration: PipelineMigrationTable;
  template_refusal: TemplateRefusalTable;
  site_calibration: SiteCalibrationTable;
}
