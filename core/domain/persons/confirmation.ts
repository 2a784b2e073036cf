/** When a decision needs a second operator, and who may be the second one. */
import { isOperator, type Actor } from '../ports/auditContext.ts';
import type { DecisionKind } from '../ports/persons.ts';

/** For so long the operator who chose another one's passphrase counts as the same person, milliseconds. */
export const GIVEN_LIMIT = 30 * 24 * 60 * 60 * 1000;

/** Whether a decision about a group makes its faces one person. */
export function acceptsFaces(kind: DecisionKind): boolean {
  return kind === 'same' || kind === 'choose';
}

/**
 * Whether an account may confirm a decision. An operator cannot confirm an own decision, nor one that a program made with a
 * credential of that operator, and a program cannot confirm any: the rule asks for two people.
 * An operator who created an account or reset its passphrase within {@link GIVEN_LIMIT} can use it, and counts as its holder.
 * @param first the accounts of those who may have decided first: the account, and all who could use it
 * @param second the same of the account that confirms, itself first
 */
export function mayConfirm(first: readonly Actor[], second: readonly Actor[]): boolean {
  const [account] = second;
  if (account === undefined || (account !== 'local-admin' && !isOperator(account))) return false;
  return !second.some((holder) => first.includes(holder));
}
