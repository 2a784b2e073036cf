/** Decisions that wait for a second operator, inside the transaction of the decision that concerns them. */
import type { CompanyId, IdentityDecisionId } from '../../contracts/ids.ts';
import { acceptsFaces, mayConfirm } from '../../domain/persons/confirmation.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { NamedFace, NewDecision, StandingDecision } from '../../domain/ports/persons.ts';
import { creatorOf } from '../credentials/credentialRows.ts';
import type { Transaction } from '../engine/database.ts';
import { awaitingOf, insertEntry, recordsWhere } from './decisions.ts';

/** How a new decision enters the log. `refused`: the account cannot confirm the decision that waits. */
export type Confirmation =
  { kind: 'refused' } | { kind: 'enters'; awaitsSecond: boolean; confirms: IdentityDecisionId | null };

/**
 * A decision confirms the waiting one about the same faces. A different decision about two of its faces takes its place: the
 * waiting one is undone.
 */
export async function confirmationOf(
  trx: Transaction,
  company: CompanyId,
  decision: NewDecision,
  act: AuditContext,
): Promise<Confirmation> {
  const faces = new Set(decision.faces.map(({ face }) => face));
  const waiting = await awaitingOf(trx, company, [...faces]);
  const about = waiting.filter(({ faces: named }) => named.filter(({ face }) => faces.has(face)).length > 1);
  const needed = decision.needsConfirmation === true && acceptsFaces(decision.kind);
  const first = needed ? about.find((each) => isSame(each, decision)) : undefined;
  if (first !== undefined) {
    const [record] = await recordsWhere(trx, company, { id: first.id });
    if (record === undefined) return { kind: 'refused' };
    const creator = await creatorOf(trx, company, record.by);
    if (!mayConfirm({ by: record.by, creator }, act.by)) return { kind: 'refused' };
  }
  for (const { id } of about)
    if (id !== first?.id)
      await insertEntry(trx, company, { kind: 'undo', undoes: id, person: null }, { by: act.by, at: act.at });
  return { kind: 'enters', awaitsSecond: needed && first === undefined, confirms: first?.id ?? null };
}

function isSame(one: StandingDecision, other: NewDecision): boolean {
  return one.kind === other.kind && keyOf(one.faces) === keyOf(other.faces);
}

function keyOf(faces: readonly NamedFace[]): string {
  return JSON.stringify(faces.map(({ face, side }) => [face, side]).toSorted((a, b) => a[0]! - b[0]!));
}
