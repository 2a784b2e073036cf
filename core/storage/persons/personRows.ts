/** Persons as rows, and which faces they have. */
import { sql, type Selectable } from 'kysely';
import type { CompanyId, FaceId, PersonId } from '../../contracts/ids.ts';
import type { Person, PersonFilter } from '../../domain/ports/persons.ts';
import type { Database } from '../engine/database.ts';
import { isNamed } from '../engine/nameSearch.ts';
import { listed } from '../engine/dialect.ts';
import type { Schema } from '../engine/schema.ts';

/** One without was merged into another person. */
export const HAS_FACES = sql<boolean>`exists (select 1 from person_face where person_id = person.id)`;

export function matches({ text = '', externalId }: PersonFilter) {
  const part = text.trim();
  const named = isNamed('person', part);
  const known = sql<boolean>`person.external_id = ${externalId}`;
  return sql<boolean>`${part === '' ? sql`true` : named} and ${externalId === undefined ? sql`true` : known}`;
}

export function toPerson(row: Selectable<Schema['person']> & { faces: number }): Person {
  const { id, version, name, note, faces } = row;
  return {
    id,
    version,
    name,
    note,
    faces,
    externalId: row.external_id,
    cover: row.cover_face,
    createdAt: new Date(row.created_at),
    changedAt: new Date(row.changed_at),
  };
}

/** By rising ids. */
export async function facesOfPerson(db: Database, company: CompanyId, id: PersonId): Promise<FaceId[]> {
  const rows = await db
    .selectFrom('person_face')
    .select('face_id')
    .where('company_id', '=', company)
    .where('person_id', '=', id)
    .orderBy('face_id')
    .execute();
  return rows.map(({ face_id: face }) => face);
}

/** The persons of those of these faces that have one. */
export async function personsOf(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<Map<FaceId, Pick<Person, 'id' | 'name' | 'externalId'>>> {
  const rows = await db
    .selectFrom('person_face')
    .innerJoin('person', 'person.id', 'person_face.person_id')
    .select(['person_face.face_id', 'person.id', 'person.name', 'person.external_id'])
    .where('person_face.company_id', '=', company)
    .where('person_face.face_id', 'in', listed(faces))
    .execute();
  return new Map(
    rows.map((row) => [row.face_id, { id: row.id, name: row.name, externalId: row.external_id }]),
  );
}
