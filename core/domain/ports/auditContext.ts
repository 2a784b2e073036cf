import type { Clock } from './machine.ts';
/**
 * Who does something: an operator of the dashboard, a credential of a program, the owner at the terminal, or the
 * service itself. Numbers, never names: it stands in the audit log.
 */
export type Actor =
  `operator:${number}` | `token:${number}` | `hmac:${number}` | 'owner' | 'service' | 'nobody';

/** Who changes something, and when: every change of the store that is on the record is told both. */
export interface AuditContext {
  by: Actor;
  at: Date;
}

/** Whoever can use the owner's door is the owner. */
export function asLocalAdmin(clock: Clock): AuditContext {
  return { by: 'owner', at: clock.now() };
}
