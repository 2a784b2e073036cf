import { CodedError, InvalidInput } from '../../contracts/errors/problem.ts';
import { passphraseProblems, type OperatorRole } from '../../contracts/dashboard/session.ts';
import type { OperatorId } from '../../contracts/ids.ts';
import { companySettings } from '../../contracts/settings.ts';
import type { AuditContext, Company } from '../ports/auditContext.ts';
import type { PassphraseHasher } from './passphrase.ts';
import type { Operator } from '../../storage/identity/operators.ts';
import { summarise, hasEnded } from './attempts.ts';
import { createRecoveryCode, hashTypedName } from './secrets.ts';
import { nameKey } from '../../contracts/displayName.ts';
import { Service, type Parts } from '../serviceParts.ts';

export interface OperatorServicePorts extends Pick<
  Parts,
  'operators' | 'attempts' | 'sessions' | 'recoveryCodes' | 'crypto'
> {
  hasher: PassphraseHasher;
}

/** Changes a company's operators for an administrator of the dashboard or the local administrator. */
export class OperatorService extends Service<OperatorServicePorts> {
  /** Everybody of a company, with what is going on around their signing in. */
  async overview(company: Company, now: Date) {
    const { crypto, attempts: counts } = this.ports;
    const operators = await this.ports.operators.list(company.id);
    const sessions = (await this.ports.sessions.list(company.id)).filter(
      (session) => !hasEnded(session, now),
    );
    const admins = operators.filter(({ role, active }) => role === 'admin' && active);
    return Promise.all(
      operators.map(async (operator) => {
        const failed = await counts.failed(hashTypedName(crypto, nameKey(operator.name)));
        const { attempts, until } = summarise(crypto, failed, now);
        return {
          operator,
          /** The only active admin: cannot leave that role before there is another. */
          lastAdmin: admins.length === 1 && admins[0]?.id === operator.id,
          /** Of all origins, and until when at least one origin has to wait for them. */
          failedAttempts: attempts,
          lockedUntil: until ?? null,
          /** Newest first. */
          sessions: sessions.filter((session) => session.operator.id === operator.id),
        };
      }),
    );
  }

  /** Lets an operator try to sign in at once after failed attempts. @throws {CodedError} NOT_FOUND */
  async unlock(company: Company, id: OperatorId, act: AuditContext): Promise<void> {
    const operator = await this.#find(company, id);
    const name = hashTypedName(this.ports.crypto, nameKey(operator.name));
    await this.ports.attempts.unlock(operator, name, act);
  }

  /** Ends every session of an operator. @throws {CodedError} NOT_FOUND */
  async signOut(company: Company, id: OperatorId, act: AuditContext): Promise<void> {
    await this.#find(company, id);
    await this.ports.sessions.closeAll(company.id, id, act);
  }

  /** Replaces the company's recovery code. @returns it, this once */
  async makeRecoveryCode(company: Company, act: AuditContext): Promise<string> {
    const { key, hash } = createRecoveryCode(this.ports.crypto);
    await this.ports.recoveryCodes.replace(company.id, hash, act);
    return key;
  }

  async #find(company: Company, id: OperatorId): Promise<Operator> {
    const found = (await this.ports.operators.list(company.id)).find((one) => one.id === id);
    if (found === undefined) throw new CodedError('NOT_FOUND');
    return found;
  }

  /** @throws {InvalidInput} the name or the passphrase */
  async create(
    company: Company,
    { name, role, passphrase }: { name: string; role: OperatorRole; passphrase: string },
    act: AuditContext,
  ): Promise<Operator> {
    requirePassphrase(passphrase, [name, company.name]);
    const passphraseHash = await this.ports.hasher.hash(passphrase);
    const operator = { name, nameKey: nameKey(name), role, passphraseHash };
    return this.ports.operators.create(company.id, operator, act);
  }

  /**
   * Gives an operator another passphrase; all their sessions end, and no wait for failed attempts remains.
   * @throws {InvalidInput} the passphrase @throws {CodedError} NOT_FOUND
   */
  async resetPassphrase(
    company: Company,
    id: OperatorId,
    passphrase: string,
    act: AuditContext,
  ): Promise<void> {
    const { name } = await this.#find(company, id);
    requirePassphrase(passphrase, [name, company.name]);
    const passphraseHash = await this.ports.hasher.hash(passphrase);
    await this.ports.operators.setPassphrase(company.id, id, passphraseHash, null, act);
    await this.ports.attempts.clear(hashTypedName(this.ports.crypto, nameKey(name)));
  }

  /** Whether the installation still waits for its first operator. */
  async isNew(): Promise<boolean> {
    return !(await this.ports.operators.exist());
  }

  /**
   * First run: a company and its admin.
   * @returns the recovery code, this once
   * @throws {InvalidInput} the passphrase, the company or its folder
   * @throws {CodedError} UNAUTHORIZED as soon as the installation has an operator
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
  ): Promise<string> {
    requirePassphrase(wanted.passphrase, [wanted.operator, wanted.company]);
    const { key, hash: recoveryHash } = createRecoveryCode(this.ports.crypto);
    const { registration, blacklists } = wanted.features;
    await this.ports.operators.setUp(
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
          passphraseHash: await this.ports.hasher.hash(wanted.passphrase),
        },
        recoveryHash,
      },
      act,
    );
    return key;
  }
}

/** @param known words that a passphrase must not hold @throws {InvalidInput} */
export function requirePassphrase(passphrase: string, known: readonly string[]): void {
  const problems = passphraseProblems(passphrase, known);
  if (problems.length > 0) throw new InvalidInput({ passphrase: problems });
}
