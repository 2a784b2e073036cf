import type { Clock } from './machine.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { CompanySettings } from '../../contracts/settings.ts';

/**
 * The account behind an action: an operator of the dashboard, a credential of a program, the local administrator at the
 * terminal, the service itself, or a caller that has not signed in. Identifiers only, because the audit log holds no names.
 */
export type Actor =
  | `operator:${number}`
  | `token:${number}`
  | `hmac:${number}`
  | 'local-admin'
  | 'service'
  | 'anonymous';

/** Whether the account is a person who is signed in to the dashboard. */
export function isOperator(account: Actor): boolean {
  return account.startsWith('operator:');
}

/** The actor and the time of a change. Every audited change of the store takes one. */
export interface AuditContext {
  by: Actor;
  at: Date;
  /** The request of a program that may be sent twice; absent: a repetition is a change of its own. */
  request?: KeyedRequest;
}

/** The Idempotency-Key of a request with the credential that it belongs to, and all that the request asks for. */
export interface KeyedRequest {
  key: string;
  content: string;
}

/** The local socket opens for the local administrator's account only, so each of its callers acts as `local-admin`. */
export function asLocalAdmin(clock: Clock): AuditContext {
  return { by: 'local-admin', at: clock.now() };
}

/** The companies of an installation and its settings. */
export interface Company {
  id: CompanyId;
  name: string;
  /** Absolute folder of the company's encrypted images; null: storage is not configured. */
  storageFolder: string | null;
  settings: CompanySettings;
  createdAt: Date;
}
