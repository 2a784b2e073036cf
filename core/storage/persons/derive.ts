/** Brings the stored persons in step with the decisions that stand, inside the caller's transaction. */
import {
  trusted,
  type CompanyId,
  type FaceId,
  type PersonDecisionId,
  type PersonId,
} from '../../contracts/ids.ts';
import { replay, type ReplayedPerson } from '../../domain/persons/replay.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { NewDecision } from '../../domain/ports/persons.ts';
import { cellsOf } from '../engine/cells.ts';
import { send, together, type Transaction } from '../engine/database.ts';
import { recordDeletedKeys } from '../engine/deletedKeys.ts';
import { listed, newIds, unusedIds } from '../engine/dialect.ts';
import { keyOf } from '../engine/searchKeys.ts';
import { decisionsAbout, naming, STANDS, toDecisions } from './decisions.ts';
import { isRising } from './personRows.ts';
import { rowsWith, changeRows, deleteRows } from '../engine/rows.ts';

interface Stored {
  id: PersonId;
  born: PersonDecisionId;
  cover: FaceId | null;
  faces: FaceId[];
}

/**
 * Replays every decision that is linked to one of these faces, and changes the persons accordingly. A person keeps its row, and
 * with it name, note and external id: first that of the decision that it came of, then the one that shares most faces.
 * Returns the decision by which the log contradicts itself, if it does; the faces that are linked to the given ones, erased faces
 * included; the person of each of them, and that of each that was in one before.
 * @param named for a person that this creates
 */
export async function derivePersons(
  trx: Transaction,
  company: CompanyId,
  seeds: readonly FaceId[],
  act: AuditContext,
  named: NewDecision['person'] = {},
) {
  const { faces, decisions, enrolled, known, unused } = await linked(trx, company, seeds);
  const { persons, contradicted } = replay(decisions);
  const personOf = new Map<FaceId, PersonId>();
  const before = new Map(known.flatMap(({ id, faces: its }) => its.map((face) => [face, id] as const)));
  if (contradicted !== undefined) return { contradicted, before, personOf, faces };
  const origins = new Set(persons.map(({ born }) => born));
  const stored = known.filter((person) => origins.has(person.born) || sharesFace(person, new Set(faces)));
  const free = new Map(stored.map((person) => [person.id, person]));
  const chosen = new Map<ReplayedPerson, Stored | undefined>();
  for (const person of persons) {
    const own = [...free.values()].find(({ born }) => born === person.born);
    if (own !== undefined) free.delete(own.id);
    if (own !== undefined) chosen.set(person, own);
  }
  // A merged person whose decision stands waits for the undo of the merge, so only the others are given to new persons.
  const standing = new Set(decisions.map(({ id }) => id));
  for (const person of persons) {
    const { faces: its } = person;
    const living = its.filter((face) => enrolled.has(face)).toSorted(isRising);
    const own = chosen.get(person);
    if (living.length === 0) {
      // Only erased faces are left to it. Its row stays for as long as an undo can bring back an enrolled one.
      if (own !== undefined) free.set(own.id, own);
      continue;
    }
    let row =
      own ??
      mostShared(
        [...free.values()].filter(({ born }) => !standing.has(born)),
        living,
      );
    const texts = { name: named.name ?? enrolled.get(living[0]!)!, external_id: named.externalId ?? null };
    const created = row === undefined;
    row ??= await createPerson(
      trx,
      company,
      { id: unused.pop(), born: person.born, living, texts, note: named.note },
      act,
    );
    free.delete(row.id);
    if (created) await insertFaces(trx, company, row.id, living);
    else await updatePerson(trx, company, { row, born: person.born, living }, act);
    for (const face of its) personOf.set(face, row.id);
  }
  for (const row of free.values()) await emptyPerson(trx, company, row, standing.has(row.born), act);
  return { contradicted, before, personOf, faces };
}

/**
 * The decisions that these faces are linked to through others, the faces of all of them, the names of those that are enrolled,
 * and the persons that have one of the faces or came of one of the decisions. `unused`: the id of a new person.
 */
async function linked(trx: Transaction, company: CompanyId, seeds: readonly FaceId[]) {
  const faces = new Set<FaceId>(seeds);
  for (;;) {
    const chosen = new Set(faces);
    const [named, names, rows, unused] = await together(
      trx,
      decisionsAbout(trx, company, [...chosen], STANDS),
      rowsWith(trx, 'face', { company_id: company })
        .select(['id', 'name'])
        .where('id', 'in', listed([...chosen])),
      personsAround(trx, company, [...chosen]),
      unusedIds('person', 1).compile(trx),
    );
    const decisions = toDecisions(named);
    const known = toPersons(rows);
    for (const decision of decisions) for (const { face } of decision.faces) faces.add(face);
    for (const person of known)
      if (sharesFace(person, chosen)) for (const face of person.faces) faces.add(face);
    if (faces.size > chosen.size) continue;
    const enrolled = new Map(names.map(({ id, name }) => [id, name]));
    const ids = unused.map(({ id }) => id);
    return { faces: [...chosen].toSorted(isRising), decisions, enrolled, known, unused: ids };
  }
}

