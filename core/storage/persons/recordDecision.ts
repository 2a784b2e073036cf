/** Appends a decision to the log and brings the persons in step, inside the caller's transaction. */
import type { CompanyId, FaceId, PersonDecisionId, PersonId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { SIDE, type NewDecision } from '../../domain/ports/persons.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { send, type Transaction } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import { insertDecision, refused, type Confirmation } from './decisions.ts';
import { derivePersons } from './derive.ts';
import { changeRows } from '../engine/rows.ts';

/** Decisions after which faces have left their person. */
const LEAVING: ReadonlySet<NewDecision['kind']> = new Set(['split', 'move', 'dissolve']);

/**
 * @returns the decision, and the person that it concerns if that has a face
 * @throws {CodedError} it contradicts a decision that stands
 */
export async function recordDecision(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  decision: NewDecision & Confirmation,
  act: AuditContext,
): Promise<{ decision: PersonDecisionId; person: PersonId | null }> {
  const id = await insertDecision(trx, company, decision, act);
  const faces = decision.faces.map(({ face }) => face);
  const derived = await derivePersons(trx, company, faces, act, decision.person);
  if (derived.contradicted !== undefined) throw refused('DECISION_CONTRADICTED');
  const person = concerned(decision, derived.personOf) ?? null;
  const moved = LEAVING.has(decision.kind) ? SIDE.stays : SIDE.chosen;
  const other =
    derived.before.get(decision.faces.find(({ side }) => side === moved)?.face ?? faces[0]!) ?? null;
  await send(
    trx,
    changeRows(trx, 'person_decision', { company_id: company, id }).set({
      person_id: person,
      other_person_id: other === person ? null : other,
    }),
  );
  await regroup(trx, company, derived.faces);
  const confirmed = decision.confirms === null ? {} : { confirms: decision.confirms };
  const details = { kind: decision.kind, faces: faces.length, ...confirmed };
  audit.append(trx, act, { company, action: 'identity.decided', object: `identity-decision:${id}`, details });
  return { decision: id, person };
}

/** The person that a decision is about, of those that its faces belong to now. */
function concerned(
  { kind, faces }: NewDecision,
  personOf: ReadonlyMap<FaceId, PersonId>,
): PersonId | undefined {
  const sides =
    kind === 'merge'
      ? [SIDE.stays]
      : kind === 'move'
        ? [SIDE.target, SIDE.chosen]
        : [SIDE.chosen, SIDE.stays];
  for (const side of sides)
    for (const named of faces) {
      const person = named.side === side ? personOf.get(named.face) : undefined;
      if (person !== undefined) return person;
    }
  return undefined;
}

/**
 * The groups of these faces must be worked out once more. Erased faces are left out. Before the first duplicate search of a
 * company has ended there are no groups: when it ends, all are worked out.
 */
export async function regroup(trx: Transaction, company: CompanyId, faces: readonly FaceId[]): Promise<void> {
  await send(
    trx,
    trx
      .insertInto('face_to_group')
      .columns(['face_id', 'company_id'])
      .expression((eb) =>
        eb
          .selectFrom('face')
          .select(['id', 'company_id'])
          .where('company_id', '=', company)
          .where('id', 'in', listed(faces))
          .where((has) =>
            has.exists(
              has
                .selectFrom('duplicate_run')
                .select('id')
                .where((at) => at.and({ company_id: company, state: 'done' })),
            ),
          ),
      ),
  );
}
