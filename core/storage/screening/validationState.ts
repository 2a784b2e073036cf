import type { CompanyId, PipelineId, TrustValidationId } from '../../contracts/ids.ts';
import type { ValidationState } from '../../domain/ports/screening.ts';
import type { Database } from '../engine/database.ts';
import { comparable } from '../faces/templates.ts';
import { toVersion } from './trustFlows.ts';

/** The validation that a request of this id created, so that a repeated request creates no other. */
export async function readCreatedBy(
  db: Database,
  company: CompanyId,
  requestId: string,
): Promise<TrustValidationId | undefined> {
  const row = await db
    .selectFrom('trust_validation')
    .select('id')
    .where('company_id', '=', company)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  return row?.id;
}

/**
 * The state of a validation that the rules of the screening read.
 * The templates of the selfies are those of `pipeline`.
 * @returns undefined where the company has no validation of this id
 */
export async function readState(
  db: Database,
  { company, id, pipeline }: { company: CompanyId; id: TrustValidationId; pipeline: PipelineId },
): Promise<ValidationState | undefined> {
  const row = await db
    .selectFrom('trust_validation')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const version =
    row.flow_version_id === null
      ? undefined
      : await db
          .selectFrom('trust_flow_version')
          .selectAll()
          .where('company_id', '=', company)
          .where('id', '=', row.flow_version_id)
          .executeTakeFirst();
  const selfies = await db
    .selectFrom('face')
    .leftJoin('template', (join) =>
      join.onRef('template.face_id', '=', 'face.id').on('template.pipeline_id', '=', pipeline),
    )
    .select(['face.id', 'template.vector'])
    .where('face.company_id', '=', company)
    .where('face.trust_validation_id', '=', id)
    .orderBy('face.id')
    .execute();
  return {
    id: row.id,
    trustFlowId: row.trust_flow_id,
    status: row.status,
    version: version === undefined ? null : toVersion(version),
    selfies: await Promise.all(
      selfies.map(async ({ id: faceId, vector }) => ({
        faceId,
        template: vector && (await comparable(db, pipeline, vector)),
      })),
    ),
    name: row.name,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as unknown),
    createdAt: new Date(row.created_at),
    finalizedAt: row.finalized_at === null ? null : new Date(row.finalized_at),
  };
}
