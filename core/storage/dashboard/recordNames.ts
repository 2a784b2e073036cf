import type { CompanyId, FaceId, TrustValidationId } from '../../contracts/ids.ts';
import type { RecordNames } from '../../domain/ports/dashboard.ts';
import type { Database } from '../engine/database.ts';

/** The present names of faces and validations of a company; ids that it does not have are left out. */
export async function readRecordNames(
  db: Database,
  company: CompanyId,
  { faces, validations }: { faces: readonly FaceId[]; validations: readonly TrustValidationId[] },
): Promise<RecordNames> {
  return {
    faces: await db
      .selectFrom('face')
      .select(['id', 'name', 'blacklist_id as blacklistId'])
      .where('company_id', '=', company)
      .where('id', 'in', faces)
      .execute(),
    validations: await db
      .selectFrom('trust_validation')
      .select(['id', 'name'])
      .where('company_id', '=', company)
      .where('id', 'in', validations)
      .execute(),
  };
}
