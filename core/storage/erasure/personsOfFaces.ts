/** Names and texts that decisions about persons add to an erasure. */
import { sql } from 'kysely';
import type { CompanyId, FaceId, ImageId, PersonId } from '../../contracts/ids.ts';
import type { Database } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import { rowsWith } from '../engine/rows.ts';

/** A person that loses photos. */
export interface AffectedPerson {
  company_id: CompanyId;
  id: PersonId;
  name: string;
  note: Sealed | null;
  external_id: string | null;
  /** Photos that stay, and that could come back by the undo of a merge; 0: the person is erased. */
  left: number;
}

/** The persons that lose one of these faces, by rising ids; those that were merged included. */
export async function affectedPersons(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<AffectedPerson[]> {
  const left = sql<number>`
    (select count(*) from person_face where person_id = person.id and face_id not in ${listed(faces)})
    + (select count(*) from person_former_face where person_id = person.id and face_id not in ${listed(faces)})`;
  return rowsWith(db, 'person', { company_id: company })
    .select(['company_id', 'id', 'name', 'note', 'external_id', left.as('left')])
    .where(
      'id',
      'in',
      sql<PersonId>`(select person_id from person_face where face_id in ${listed(faces)}
        union select person_id from person_former_face where face_id in ${listed(faces)})`,
    )
    .orderBy('id')
    .execute();
}

/** The images of the signature specimens that are erased with these faces: no other face of their person is left. */
export async function specimensOfFaces(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<ImageId[]> {
  const rows = await rowsWith(db, 'signature_specimen', { company_id: company })
    .select('image_id')
    .where('face_id', 'in', listed(faces))
    .where(
      sql<boolean>`not exists (
        select 1 from person_face as own join person_face as other on other.person_id = own.person_id
        where own.face_id = signature_specimen.face_id and other.face_id not in ${listed(faces)})`,
    )
    .orderBy('id')
    .execute();
  return rows.map(({ image_id: image }) => image);
}

/** The examinations of these faces, each of which is deleted with either of its faces, and of these comparisons. */
export function examinationsOf(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
  comparisons: readonly number[] = [],
) {
  return rowsWith(db, 'examination', { company_id: company })
    .selectAll()
    .where((eb) =>
      eb.or([
        ...(['first_face', 'second_face'] as const).map((face) => eb(face, 'in', listed(faces))),
        eb('comparison_id', 'in', listed(comparisons)),
      ]),
    )
    .orderBy('id')
    .execute();
}

/** The reasons of decisions that name one of these faces. */
export function reasonsAbout(db: Database, company: CompanyId, faces: readonly FaceId[]) {
  return rowsWith(db, 'person_decision', { company_id: company })
    .select(['company_id', 'id', 'reason'])
    .where('reason', 'is not', null)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('person_decision_face')
        .select('decision_id')
        .where('company_id', '=', company)
        .where('face_id', 'in', listed(faces)),
    )
    .execute();
}
