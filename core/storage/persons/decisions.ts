/** The log of decisions, and which of its entries take effect. */
import { sql, type RawBuilder } from 'kysely';
import {
  trusted,
  type CompanyId,
  type FaceId,
  type PersonDecisionId,
  type PersonId,
} from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import {
  DECISION_KINDS,
  type DecisionKind,
  type NamedFace,
  type NewDecision,
  type StandingDecision,
} from '../../domain/ports/persons.ts';
import { cellsOf } from '../engine/cells.ts';
import { send, type Database, type Transaction } from '../engine/database.ts';
import { listed, newIds, tableOf } from '../engine/dialect.ts';
import { toRecord, type DecisionRecord } from './personRows.ts';
import { CLOCK_SLACK } from '../../domain/values/time.ts';
import type { Persons } from './persons.ts';
import { CodedError, type PlainCode } from '../../contracts/errors/problem.ts';
import { addRows, rowsWith } from '../engine/rows.ts';

/** How long the key of a request is remembered, milliseconds. */
const REQUEST_WINDOW = 24 * 60 * 60_000;

const UNDONE_AT = sql<number | null>`
  (select undo.decided_at from person_decision as undo where undo.undoes = person_decision.id)`;
const NOT_UNDONE = sql`
  not exists (select 1 from person_decision as undo where undo.undoes = person_decision.id)`;
/** A confirmation loses its effect with the decision that it confirms. */
export const STANDS = sql<boolean>`person_decision.awaits_second = 0 and ${NOT_UNDONE}
  and not exists (select 1 from person_decision as undo where undo.undoes = person_decision.confirms)`;
export const AWAITS = sql<boolean>`person_decision.awaits_second = 1 and ${NOT_UNDONE}
  and not exists (select 1 from person_decision as second where second.confirms = person_decision.id
    and not exists (select 1 from person_decision as undo where undo.undoes = second.id))`;

/**
 * A refused decision, to be thrown inside its transaction, so that nothing of it stays.
 * @param changed what has changed since it was read, with its present version
 */
export function refused(code: PlainCode, changed: { id?: number; version?: number } = {}): CodedError {
  return new CodedError({ code, parameters: changed });
}

/** How a new decision enters the log. */
export interface Confirmation {
  awaitsSecond: boolean;
  confirms: PersonDecisionId | null;
  /** Of {@link unusedIds}; absent: it is asked for. */
  id?: number | undefined;
}

export async function insertDecision(
  trx: Transaction,
  company: CompanyId,
  decision: NewDecision & Confirmation,
  act: AuditContext,
): Promise<PersonDecisionId> {
  const id = trusted.personDecision(decision.id ?? (await newIds(trx, 'person_decision', 1))[0]!);
  const place = { company_id: company, id };
  const row = trx.insertInto('person_decision').values({
    ...place,
    kind: decision.kind,
    undoes: null,
    awaits_second: decision.awaitsSecond ? 1 : 0,
    confirms: decision.confirms,
    decided_by: act.by,
    decided_at: act.at.getTime(),
    reason: cellsOf(trx).sealText('person_decision', 'reason', place, decision.reason),
    person_id: null,
    other_person_id: null,
    distance: decision.distance ?? null,
    pipeline_id: decision.pipeline ?? null,
    ...requestColumns(act),
  });
  await send(trx, row);
  const columns = decision.faces.map(({ face, side }) => [face, side]);
  const name = sql`
    insert into person_decision_face (decision_id, face_id, side, company_id)
    select ${id}, named.face, named.side, ${company}
    from ${tableOf({ face: 'bigint', side: 'bigint' }, columns)} as named`;
  await send(trx, name.compile(trx));
  return id;
}

/** Appends an entry without faces: a change of a person, or an undo. */
export async function insertEntry(
  trx: Transaction,
  company: CompanyId,
  entry:
    | { kind: 'change'; person: PersonId }
    | { kind: 'undo'; undoes: PersonDecisionId; person: PersonId | null },
  act: AuditContext,
): Promise<void> {
  await addRows(trx, 'person_decision', {
    company_id: company,
    kind: entry.kind,
    undoes: entry.kind === 'undo' ? entry.undoes : null,
    confirms: null,
    decided_by: act.by,
    decided_at: act.at.getTime(),
    reason: null,
    person_id: entry.person,
    other_person_id: null,
    distance: null,
    pipeline_id: null,
    ...requestColumns(act),
  });
}

