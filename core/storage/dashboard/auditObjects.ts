import { sql } from 'kysely';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { isFound } from '../../contracts/searchKey.ts';
import type { Database } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import { hasWords, isNamed } from '../engine/nameSearch.ts';

/** Objects that one filter means at most: a text that means more names nobody in particular. */
const MAX_OBJECTS = 2_000;
const OF_A_PERSON = /^(person|face|validation):(\d{1,15})$/;

/** Everything that the audit log may name of a person. */
interface Known {
  persons: Set<number>;
  faces: Set<number>;
  validations: Set<number>;
}

/**
 * The objects that a text means, as the audit log writes them: see `object` of `auditFilter`.
 * @throws CodedError where it means more than `most`: a log without some of them would look complete
 */
export async function readAuditObjects(
  db: Database,
  company: CompanyId,
  text: string,
  most = MAX_OBJECTS,
): Promise<string[]> {
  const known: Known = { persons: new Set(), faces: new Set(), validations: new Set() };
  const [, kind, id] = OF_A_PERSON.exec(text) ?? [];
  if (kind !== undefined) known[`${kind}s` as keyof Known].add(Number(id));
  else await addNamed(db, company, text, known, most + 1);
  await addRelated(db, company, known);
  const others = kind === undefined ? await named(db, company, text) : [];
  const ofPeople = [
    ...[...known.persons].map((person) => `person:${person}`),
    ...[...known.faces].map((face) => `face:${face}`),
    ...[...known.validations].map((validation) => `validation:${validation}`),
    ...(await decisionsAbout(db, company, [...known.faces])),
  ];
  const objects = [...others, ...ofPeople];
  if (objects.length > most) throw new CodedError(problem('AUDIT_TOO_MANY_OBJECTS', { most }));
  return objects;
}

async function addNamed(
  db: Database,
  company: CompanyId,
  text: string,
  known: Known,
  most: number,
): Promise<void> {
  const { rows } = await sql<{ kind: keyof Known; id: number }>`
    select 'validations' as kind, id from trust_validation
      where company_id = ${company} and ${isNamed('trust_validation', text)}
    union all select 'persons', id from person where company_id = ${company} and ${isNamed('person', text)}
    union all select 'faces', id from face
      where company_id = ${company} and kind = 'blacklist' and ${hasWords('face', text)}
    limit ${most}`.execute(db);
  for (const { kind, id } of rows) known[kind].add(id);
}

/** From validations to their faces, from faces to their persons, and back to all that these have. */
async function addRelated(
  db: Database,
  company: CompanyId,
  { persons, faces, validations }: Known,
): Promise<void> {
  const add = async (to: Set<number>, query: ReturnType<typeof sql<{ id: number | null }>>) => {
    for (const { id } of (await query.execute(db)).rows) if (id !== null) to.add(id);
  };
  await add(
    faces,
    sql`select id from face where company_id = ${company} and trust_validation_id in ${listed([...validations])}`,
  );
  await add(
    persons,
    sql`select person_id as id from person_face where company_id = ${company} and face_id in ${listed([...faces])}`,
  );
  await add(
    faces,
    sql`select face_id as id from person_face where company_id = ${company} and person_id in ${listed([...persons])}`,
  );
  await add(
    validations,
    sql`select trust_validation_id as id from face where company_id = ${company} and id in ${listed([...faces])}`,
  );
}

async function decisionsAbout(db: Database, company: CompanyId, faces: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct person_decision.id from person_decision
      join person_decision_face on person_decision_face.decision_id = person_decision.id
    where person_decision.company_id = ${company} and person_decision_face.face_id in ${listed(faces)}`.execute(
    db,
  );
  return rows.map(({ id }) => `identity-decision:${id}`);
}

/** Blacklists, Trust Flows and operators are few: their names are compared one by one. */
async function named(db: Database, company: CompanyId, text: string): Promise<string[]> {
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'blacklist' as kind, id, name from blacklist where company_id = ${company}
    union all select 'flow', id, name from trust_flow where company_id = ${company}
    union all select 'operator', id, name from operator where company_id = ${company}`.execute(db);
  return rows.filter(({ name }) => isFound(name, text)).map(({ kind, id }) => `${kind}:${id}`);
}
