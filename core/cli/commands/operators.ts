import { Option, type Command } from 'commander';
import { OPERATOR_ROLES, type OperatorRole } from '../../contracts/dashboard/session.ts';
import { createRecoveryCode } from '../../domain/identity/secrets.ts';
import { CRYPTO } from '../../runtime/crypto.ts';
import { withAdminSocketOrHome } from '../client/adminClient.ts';
import { NO_CONFIRM, showOnce, withOut, type SecretOptions } from '../terminal/shownOnce.ts';
import { readPassphrase } from '../terminal/passphrase.ts';
import type { Terminal } from '../terminal/terminal.ts';

const roleOption = (description: string) => new Option('--role <role>', description).choices(OPERATOR_ROLES);
const PASSPHRASE_FILE = ['--passphrase-file <file>', 'its first line, instead of typing it'] as const;

/** `vouch operator …`: the people who sign in to the dashboard. */
export function addOperatorCommands(program: Command, terminal: Terminal): void {
  const operator = program.command('operator').description('the people who sign in to the dashboard');
  operator
    .command('create <name>')
    .description('add an operator; the passphrase is typed, or read from a file')
    .requiredOption('--company <name>')
    .addOption(
      roleOption('what they may do; docs/reference/permissions.md has the table').makeOptionMandatory(),
    )
    .option(...PASSPHRASE_FILE)
    .action(
      async (name: string, options: { company: string; role: OperatorRole; passphraseFile?: string }) => {
        const { company, role, passphraseFile } = options;
        const input = { name, company, role, passphrase: await readPassphrase(passphraseFile) };
        terminal.show(
          await withAdminSocketOrHome(terminal.home(), (administrate) =>
            administrate('operator.create', input),
          ),
        );
      },
    );
  operator
    .command('list')
    .description('the operators of a company')
    .requiredOption('--company <name>')
    .action(async (options: { company: string }) => {
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('operator.list', options),
        ),
      );
    });
  operator
    .command('set <name>')
    .description('change the role of an operator, or whether they may sign in')
    .requiredOption('--company <name>')
    .addOption(roleOption('the new role'))
    .addOption(new Option('--sign-in <yes|no>', 'whether they may sign in').choices(['yes', 'no']))
    .action(
      async (name: string, options: { company: string; role?: OperatorRole; signIn?: 'yes' | 'no' }) => {
        const { company, role, signIn } = options;
        const input = {
          name,
          company,
          ...(role !== undefined && { role }),
          ...(signIn !== undefined && { active: signIn === 'yes' }),
        };
        terminal.show(
          await withAdminSocketOrHome(terminal.home(), (administrate) =>
            administrate('operator.update', input),
          ),
        );
      },
    );
  operator
    .command('reset <name>')
    .description('give an operator a new passphrase; their sessions end')
    .requiredOption('--company <name>')
    .option(...PASSPHRASE_FILE)
    .action(async (name: string, options: { company: string; passphraseFile?: string }) => {
      const input = {
        name,
        company: options.company,
        passphrase: await readPassphrase(options.passphraseFile),
      };
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) => administrate('operator.reset', input)),
      );
    });
  operator
    .command('unlock <name>')
    .description('let an operator try again at once after failed sign-ins')
    .requiredOption('--company <name>')
    .action(async (name: string, { company }: { company: string }) => {
      const input = { name, company };
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('operator.unlock', input),
        ),
      );
    });
  withOut(operator.command('recovery-key'))
    .description(
      "print a new recovery key: the company's way back in, no key to its backups; the one before opens nothing any more",
    )
    .requiredOption('--company <name>')
    .option(...NO_CONFIRM)
    .action(async (options: SecretOptions & { company: string }) => {
      const { company, out } = options;
      await withAdminSocketOrHome(terminal.home(), async (administrate) => {
        await administrate('credential.check', { company });
        const { key, hash } = createRecoveryCode(CRYPTO);
        const secret = { text: key, json: { recoveryKey: key }, typedBack: key.slice(-4) };
        await showOnce(terminal, secret, options, () =>
          administrate('operator.recoveryKey', { company, hash: Buffer.from(hash).toString('hex') }),
        );
      });
      if (out !== undefined) terminal.show({ file: out });
      else if (!terminal.isJson())
        console.error('Print it and keep it away from this machine: it is not shown again.');
    });
}
