/** The parts of the store that operators and their sessions use. */
import type { Problem } from '../../contracts/errors/problem.ts';
import type { OperatorRole } from '../../contracts/dashboard/session.ts';
import type { CompanyId, OperatorId } from '../../contracts/ids.ts';
import type { CompanySettings } from '../../contracts/settings.ts';
import type { AuditContext } from './auditContext.ts';
import type { Company } from './companies.ts';
import type { Result } from './result.ts';

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

export interface Operators {
  /** `name-taken`: an operator of the installation has the name. */
  create(
    company: CompanyId,
    operator: NewOperator,
    act: AuditContext,
  ): Promise<Result<{ operator: Operator }, 'name-taken'>>;
  /**
   * First run, one transaction: the company, its first admin, its recovery key.
   * `closed`: the installation has an operator. `company-exists`: it has this company. `folder-refused`: the folder
   * cannot hold its images; the reason says why and what to do.
   */
  setUp(
    first: {
      company: { name: string; storageFolder: string; settings: CompanySettings };
      admin: NewOperator;
      /** SHA-256 of the recovery key. */
      recoveryHash: Uint8Array;
    },
    act: AuditContext,
  ): Promise<
    | Result<{ company: Company; operator: Operator }, 'closed' | 'company-exists'>
    | { kind: 'folder-refused'; reason: Problem }
  >;
  /** Whether the installation has any operator. */
  exist(): Promise<boolean>;
  list(company: CompanyId): Promise<Operator[]>;
  /** A credential's look-up: the one query of operators without a company. */
  findByName(nameKey: string): Promise<OperatorSecrets | undefined>;
  /**
   * Changes role or activity; the sessions of an operator who is deactivated end.
   * `last-admin`: the company would be left without an active admin.
   */
  change(
    company: CompanyId,
    id: OperatorId,
    change: { role?: OperatorRole | undefined; active?: boolean | undefined },
    act: AuditContext,
  ): Promise<Result<{ operator: Operator }, 'last-admin' | 'unknown'>>;
  /**
   * Replaces the passphrase and ends all the operator's sessions.
   * @param compared the stored hash that the operator's own change was allowed by; null: an administrator resets it
   * @returns false: there is no such operator, or no longer with that hash
   */
  setPassphrase(
    company: CompanyId,
    id: OperatorId,
    passphraseHash: string,
    compared: string | null,
    act: AuditContext,
  ): Promise<boolean>;
  /**
   * The way back in, one transaction: the operator who has this name in the company becomes an active admin with this passphrase
   * and no session, or is added as one; the recovery key that was used gives way to the next.
   * `code-used`: the code is no longer the company's. `name-taken`: an operator of another company has the name.
   */
  recover(
    company: CompanyId,
    admin: { name: string; nameKey: string; passphraseHash: string },
    recovery: { used: Uint8Array; next: Uint8Array },
    act: AuditContext,
  ): Promise<Result<{ operator: Operator }, 'code-used' | 'name-taken'>>;
}

/** One recovery key per company; only its SHA-256 is stored. */
export interface RecoveryCodes {
  /** When the company's key was made; undefined: it has none. */
  madeAt(company: CompanyId): Promise<Date | undefined>;
  /** A credential's look-up, without a company. */
  companyOf(hash: Uint8Array): Promise<CompanyId | undefined>;
  /** Makes it the company's key; the one before opens nothing any more. */
  replace(company: CompanyId, hash: Uint8Array, act: AuditContext): Promise<void>;
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

/** Sessions are found by the SHA-256 of what the cookie holds; the value itself is never stored. */
export interface Sessions {
  /**
   * Opens a session and records the sign-in.
   * @param compared the stored hash that the passphrase was compared with
   * @returns false: the operator got another passphrase or was deactivated since that comparison
   */
  open(operator: Operator, hash: Uint8Array, compared: string, act: AuditContext): Promise<boolean>;
  /** A credential's look-up, without a company. Of an inactive operator: undefined. */
  find(hash: Uint8Array): Promise<Session | undefined>;
  /** Those of the company's active operators, newest first, ended by time or not. */
  list(company: CompanyId): Promise<Session[]>;
  touch(hash: Uint8Array, at: Date): Promise<void>;
  confirm(hash: Uint8Array, operator: Operator, act: AuditContext): Promise<void>;
  close(hash: Uint8Array, operator: Operator, act: AuditContext): Promise<void>;
  /** Ends every session of an operator. */
  closeAll(company: CompanyId, operator: OperatorId, act: AuditContext): Promise<void>;
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

/** Failed attempts to sign in as an operator, by the SHA-256 of the name and by origin. Names without an operator have none. */
export interface SignInAttempts {
  /** The end of the longest wait that is running; undefined: none is. */
  waitingUntil(name: Uint8Array, counts: readonly AttemptCount[], at: Date): Promise<Date | undefined>;
  /**
   * Counts an attempt just before its passphrase is compared, so that guesses sent together each count.
   * @returns the end of the wait when one is running; then nothing is counted
   */
  begin(name: Uint8Array, counts: readonly AttemptCount[], at: Date): Promise<Date | undefined>;
  /** Starts these counts again from zero, because the passphrase was right. Absent: every count of the name. */
  clear(name: Uint8Array, counts?: readonly AttemptCount[]): Promise<void>;
  failed(name: Uint8Array): Promise<FailedAttempts[]>;
  /** An admin lets an operator try again at once. */
  unlock(operator: Operator, nameHash: Uint8Array, act: AuditContext): Promise<void>;
  /**
   * A rejected attempt is in the audit log: of an operator's company where there is one.
   * @param withinHour how many of the kind there were within the hour, this one included
   */
  recordRefusal(
    operator: Operator | undefined,
    action: 'session.refused' | 'session.locked',
    withinHour: number,
    act: AuditContext,
  ): Promise<void>;
}
