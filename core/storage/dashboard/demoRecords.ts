import { ERASED_NAME } from '../../contracts/erasure.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { DemoRecords } from '../../domain/ports/enrolmentRuns.ts';
import type { Database } from '../engine/database.ts';

/** The photos of the demo runs of a company that are not erased, and the validations that they became. */
export async function readDemoRecords(db: Database, company: CompanyId): Promise<DemoRecords> {
  const items = await db
    .selectFrom('enrolment_run')
    .innerJoin('upload', (join) =>
      join
        .onRef('upload.run_id', '=', 'enrolment_run.id')
        .onRef('upload.company_id', '=', 'enrolment_run.company_id'),
    )
    .innerJoin('upload_item', 'upload_item.upload_id', 'upload.id')
    .select(['upload_item.upload_id', 'upload_item.position', 'upload_item.trust_validation_id'])
    .where('enrolment_run.company_id', '=', company)
    .where('enrolment_run.source', '=', 'demo')
    .where('upload_item.file_name', '<>', ERASED_NAME)
    .execute();
  return {
    photos: items.map(({ upload_id: uploadId, position: index }) => ({ uploadId, index })),
    validations: items.flatMap(({ trust_validation_id: id }) => id ?? []),
  };
}
