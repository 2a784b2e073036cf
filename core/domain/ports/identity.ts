/** The parts of the store that operators and their sessions use. */
import type { OperatorRole } from '../../contracts/dashboard/session.ts';

export interface NewOperator {
  name: string;
  /** The name as it is compared; unique in the installation, because it is what one signs in with. */
  nameKey: string;
  role: OperatorRole;
  /** A PHC string of argon2id. */
  passphraseHash: string;
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