/** Newest first. */
export async function recordsWhere(
  db: Database,
  company: CompanyId,
  chosen: { faces: readonly FaceId[] } | { person: PersonId } | { id: PersonDecisionId },
): Promise<DecisionRecord[]> {
  const rows = await rowsWith(db, 'person_decision', { company_id: company })
    .selectAll()
    .select(UNDONE_AT.as('undone_at'))
    .select(sql<number>`case when ${AWAITS} then 1 else 0 end`.as('awaiting'))
    .$if('id' in chosen, (query) => query.where('id', '=', (chosen as { id: PersonDecisionId }).id))
    .$if('person' in chosen, (query) => {
      const { person } = chosen as { person: PersonId };
      return query.where((eb) => eb.or([eb('person_id', '=', person), eb('other_person_id', '=', person)]));
    })
    .$if('faces' in chosen, (query) =>
      query.where('id', 'in', naming((chosen as { faces: readonly FaceId[] }).faces)),
    )
    .orderBy('id', 'desc')
    .execute();
  const faces = await facesOfDecisions(
    db,
    company,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toRecord(cellsOf(db), row, faces.get(row.id) ?? []));
}

/** Of the decisions that name one of these faces those that take effect, by rising ids. */
export async function standingOf(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<StandingDecision[]> {
  return toDecisions(await decisionsAbout(db, company, faces, STANDS).execute());
}

/** Of the decisions that name one of these faces those that wait for a second operator, by rising ids. */
export async function awaitingOf(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<StandingDecision[]> {
  return toDecisions(await decisionsAbout(db, company, faces, AWAITS).execute());
}

/** The faces of the decisions that name one of these faces, one row each: for {@link toDecisions}. */
export function decisionsAbout(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
  condition: RawBuilder<boolean>,
) {
  return db
    .selectFrom('person_decision')
    .innerJoin('person_decision_face as named', 'named.decision_id', 'person_decision.id')
    .select(['person_decision.id', 'person_decision.kind', 'named.face_id', 'named.side'])
    .where('person_decision.company_id', '=', company)
    .where('named.company_id', '=', company)
    .where('person_decision.id', 'in', naming(faces))
    .where(condition)
    .orderBy('person_decision.id')
    .orderBy('named.face_id');
}

export function toDecisions(
  rows: readonly { id: PersonDecisionId; kind: DecisionRecord['kind']; face_id: FaceId; side: number }[],
): StandingDecision[] {
  const decisions = new Map<PersonDecisionId, StandingDecision & { faces: NamedFace[] }>();
  for (const { id, kind, face_id: face, side } of rows) {
    if (!isDecision(kind)) continue;
    const decision = decisions.get(id) ?? { id, kind, faces: [] };
    decision.faces.push({ face, side });
    decisions.set(id, decision);
  }
  return [...decisions.values()];
}

function requestColumns({ request }: AuditContext) {
  return { request_key: request?.key ?? null, request_content: request?.content ?? null };
}

/** See `Persons.repeated`. */
export async function repeatedRequest(
  db: Database,
  company: CompanyId,
  { request, at }: AuditContext,
): ReturnType<Persons['repeated']> {
  if (request === undefined) return undefined;
  const row = await rowsWith(db, 'person_decision', { company_id: company, request_key: request.key })
    .select(['id', 'undoes', 'person_id', 'request_content'])
    .where('decided_at', '>', at.getTime() - REQUEST_WINDOW)
    .where('decided_at', '<=', at.getTime() + CLOCK_SLACK)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.request_content !== request.content) throw refused('REQUEST_KEY_REUSED');
  const named = await facesOfDecisions(db, company, [row.undoes ?? row.id]);
  const faces = [...named.values()].flat().map(({ face }) => face);
  return { decision: row.id, person: row.person_id, faces };
}

/** The decisions that name one of these faces, for a condition. */
export function naming(faces: readonly FaceId[]) {
  return sql<PersonDecisionId>`
    (select decision_id from person_decision_face where face_id in ${listed(faces)})`;
}

async function facesOfDecisions(
  db: Database,
  company: CompanyId,
  ids: readonly PersonDecisionId[],
): Promise<Map<PersonDecisionId, NamedFace[]>> {
  const rows = await rowsWith(db, 'person_decision_face', { company_id: company })
    .select(['decision_id', 'face_id', 'side'])
    .where('decision_id', 'in', listed(ids))
    .orderBy('decision_id')
    .orderBy('face_id')
    .execute();
  const faces = new Map<PersonDecisionId, NamedFace[]>();
  for (const { decision_id: id, face_id: face, side } of rows) {
    const named = faces.get(id) ?? [];
    named.push({ face, side });
    faces.set(id, named);
  }
  return faces;
}

function isDecision(kind: DecisionRecord['kind']): kind is DecisionKind {
  return DECISION_KINDS.some((known) => known === kind);
}
