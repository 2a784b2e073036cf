/** The facts that show a reviewer where enrolled faces are from. */
import { sql } from 'kysely';
import type { DuplicateFaceSource } from '../../contracts/dashboard/duplicates.ts';
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type { DescribedFace } from '../../domain/ports/persons.ts';
import type { Database } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';

/** The run that a face was enrolled by, of its row. @param what a column of it */
const ofRun = (what: string) => `
  (select enrolment_run.${what} from upload_item
    join upload on upload.id = upload_item.upload_id
    join enrolment_run on enrolment_run.company_id = upload.company_id and enrolment_run.id = upload.run_id
    where upload_item.face_id = face.id limit 1)`;
/** How a face was enrolled. A face of no run is of a verification, or was added to its list in the dashboard. */
export const SOURCE_OF_FACE = `coalesce(${ofRun('source')},
  case when face.trust_validation_id is not null then 'verification'
    when exists (select 1 from imported_face_origin where face_id = face.id) then 'import' else 'dashboard' end)`;

/** By rising ids; missing faces are left out. */
export async function describeFaces(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<DescribedFace[]> {
  const rows = await db
    .selectFrom('face')
    .leftJoin('blacklist', 'blacklist.id', 'face.blacklist_id')
    .leftJoin('person_face', 'person_face.face_id', 'face.id')
    .leftJoin('person', 'person.id', 'person_face.person_id')
    .select([
      'face.id',
      'face.name',
      'face.enrolled_at',
      'face.trust_validation_id',
      'blacklist.id as list_id',
      'blacklist.name as list_name',
      'person.id as person_id',
      'person.name as person_name',
      sql.raw<DuplicateFaceSource>(SOURCE_OF_FACE).as('source'),
      sql.raw<string | null>(ofRun('name')).as('run_name'),
    ])
    .where('face.company_id', '=', company)
    .where('face.id', 'in', listed(faces))
    .orderBy('face.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    blacklist: row.list_id === null ? null : { id: row.list_id, name: row.list_name! },
    source: row.source,
    runName: row.run_name,
    enrolledAt: new Date(row.enrolled_at),
    trustValidationId: row.trust_validation_id,
    person: row.person_id === null ? null : { id: row.person_id, name: row.person_name! },
  }));
}
