import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import { PipelineChanged } from '../../domain/ports/machine.ts';
import type { Transaction } from '../engine/database.ts';

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
  const row = await trx
    .selectFrom('active_pipeline')
    .select('pipeline_id')
    .where('company_id', '=', company)
    .executeTakeFirst();
  if (row === undefined)
    await trx.insertInto('active_pipeline').values({ company_id: company, pipeline_id: pipeline }).execute();
  else if (row.pipeline_id !== pipeline) throw new PipelineChanged();
}
