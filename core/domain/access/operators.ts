import type { OperatorRole } from '../../contracts/dashboard/session.ts';
import type { OperatorId } from '../../contracts/ids.ts';
import { companySettings } from '../../contracts/settings.ts';
import type { Act } from '../actor.ts';
import { nameKey } from '../nameKey.ts';
import type { Company } from '../ports.ts';
import { passphraseProblems, type PassphraseHasher } from './passphrase.ts';
import type { Operator, Operators, SignInAttempts } from './ports.ts';
import { createRecoveryKey, hashTypedName } from './secrets.ts';

interface Invalid {
  kind: 'invalid';
  errors: Record<string, string[]>;
}
export type OperatorOutcome = { kind: 'done'; operator: Operator } | Invalid | { kind: 'unknown' };

const NAME_TAKEN = 'The name has already been taken.';
const LAST_ADMIN = 'The company needs an active admin: make another one first.';

/** What an admin, or the owner at the terminal, may do with a company's operators. */
export class OperatorDesk {
  readonly #operators: Operators;
  readonly #attempts: SignInAttempts;
  readonly #hasher: PassphraseHasher;

  constructor(ports: { operators: Operators; attempts: SignInAttempts; hasher: PassphraseHasher }) {
    this.#operators = ports.operators;
    this.#attempts = ports.attempts;
    this.#hasher = ports.hasher;
  }

  async list(company: Company): Promise<Operator[]> {
    return this.#operators.list(company.id);
  }

  async create(
    company: Company,
    wanted: { name: string; role: OperatorRole; passphrase: string },
    act: Act,
  ): Promise<Exclude<OperatorOutcome, { kind: 'unknown' }>> {
    const problems = passphraseProblems(wanted.passphrase, [wanted.name, company.name]);
    if (problems.length > 0) return { kind: 'invalid', errors: { passphrase: problems } };
    const operator = await this.#operators.create(
      company.id,
      {
        name: wanted.name,
        nameKey: nameKey(wanted.name),
        role: wanted.role,
        passphraseHash: await this.#hasher.hash(wanted.passphrase),
        recoveryHash: null,
      },
      act,
    );
    if (operator === 'name taken') return { kind: 'invalid', errors: { name: [NAME_TAKEN] } };
    return { kind: 'done', operator };
  }

  async change(
    company: Company,
    id: OperatorId,
    change: { role?: OperatorRole; active?: boolean },
    act: Act,
  ): Promise<OperatorOutcome> {
    const changed = await this.#operators.change(company.id, id, change, act);
    if (changed === undefined) return { kind: 'unknown' };
    if (changed === 'last admin') return { kind: 'invalid', errors: { role: [LAST_ADMIN] } };
    return { kind: 'done', operator: changed };
  }

  /** Gives an operator another passphrase; all their sessions end, and no wait for failed attempts remains. */
  async resetPassphrase(
    company: Company,
    id: OperatorId,
    passphrase: string,
    act: Act,
  ): Promise<{ kind: 'done' } | Invalid | { kind: 'unknown' }> {
    const operator = (await this.list(company)).find((one) => one.id === id);
    if (operator === undefined) return { kind: 'unknown' };
    const problems = passphraseProblems(passphrase, [operator.name, company.name]);
    if (problems.length > 0) return { kind: 'invalid', errors: { passphrase: problems } };
    const passphraseHash = await this.#hasher.hash(passphrase);
    await this.#operators.setPassphrase(company.id, id, { passphraseHash }, 'reset', act);
    await this.#attempts.clear(hashTypedName(nameKey(operator.name)));
    return { kind: 'done' };
  }

  /** Whether the installation still waits for its first operator. */
  async isNew(): Promise<boolean> {
    return !(await this.#operators.exist());
  }

  /**
   * First run: a company and its admin. The recovery key is in the answer and nowhere else.
   * @returns 'closed' as soon as the installation has an operator
   */
  async setUp(
    wanted: {
      company: string;
      storageFolder: string;
      operator: string;
      passphrase: string;
      features: { registration: boolean; blacklists: boolean };
    },
    act: Act,
  ): Promise<{ kind: 'done'; operator: Operator; recoveryKey: string } | Invalid | { kind: 'closed' }> {
    const problems = passphraseProblems(wanted.passphrase, [wanted.operator, wanted.company]);
    if (problems.length > 0) return { kind: 'invalid', errors: { passphrase: problems } };
    const { key, hash: recoveryHash } = createRecoveryKey();
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
          recoveryHash,
        },
      },
      act,
    );
    if (first === 'closed') return { kind: 'closed' };
    if (first === 'company exists')
      return {
        kind: 'invalid',
        errors: {
          company: [
            'This company exists already. Its first operator is made at the terminal: vouch operator create.',
          ],
        },
      };
    return { kind: 'done', operator: first.operator, recoveryKey: key };
  }
}
