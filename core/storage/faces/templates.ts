/** The only writer and reader of templates: what is written here can be compared, what is read may be damaged. */
import type { Template } from '../../contracts/faces.ts';
import type { CompanyId, FaceId, PipelineId } from '../../contracts/ids.ts';
import { templateFault, TemplateRefused } from '../../domain/recognition/faceValidation.ts';
import { cellsOf } from '../engine/cells.ts';
import { newCode } from '../engine/codedRows.ts';
import { send, type Database, type Transaction } from '../engine/database.ts';
import { toBytes, vectorOf } from '../engine/vectorBytes.ts';
import { PipelineChanged } from '../../domain/ports/machine.ts';
import { rowsWith, addRows } from '../engine/rows.ts';

/**
 * Writes templates of one pipeline inside the caller's transaction; a face that has one keeps it. The first template of
 * a pipeline that the database does not know decides how many components the others must have.
 * @throws {TemplateRefused} one of them has another length, is not finite, or is not of unit length
 */
export async function writeTemplates(
  trx: Transaction,
  company: CompanyId,
  pipeline: PipelineId,
  faces: readonly { faceId: FaceId; vector: Template['vector'] }[],
): Promise<void> {
  const [first] = faces;
  if (first === undefined) return;
  const known = await dimensionsOf(trx, pipeline);
  const dimensions = known ?? first.vector.length;
  for (const { faceId, vector } of faces) {
    const fault = templateFault(vector, dimensions);
    if (fault !== undefined)
      throw new TemplateRefused(`The template of face ${faceId} cannot be compared: ${fault}.`);
  }
  if (known === undefined) await registerPipelines(trx, [{ id: pipeline, dimensions }]);
  const cells = cellsOf(trx);
  await send(
    trx,
    trx
      .insertInto('template')
      .values(
        faces.map(({ faceId, vector }) => {
          const place = { company_id: company, face_id: faceId, pipeline_id: pipeline };
          return { ...place, vector: cells.seal('template', 'vector', place, toBytes(vector)) };
        }),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** Components of a template of a pipeline; undefined: the database has never had one. */
async function dimensionsOf(db: Database, pipeline: PipelineId): Promise<number | undefined> {
  const row = await rowsWith(db, 'pipeline_shape', { pipeline_id: pipeline })
    .select('dimensions')
    .executeTakeFirst();
  return row?.dimensions;
}

/** Components of a template of every pipeline that the database knows. */
export async function knownDimensions(db: Database): Promise<ReadonlyMap<PipelineId, number>> {
  const rows = await db.selectFrom('pipeline_shape').selectAll().execute();
  return new Map(rows.map((row) => [row.pipeline_id, row.dimensions]));
}

/** A stored template; null: it is damaged and cannot be compared. */
export async function comparable(
  db: Database,
  row: Parameters<typeof vectorOf>[1],
): Promise<Template | null> {
  const vector = vectorOf(db, row);
  const fault = templateFault(vector, await dimensionsOf(db, row.pipeline_id));
  return fault === undefined ? { pipelineId: row.pipeline_id, vector } : null;
}

/** Notes the components of each pipeline's templates, in place of what was noted before. */
export async function registerPipelines(
  trx: Transaction,
  pipelines: readonly { id: PipelineId; dimensions: number }[],
): Promise<void> {
  if (pipelines.length === 0) return;
  await trx
    .insertInto('pipeline_shape')
    .values(pipelines.map(({ id, dimensions }) => ({ pipeline_id: id, dimensions })))
    .onConflict((conflict) =>
      conflict.column('pipeline_id').doUpdateSet((eb) => ({ dimensions: eb.ref('excluded.dimensions') })),
    )
    .execute();
}

/**
 * Inside the transaction that writes a template of a new face: the first one of a company makes its pipeline the
 * company's, and from then on only that one is taken.
 * @throws {PipelineChanged} another pipeline serves the company by now: extract the template with that one
 */
export async function claimPipeline(
  trx: Transaction,
  company: CompanyId,
  pipeline: PipelineId,
): Promise<void> {
  const row = await rowsWith(trx, 'active_pipeline', { company_id: company }).selectAll().executeTakeFirst();
  if (row === undefined) {
    const active = { company_id: company, pipeline_id: pipeline };
    const code = newCode(trx, 'active_pipeline', active);
    await addRows(trx, 'active_pipeline', { ...active, code });
  } else if (cellsOf(trx).checked('active_pipeline', row).pipeline_id !== pipeline)
    throw new PipelineChanged();
}
