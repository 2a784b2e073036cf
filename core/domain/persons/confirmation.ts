/** When a decision needs a second operator, and who may be the second one. */
import { isOperator, type Actor } from '../ports/auditContext.ts';
import type { DecisionKind } from '../ports/persons.ts';

/** Whether a decision about a group makes its faces one person. */
export function acceptsFaces(kind: DecisionKind): boolean {
  return kind === 'same' || kind === 'choose';
}

/**
 * Whether an account may confirm a decision. An operator cannot confirm an own decision, nor one that a program made with a
 * credential of that operator, and a program cannot confirm any: the rule asks for two people.
 * @param first who decided first, and the operator who made the credential of a program
 */
export function mayConfirm(first: { by: Actor; creator: Actor | null }, second: Actor): boolean {
  if (second !== 'local-admin' && !isOperator(second)) return false;
  return second !== first.by && second !== first.creator;
}
