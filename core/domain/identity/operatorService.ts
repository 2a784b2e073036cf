import { problem, type FieldProblems } from '../../contracts/errors/problem.ts';
import { passphraseProblems, type OperatorRole } from '../../contracts/dashboard/session.ts';
import type { OperatorId } from '../../contracts/ids.ts';
import { companySettings } from '../../contracts/settings.ts';
import type { AuditContext, Company } from '../ports/auditContext.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import type { PassphraseHasher } from './passphrase.ts';
import type { Operator, Session } from '../ports/identity.ts';
import { summarise, hasEnded } from './attempts.ts';
import { createRecoveryCode, hashTypedName } from './secrets.ts';
import type { Operators, RecoveryCodes } from '../../storage/identity/operators.ts';
import type { Sessions, SignInAttempts } from '../../storage/identity/sessions.ts';
import { nameKey } from '../../contracts/displayName.ts';
import type { Parts } from '../serviceParts.ts';

interface Invalid {
  kind: 'invalid';
  errors: FieldProblems;
}
export type OperatorOutcome = { kind: 'done'; operator: Operator } | Invalid | { kind: 'unknown' };

export interface OperatorServicePorts extends Pick<
  Parts,
  'operators' | 'attempts' | 'sessions' | 'recoveryCodes' | 'crypto'
> {
  hasher: PassphraseHasher;
}

/** An operator with the state of their sign-in at a moment. */
export interface OperatorSummary {
  operator: Operator;
  /** The only active admin: cannot leave that role before there is another. */
  lastAdmin: boolean;
  /** Failed sign-ins of all origins, and until when at least one origin has to wait for them. */
  failedAttempts: number;
  lockedUntil: Date | null;
  /** Newest first. */
  sessions: Session[];
}

/** Changes a company's operators for an administrator of the dashboard or the local administrator. */
export class OperatorService {
  readonly #operators: Operators;
  readonly #attempts: SignInAttempts;
  readonly #sessions: Sessions;
  readonly #recoveryCodes: RecoveryCodes;
  readonly #hasher: PassphraseHasher;
  readonly #crypto: CryptoPort;

  constructor(ports: OperatorServicePorts) {
    this.#operators = ports.operators;
    this.#attempts = ports.attempts;
    this.#sessions = ports.sessions;
    this.#recoveryCodes = ports.recoveryCodes;
    this.#hasher = ports.hasher;
    this.#crypto = ports.crypto;
  }

  async list(company: Company): Promise<Operator[]> {
    return this.#operators.list(company.id);
  }

