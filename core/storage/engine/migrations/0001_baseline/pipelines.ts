/** The recognition pipeline of each company, its change to another one, and the calibration of its distances. */
import { table, integer, text } from '../table.ts';
import type { FailureCode } from '../../../../contracts/errors/failures.ts';
import type { CompanyId, FaceId, PipelineId } from '../../../../contracts/ids.ts';
export const pipelines = {
  active_pipeline: table({
    company_id: integer<CompanyId>('primary key references company (id) on delete cascade'),
    pipeline_id: text<PipelineId>(),
    /** 1: an operator or the administrator chose it for this company. 0: it follows the setting of the installation. */
    chosen_for_company: integer.byDefault(0),
  }),
  pipeline_shape: table(
    {
      pipeline_id: text<PipelineId>('primary key'),
      /** Components of its templates. */
      dimensions: integer(),
    },
    [],
    'without rowid',
  ),
  template_migration: table({
    company_id: integer<CompanyId>('primary key references company (id) on delete cascade'),
    pipeline_id: text<PipelineId>(),
    state: text<'running' | 'paused'>("check (state in ('running', 'paused'))"),
    without_failed: integer.byDefault(0),
    /** As in `active_pipeline`. */
    chosen_for_company: integer(),
    started_at: integer(),
  }),
  // Faces from whose photos the next pipeline extracts no template.
  extraction_failure: table(
    {
      face_id: integer<FaceId>('references face (id) on delete cascade'),
      pipeline_id: text<PipelineId>(),
      company_id: integer<CompanyId>(),
      failure_code: text<FailureCode>(),
    },
    ['primary key (face_id, pipeline_id)'],
    'without rowid',
  ),
  // False-match rates that were measured on the company's own photos. The photos are not kept.
  company_calibration: table(
    {
      company_id: integer<CompanyId>('references company (id) on delete cascade'),
      pipeline_id: text<PipelineId>(),
      /** JSON: the points of a Calibration. */
      points: text(),
      people: integer(),
      photos: integer(),
      non_mated_pairs: integer(),
      /** JSON: MeasuredCalibration. */
      measured: text(),
      applied_at: integer(),
    },
    ['primary key (company_id, pipeline_id)'],
    'without rowid',
  ),
};

/** Indexes and triggers. */
export const pipelinesIndexes: readonly string[] = [
  `create index extraction_failure_company on extraction_failure (company_id, pipeline_id, face_id)`,
];
