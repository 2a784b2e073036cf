/** Which faces have a template of a pipeline, and how its results are stored. */
import type { ExpressionBuilder } from 'kysely';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { ExtractionResult } from '../../domain/ports/pipelines.ts';
import type { Database, Transaction } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { writeTemplates } from './templates.ts';

type ExpressionOfFaces = ExpressionBuilder<Schema, 'face'>;

/** @param refusedToo faces that the pipeline refused count as faces without a template */
export function facesPendingExtraction(
  db: Database,
  company: CompanyId,
  pipeline: PipelineId,
  { refusedToo }: { refusedToo: boolean },
) {
  const without = (table: 'template' | 'extraction_failure') => (eb: ExpressionOfFaces) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom(table)
          .select(`${table}.face_id`)
          .whereRef(`${table}.face_id`, '=', 'face.id')
          .where(`${table}.pipeline_id`, '=', pipeline),
      ),
    );
  return db
    .selectFrom('face')
    .where('face.company_id', '=', company)
    .where(without('template'))
    .$if(!refusedToo, (query) => query.where(without('extraction_failure')));
}

/** A template, or why there is none; what is there already stays. */
export async function storeExtraction(
  trx: Transaction,
  company: CompanyId,
  pipeline: PipelineId,
  description: ExtractionResult,
): Promise<void> {
  const { faceId, vector } = description;
  if (vector === undefined) {
    const { code } = description;
    await trx
      .insertInto('extraction_failure')
      .values({ face_id: faceId, pipeline_id: pipeline, company_id: company, failure_code: code })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  await trx
    .deleteFrom('extraction_failure')
    .where('company_id', '=', company)
    .where('face_id', '=', faceId)
    .where('pipeline_id', '=', pipeline)
    .execute();
  await writeTemplates(trx, company, pipeline, [{ faceId, vector }]);
}
