/** Photos that decisions say show the same person. Only what the operator selects is erased. */
import type { ErasureCandidate } from '../../contracts/erasure.ts';
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type { Database } from '../engine/database.ts';
import { isNamed } from '../engine/nameSearch.ts';
import { listed } from '../engine/dialect.ts';
import { candidatesOfFaces } from './candidates.ts';

/** The other photos of the persons of these faces. */
export async function candidatesOfSamePersons(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<ErasureCandidate[]> {
  const rows = await db
    .selectFrom('person_face')
    .select('face_id')
    .where('company_id', '=', company)
    .where('face_id', 'not in', listed(faces))
    .where('person_id', 'in', (eb) =>
      eb
        .selectFrom('person_face as known')
        .select('known.person_id')
        .where('known.company_id', '=', company)
        .where('known.face_id', 'in', listed(faces)),
    )
    .orderBy('face_id')
    .execute();
  return ofPerson(
    db,
    company,
    rows.map(({ face_id: face }) => face),
  );
}

/** The photos of persons with this text in their name, and of the person with this external id. */
export async function candidatesByPerson(
  db: Database,
  company: CompanyId,
  text: string,
  limit: number,
): Promise<ErasureCandidate[]> {
  const rows = await db
    .selectFrom('person')
    .innerJoin('person_face', 'person_face.person_id', 'person.id')
    .select('person_face.face_id')
    .where('person.company_id', '=', company)
    .where(isNamed('person', text))
    .orderBy('person.id', 'desc')
    .orderBy('person_face.face_id')
    .limit(limit)
    .execute();
  return ofPerson(
    db,
    company,
    rows.map(({ face_id: face }) => face),
  );
}

async function ofPerson(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<ErasureCandidate[]> {
  const found = await candidatesOfFaces(
    db,
    company,
    faces.map((face) => ({ face, score: 0, band: null })),
  );
  return found.map((one) => ({ ...one, why: 'same-person', score: null }));
}
