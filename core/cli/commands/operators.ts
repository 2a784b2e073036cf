import { operatorApi, operatorRow } from '../../contracts/dashboard/operators.ts';
import { localApi } from '../../contracts/local.ts';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import { OPERATOR_ROLES, type OperatorRole } from '../../contracts/dashboard/session.ts';
import { problem } from '../../contracts/errors/problem.ts';
import { createRecoveryCode } from '../../domain/identity/secrets.ts';
import { CRYPTO } from '../../platform/platform.ts';
import { nameKey } from '../../contracts/displayName.ts';
import { ask, withLocalApi, type LocalApi } from '../client/localClient.ts';
import { COMPANY, companyCommand, subcommand } from '../terminal/arguments.ts';
import { CliError } from '../terminal/output.ts';
import { NO_CONFIRM, showOnce, withOutput, type SecretOptions } from '../terminal/shownOnce.ts';
import { readPassphrase } from '../terminal/passphrase.ts';
import type { Terminal } from '../terminal/terminal.ts';

const roleOption = (description: string) => new Option('--role <role>', description).choices(OPERATOR_ROLES);
const PASSPHRASE_FILE = [
  '--passphrase-file <file>',
  'read the passphrase from the first line of a file (default: type it)',
] as const;

/** `vouch operator …`: the people who sign in to the dashboard. */
export function addOperatorCommands(program: Command, terminal: Terminal): void {
  const operator = subcommand(program, 'operator', 'manage the people who sign in to the dashboard');
  const changeAccess = async (
    company: string,
    name: string,
    change: (api: LocalApi, of: { id: number }) => Promise<void>,
  ) => {
    const changed = await withLocalApi(terminal.home(), async (api) => {
      const found = await operatorNamed(api, company, name);
      await change(api, { id: found.id });
      return found;
    });
    terminal.show(changed);
  };
  companyCommand(operator, 'create <name>', 'add an operator')
    .addOption(roleOption('role, which sets the permissions').makeOptionMandatory())
    .option(...PASSPHRASE_FILE)
    .action(
      async (name: string, options: { company: string; role: OperatorRole; passphraseFile?: string }) => {
        const { company, role, passphraseFile } = options;
        const body = { name, role, passphrase: await readPassphrase(passphraseFile) };
        terminal.show(
          await ask(terminal.home(), { ...operatorApi.create, answer: shown }, { company, body }),
        );
      },
    );
  companyCommand(operator, 'list', 'list the operators of a company').action(
    async ({ company }: { company: string }) => {
      terminal.show(await withLocalApi(terminal.home(), (api) => operatorsOf(api, company)));
    },
  );
  operator
    .command('update <name>')
    .description('change the role of an operator, or deactivate or reactivate them')
    .requiredOption(...COMPANY)
    .addOption(roleOption('the new role'))
    .option('--active', 'let the operator sign in')
    .option('--no-active', 'end all sessions of the operator and deactivate the account')
    .action(
      async (
        name: string,
        { company, ...body }: { company: string; role?: OperatorRole; active?: boolean },
      ) => {
        const changed = await withLocalApi(terminal.home(), async (api) => {
          const { id } = await operatorNamed(api, company, name);
          return api.ask({ ...operatorApi.change, answer: shown }, { company, params: { id }, body });
        });
        terminal.show(changed);
      },
    );
  operator
    .command('reset-passphrase <name>')
    .description('set a new passphrase and end all sessions of an operator')
    .requiredOption(...COMPANY)
    .option(...PASSPHRASE_FILE)
    .action(async (name: string, options: { company: string; passphraseFile?: string }) => {
      const { company, passphraseFile } = options;
      const body = { passphrase: await readPassphrase(passphraseFile) };
      await changeAccess(company, name, (api, params) =>
        api.ask(operatorApi.resetPassphrase, { company, params, body }),
      );
    });
  companyCommand(operator, 'unlock <name>', 'let an operator sign in again after failed attempts').action(
    async (name: string, { company }: { company: string }) => {
      await changeAccess(company, name, (api, params) => api.ask(operatorApi.unlock, { company, params }));
    },
  );
  withOutput(operator.command('recovery-code'))
    .description(
      'create the sign-in recovery code of a company; the previous code is revoked (it does not open backups: vouch backup-key)',
    )
    .requiredOption(...COMPANY)
    .option(...NO_CONFIRM)
    .action(async (options: SecretOptions & { company: string }) => {
      const { company, output } = options;
      await withLocalApi(terminal.home(), async (api) => {
        await api.ask(localApi.checkCredential, { company, body: {} });
        const { key, hash } = createRecoveryCode(CRYPTO);
        const secret = { text: key, json: { recoveryCode: key }, typedBack: key.slice(-4) };
        const body = { hash: Buffer.from(hash).toString('hex') };
        await showOnce(terminal, secret, options, () => api.ask(localApi.setRecoveryCode, { company, body }));
      });
      if (output !== undefined) terminal.show({ file: output });
      else if (!terminal.isJson())
        console.error('Print the code and keep it away from this machine. It is not shown again.');
    });
}

const shown = operatorRow.pick({
  id: true,
  name: true,
  role: true,
  active: true,
  createdAt: true,
  lastSignedInAt: true,
});
type Shown = z.infer<typeof shown>;

async function operatorsOf(api: LocalApi, company: string): Promise<Shown[]> {
  const { items } = await api.ask(
    { ...operatorApi.list, answer: z.object({ items: z.array(shown) }) },
    { company },
  );
  return items;
}

/** @throws {CliError} the company has no operator of this name */
async function operatorNamed(api: LocalApi, company: string, name: string): Promise<Shown> {
  const found = (await operatorsOf(api, company)).find((one) => nameKey(one.name) === nameKey(name));
  if (found === undefined) throw new CliError(problem('OPERATOR_UNKNOWN', { operator: name, company }));
  return found;
}