/** The faces of the persons that have one of these faces, or came of a decision about one. A person without faces has one row. */
function personsAround(trx: Transaction, company: CompanyId, faces: readonly FaceId[]) {
  return trx
    .selectFrom('person')
    .leftJoin('person_face', 'person_face.person_id', 'person.id')
    .select(['person.id', 'person.born', 'person.cover_face', 'person_face.face_id'])
    .where('person.company_id', '=', company)
    .where((eb) =>
      eb.or([
        eb('person.born', 'in', naming(faces)),
        eb('person.id', 'in', (sub) =>
          sub
            .selectFrom('person_face as known')
            .select('known.person_id')
            .where('known.company_id', '=', company)
            .where('known.face_id', 'in', listed(faces)),
        ),
      ]),
    )
    .orderBy('person.id')
    .orderBy('person_face.face_id');
}

function toPersons(
  rows: readonly {
    id: PersonId;
    born: PersonDecisionId;
    cover_face: FaceId | null;
    face_id: FaceId | null;
  }[],
): Stored[] {
  const persons = new Map<PersonId, Stored>();
  for (const row of rows) {
    const person = persons.get(row.id) ?? { id: row.id, born: row.born, cover: row.cover_face, faces: [] };
    if (row.face_id !== null) person.faces.push(row.face_id);
    persons.set(row.id, person);
  }
  return [...persons.values()];
}

function sharesFace(person: Stored, faces: ReadonlySet<FaceId>): boolean {
  return person.faces.some((face) => faces.has(face));
}

function mostShared(persons: readonly Stored[], faces: readonly FaceId[]): Stored | undefined {
  const mine = new Set(faces);
  const shared = (person: Stored) => person.faces.filter((face) => mine.has(face)).length;
  const best = persons.toSorted((a, b) => shared(b) - shared(a) || a.id - b.id).at(0);
  return best !== undefined && shared(best) > 0 ? best : undefined;
}

async function createPerson(
  trx: Transaction,
  company: CompanyId,
  person: {
    id: number | undefined;
    born: PersonDecisionId;
    living: readonly FaceId[];
    texts: { name: string; external_id: string | null };
    note: string | null | undefined;
  },
  act: AuditContext,
): Promise<Stored> {
  const { born, living, texts, note } = person;
  const id = trusted.person(person.id ?? (await newIds(trx, 'person', 1))[0]!);
  const place = { company_id: company, id };
  const row = trx.insertInto('person').values({
    ...place,
    born,
    ...texts,
    ...keyOf('person', texts),
    note: cellsOf(trx).sealText('person', 'note', place, note ?? null),
    cover_face: living[0]!,
    version: 1,
    created_at: act.at.getTime(),
    changed_at: act.at.getTime(),
  });
  await send(trx, row);
  return { id, born, cover: living[0]!, faces: [] };
}

async function updatePerson(
  trx: Transaction,
  company: CompanyId,
  { row, born, living }: { row: Stored; born: PersonDecisionId; living: readonly FaceId[] },
  act: AuditContext,
): Promise<void> {
  const same = living.length === row.faces.length && living.every((face, index) => face === row.faces[index]);
  if (same && row.born === born) return;
  const cover = row.cover !== null && living.includes(row.cover) ? row.cover : (living[0] ?? null);
  await send(
    trx,
    changeRows(trx, 'person', { company_id: company, id: row.id }).set((eb) => ({
      born,
      cover_face: cover,
      version: eb('version', '+', same ? 0 : 1),
      changed_at: act.at.getTime(),
    })),
  );
  // Before faces leave: a person without any is deleted.
  await insertFaces(
    trx,
    company,
    row.id,
    living.filter((face) => !row.faces.includes(face)),
  );
  const gone = row.faces.filter((face) => !living.includes(face));
  if (gone.length > 0)
    await send(
      trx,
      deleteRows(trx, 'person_face', { company_id: company, person_id: row.id }).where(
        'face_id',
        'in',
        listed(gone),
      ),
    );
  await send(trx, deleteRows(trx, 'person_former_face', { company_id: company, person_id: row.id }));
}

/** Faces come to a person, from another one or from none. */
async function insertFaces(
  trx: Transaction,
  company: CompanyId,
  person: PersonId,
  faces: readonly FaceId[],
): Promise<void> {
  if (faces.length === 0) return;
  await send(
    trx,
    trx
      .insertInto('person_face')
      .values(faces.map((face) => ({ face_id: face, person_id: person, company_id: company })))
      .onConflict((conflict) => conflict.column('face_id').doUpdateSet({ person_id: person })),
  );
}

/** A person without faces stays for as long as an undo can bring back one that it had. */
async function emptyPerson(
  trx: Transaction,
  company: CompanyId,
  { id, faces }: Stored,
  mayReturn: boolean,
  act: AuditContext,
): Promise<void> {
  // Before its faces leave: the database deletes a person without any.
  if (!mayReturn) {
    const gone = await deleteRows(trx, 'person', { company_id: company, id })
      .returning(['company_id', 'id', 'note'])
      .execute();
    await recordDeletedKeys(
      trx,
      gone.flatMap((person) => cellsOf(trx).leavesOf('person', person)),
    );
    return;
  }
  for (const face of faces)
    await send(
      trx,
      trx.insertInto('person_former_face').values({ person_id: id, face_id: face, company_id: company }),
    );
  await send(
    trx,
    deleteRows(trx, 'person_face', { company_id: company, person_id: id }).where(
      'face_id',
      'in',
      listed(faces),
    ),
  );
  if (faces.length > 0)
    await send(
      trx,
      changeRows(trx, 'person', { company_id: company, id }).set((eb) => ({
        version: eb('version', '+', 1),
        cover_face: null,
        changed_at: act.at.getTime(),
      })),
    );
}
