/**
 * Records that may be of the same person: by name, by file, by face. Only the records that the operator selects are
 * erased.
 */
import { sql } from 'kysely';
import { ERASED_NAME, type ErasureCandidate } from '../../contracts/erasure.ts';
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type { SimilarFace } from '../../domain/ports/erasure.ts';
import type { Database } from '../engine/database.ts';
import { hasWords, isNamed } from '../engine/nameSearch.ts';
import { contains, listed } from '../engine/dialect.ts';
import type { PersonRecords } from './personRecords.ts';
import { rowsWith } from '../engine/rows.ts';

export async function candidatesByName(
  db: Database,
  company: CompanyId,
  text: string,
  limit: number,
): Promise<ErasureCandidate[]> {
  const has = (column: string) => contains(sql.ref(column), text);
  const validations = await rowsWith(db, 'trust_validation', { company_id: company })
    .select(['id', 'name', 'created_at as at'])
    .select((eb) =>
      eb
        .selectFrom('face')
        .select((of) => of.fn.max('face.id').as('face'))
        .where('face.company_id', '=', company)
        .whereRef('face.trust_validation_id', '=', 'trust_validation.id')
        .as('face'),
    )
    .where(isNamed('trust_validation', text))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const faces = await rowsWith(db, 'face', { company_id: company, kind: 'blacklist' })
    .select(['id', 'name', 'enrolled_at as at'])
    .where(hasWords('face', text))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const photos = await db
    .selectFrom('upload_item')
    .innerJoin('upload', 'upload.id', 'upload_item.upload_id')
    .leftJoin('face', 'face.id', 'upload_item.face_id')
    .select([
      'upload_item.upload_id',
      'upload_item.position',
      'upload_item.file_name as name',
      'upload.created_at as at',
    ])
    .where('upload_item.company_id', '=', company)
    .where('face.id', 'is', null)
    .where('upload_item.trust_validation_id', 'is', null)
    .where((eb) =>
      eb.or([
        hasWords('upload_item', text),
        has('upload_item.person_name'),
        has('upload_item.person_external_id'),
      ]),
    )
    .orderBy('upload_item.id', 'desc')
    .limit(limit)
    .execute();
  const comparisons = await rowsWith(db, 'comparison', { company_id: company })
    .select(['id', 'template_id', 'verification_id', 'compared_at as at'])
    .where((eb) => eb.or([has('template_id'), has('verification_id')]))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const named = await db
    .selectFrom('screening_match')
    .leftJoin('face', 'face.id', 'screening_match.face_id')
    .select([
      'screening_match.face_id as id',
      'screening_match.full_name as name',
      'screening_match.enrolled_at as at',
    ])
    .distinct()
    .where((eb) => eb.and({ 'screening_match.company_id': company, 'face.id': null }))
    .where('screening_match.full_name', '!=', ERASED_NAME)
    .where(has('screening_match.full_name'))
    .limit(limit)
    .execute();
  return [
    ...validations.map(({ id, name, at, face }) => ({
      ...candidate('validation', String(id), name, at),
      face,
    })),
    ...faces.map(({ id, name, at }) => ({ ...candidate('face', String(id), name, at), face: id })),
    ...named.map(({ id, name, at }) => candidate('face', String(id), name, at)),
    ...photos.map(({ upload_id, position, name, at }) =>
      candidate('photo', `${upload_id}:${position}`, name, at),
    ),
    ...comparisons.map(({ id, template_id, verification_id, at }) =>
      candidate('comparison', String(id), `${template_id} · ${verification_id}`, at),
    ),
  ];
}

function candidate(kind: ErasureCandidate['kind'], id: string, name: string, at: number): ErasureCandidate {
  return { kind, id, name, why: 'name', score: null, band: null, face: null, at: new Date(at).toISOString() };
}

/** Faces whose image has the very bytes of one that would go. */
export async function candidatesOfSameFile(
  db: Database,
  company: CompanyId,
  rows: PersonRecords,
): Promise<ErasureCandidate[]> {
  const twins = await db
    .selectFrom('image')
    .innerJoin('face', 'face.image_id', 'image.id')
    .select('face.id')
    .where('image.company_id', '=', company)
    .where(
      'image.sha256',
      'in',
      rows.images.map((image) => image.sha256),
    )
    .where(
      'image.id',
      'not in',
      rows.images.map(({ id }) => id),
    )
    .execute();
  const shown = await candidatesOfFaces(
    db,
    company,
    twins.map(({ id }) => ({ face: id, score: 100, band: null })),
  );
  return shown.map((one) => ({ ...one, why: 'same-file' }));
}

/** In the order of the faces; a selfie stands for its Trust Validation. */
export async function candidatesOfFaces(
  db: Database,
  company: CompanyId,
  faces: readonly SimilarFace[],
): Promise<ErasureCandidate[]> {
  const rows = await rowsWith(db, 'face', { company_id: company })
    .select(['id', 'name', 'trust_validation_id', 'enrolled_at'])
    .where(
      'id',
      'in',
      faces.map(({ face }) => face),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return faces.flatMap(({ face, score, band }) => {
    const row = byId.get(face);
    if (row === undefined) return [];
    const validation = row.trust_validation_id;
    return [
      {
        kind: validation === null ? ('face' as const) : ('validation' as const),
        id: String(validation ?? row.id),
        name: row.name,
        why: 'similar-face' as const,
        score,
        band,
        face,
        at: new Date(row.enrolled_at).toISOString(),
      },
    ];
  });
}

// Photos that decisions say show the same person. Only what the operator selects is erased.

/** The other photos of the persons of these faces. */
export async function candidatesOfSamePersons(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<ErasureCandidate[]> {
  const rows = await rowsWith(db, 'person_face', { company_id: company })
    .select('face_id')
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
