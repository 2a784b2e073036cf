/** The parts of the store that operators and their sessions use. */
import type { OperatorRole } from '../../contracts/dashboard/session.ts';
import type { CompanyId, OperatorId } from '../../contracts/ids.ts';

/** A person who signs in to the dashboard of one company. */
export interface Operator {
  id: OperatorId;
  companyId: CompanyId;
  name: string;
  role: OperatorRole;
  /** An inactive operator cannot sign in; what they did keeps their name. */
  active: boolean;
  createdAt: Date;
  lastSignedInAt: Date | null;
}

export interface NewOperator {
  name: string;
  /** The name as it is compared; unique in the installation, because it is what one signs in with. */
  nameKey: string;
  role: OperatorRole;
  /** A PHC string of argon2id. */
  passphraseHash: string;
}

/** The stored values that a sign-in is compared with. */
export interface OperatorSecrets {
  operator: Operator;
  passphraseHash: string;
}

export interface Session {
  operator: Operator;
  /** SHA-256 of the token: names the session, opens nothing. */
  hash: Uint8Array;
  openedAt: Date;
  usedAt: Date;
  /** When the passphrase was last given. */
  confirmedAt: Date;
}

/** One of the counts of an attempt, with its own wait. */
export interface AttemptCount {
  /** SHA-256 of the origin that is counted. */
  source: Uint8Array;
  /** How long to wait after so many failed attempts in a row, milliseconds. */
  waitAfter(attempts: number): number;
}

export interface FailedAttempts {
  source: Uint8Array;
  attempts: number;
  lastAt: Date;
}
