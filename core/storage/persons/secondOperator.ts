/** Decisions that wait for a second operator, inside the transaction of the decision that concerns them. */
import type { CompanyId, IdentityDecisionId } from '../../contracts/ids.ts';
import { hasPassed } from '../../domain/common/elapsed.ts';
import { acceptsFaces, GIVEN_LIMIT, mayConfirm } from '../../domain/persons/confirmation.ts';
import type { Actor, AuditContext } from '../../domain/ports/auditContext.ts';
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
  // Also after the rule was switched off: what waits was promised a second operator.
  const first = acceptsFaces(decision.kind) ? about.find((each) => isSame(each, decision)) : undefined;
  if (first !== undefined) {
    const [record] = await recordsWhere(trx, company, { id: first.id });
    if (record === undefined) return { kind: 'refused' };
    const creator = await creatorOf(trx, company, record.by);
    const ofFirst = await holdersOf(
      trx,
      company,
      creator === null ? [record.by] : [record.by, creator],
      act.at,
    );
    if (!mayConfirm(ofFirst, await holdersOf(trx, company, [act.by], act.at))) return { kind: 'refused' };
  }
  for (const { id } of about)
    if (id !== first?.id)
      await insertEntry(trx, company, { kind: 'undo', undoes: id, person: null }, { by: act.by, at: act.at });
  return { kind: 'enters', awaitsSecond: needed && first === undefined, confirms: first?.id ?? null };
}

/** The accounts, and the operators who lately gave them a passphrase, those who gave it to these, and so on. */
async function holdersOf(
  trx: Transaction,
  company: CompanyId,
  accounts: readonly Actor[],
  now: Date,
): Promise<Actor[]> {
  const given = await trx
    .selectFrom('operator')
    .select(['id', 'passphrase_given_by', 'passphrase_given_at'])
    .where('company_id', '=', company)
    .where('passphrase_given_by', 'is not', null)
    .execute();
  const holders = new Set(accounts);
  // A set also visits what is added during the loop.
  for (const holder of holders)
    for (const { id, passphrase_given_by, passphrase_given_at } of given)
      if (holder === `operator:${id}` && passphrase_given_by !== null)
        if (!hasPassed(passphrase_given_at, GIVEN_LIMIT, now)) holders.add(passphrase_given_by);
  return [...holders];
}

function isSame(one: StandingDecision, other: NewDecision): boolean {
  return one.kind === other.kind && keyOf(one.faces) === keyOf(other.faces);
}

function keyOf(faces: readonly NamedFace[]): string {
  return JSON.stringify(faces.map(({ face, side }) => [face, side]).toSorted((a, b) => a[0]! - b[0]!));
}
