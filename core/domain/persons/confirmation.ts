/** When a decision needs a second operator, and who may be the second one. */
import type { Actor } from '../ports/auditContext.ts';
import type { DecisionKind } from '../ports/persons.ts';

/** Whether a decision about a group makes its faces one person. */
export function acceptsFaces(kind: DecisionKind): boolean {
  return kind === 'same' || kind === 'choose';
}

/**
 * Whether an account may confirm the decision of another account. An operator cannot confirm an own decision, and a program
 * cannot confirm any: the rule asks for two people.
 */
export function mayConfirm(first: Actor, second: Actor): boolean {
  return first !== second && (second === 'local-admin' || second.startsWith('operator:'));
}