  /** Everybody of a company, with what is going on around their signing in. */
  async overview(company: Company, now: Date): Promise<OperatorSummary[]> {
    const operators = await this.list(company);
    const sessions = (await this.#sessions.list(company.id)).filter((session) => !hasEnded(session, now));
    const admins = operators.filter(({ role, active }) => role === 'admin' && active);
    return Promise.all(
      operators.map(async (operator) => {
        const failed = await this.#attempts.failed(hashTypedName(this.#crypto, nameKey(operator.name)));
        const { attempts, until } = summarise(this.#crypto, failed, now);
        return {
          operator,
          lastAdmin: admins.length === 1 && admins[0]?.id === operator.id,
          failedAttempts: attempts,
          lockedUntil: until ?? null,
          sessions: sessions.filter((session) => session.operator.id === operator.id),
        };
      }),
    );
  }

  /** Lets an operator try to sign in at once after failed attempts. @returns false: there is no such operator */
  async unlock(company: Company, id: OperatorId, act: AuditContext): Promise<boolean> {
    const operator = await this.#find(company, id);
    if (operator === undefined) return false;
    await this.#attempts.unlock(operator, hashTypedName(this.#crypto, nameKey(operator.name)), act);
    return true;
  }

  /** Ends every session of an operator. @returns false: there is no such operator */
  async signOut(company: Company, id: OperatorId, act: AuditContext): Promise<boolean> {
    if ((await this.#find(company, id)) === undefined) return false;
    await this.#sessions.closeAll(company.id, id, act);
    return true;
  }

  /** When the company's recovery key was made; undefined: it has none. */
  recoveryCodeMadeAt(company: Company): Promise<Date | undefined> {
    return this.#recoveryCodes.madeAt(company.id);
  }

  /** Replaces the company's recovery code. @returns it, this once */
  async makeRecoveryCode(company: Company, act: AuditContext): Promise<string> {
    const { key, hash } = createRecoveryCode(this.#crypto);
    await this.#recoveryCodes.replace(company.id, hash, act);
    return key;
  }

  async #find(company: Company, id: OperatorId): Promise<Operator | undefined> {
    return (await this.list(company)).find((one) => one.id === id);
  }

  async create(
    company: Company,
    wanted: { name: string; role: OperatorRole; passphrase: string },
    act: AuditContext,
  ): Promise<Exclude<OperatorOutcome, { kind: 'unknown' }>> {
    const problems = passphraseProblems(wanted.passphrase, [wanted.name, company.name]);
    if (problems.length > 0) return { kind: 'invalid', errors: { passphrase: problems } };
    const created = await this.#operators.create(
      company.id,
      {
        name: wanted.name,
        nameKey: nameKey(wanted.name),
        role: wanted.role,
        passphraseHash: await this.#hasher.hash(wanted.passphrase),
      },
      act,
    );
    if (created.kind === 'name-taken') return { kind: 'invalid', errors: { name: [problem('NAME_TAKEN')] } };
    return created;
  }

  async change(
    company: Company,
    id: OperatorId,
    change: Parameters<Operators['change']>[2],
    act: AuditContext,
  ): Promise<OperatorOutcome> {
    const changed = await this.#operators.change(company.id, id, change, act);
    if (changed.kind === 'last-admin') return { kind: 'invalid', errors: { role: [problem('LAST_ADMIN')] } };
    return changed;
  }

  /** Gives an operator another passphrase; all their sessions end, and no wait for failed attempts remains. */
  async resetPassphrase(
    company: Company,
    id: OperatorId,
    passphrase: string,
    act: AuditContext,
  ): Promise<{ kind: 'done' } | Invalid | { kind: 'unknown' }> {
    const operator = await this.#find(company, id);
    if (operator === undefined) return { kind: 'unknown' };
    const problems = passphraseProblems(passphrase, [operator.name, company.name]);
    if (problems.length > 0) return { kind: 'invalid', errors: { passphrase: problems } };
    const passphraseHash = await this.#hasher.hash(passphrase);
    await this.#operators.setPassphrase(company.id, id, passphraseHash, null, act);
    await this.#attempts.clear(hashTypedName(this.#crypto, nameKey(operator.name)));
    return { kind: 'done' };
  }

  /** Whether the installation still waits for its first operator. */
  async isNew(): Promise<boolean> {
    return !(await this.#operators.exist());
  }

  /**
   * First run: a company and its admin. The recovery key is in the answer and nowhere else.
   * @returns `closed` as soon as the installation has an operator
   */
  async setUp(
    wanted: {
      company: string;
      storageFolder: string;
      operator: string;
      passphrase: string;
      features: { registration: boolean; blacklists: boolean };
    },
    act: AuditContext,
  ): Promise<{ kind: 'done'; operator: Operator; recoveryCode: string } | Invalid | { kind: 'closed' }> {
    const problems = passphraseProblems(wanted.passphrase, [wanted.operator, wanted.company]);
    if (problems.length > 0) return { kind: 'invalid', errors: { passphrase: problems } };
    const { key, hash: recoveryHash } = createRecoveryCode(this.#crypto);
    const { registration, blacklists } = wanted.features;
    const first = await this.#operators.setUp(
      {
        company: {
          name: wanted.company,
          storageFolder: wanted.storageFolder,
          settings: companySettings.parse({
            registrationEnabled: registration,
            blacklistsEnabled: blacklists,
          }),
        },
        admin: {
          name: wanted.operator,
          nameKey: nameKey(wanted.operator),
          role: 'admin',
          passphraseHash: await this.#hasher.hash(wanted.passphrase),
        },
        recoveryHash,
      },
      act,
    );
    if (first.kind === 'closed') return { kind: 'closed' };
    if (first.kind === 'folder-refused')
      return {
        kind: 'invalid',
        errors: { storageFolder: [first.reason] },
      };
    if (first.kind === 'company-exists')
      return {
        kind: 'invalid',
        errors: {
          company: [problem('COMPANY_HAS_NO_OPERATOR')],
        },
      };
    return { kind: 'done', operator: first.operator, recoveryCode: key };
  }
}
