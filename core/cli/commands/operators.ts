import { Option, type Command } from 'commander';
import { OPERATOR_ROLES, type OperatorRole } from '../../contracts/dashboard/session.ts';
import { createRecoveryCode } from '../../domain/identity/secrets.ts';
import { sendAdminCommand, withAdminSocketOrHome } from '../client/adminClient.ts';
import { COMPANY } from '../terminal/arguments.ts';
import { NO_CONFIRM, showOnce, withOutput, type SecretOptions } from '../terminal/shownOnce.ts';
import { readPassphrase } from '../terminal/passphrase.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { CRYPTO } from '../../platform/platform.ts';

const roleOption = (description: string) => new Option('--role <role>', description).choices(OPERATOR_ROLES);
const PASSPHRASE_FILE = [
  '--passphrase-file <file>',
  'read the passphrase from the first line of a file (default: type it)',
] as const;

/** `vouch operator …`: the people who sign in to the dashboard. */
export function addOperatorCommands(program: Command, terminal: Terminal): void {
  const operator = program.command('operator').description('manage the people who sign in to the dashboard');
  operator
    .command('create <name>')
    .description('add an operator')
    .requiredOption(...COMPANY)
    .addOption(roleOption('role, which sets the permissions').makeOptionMandatory())
    .option(...PASSPHRASE_FILE)
    .action(
      async (name: string, options: { company: string; role: OperatorRole; passphraseFile?: string }) => {
        const { company, role, passphraseFile } = options;
        const input = { name, company, role, passphrase: await readPassphrase(passphraseFile) };
        terminal.show(await sendAdminCommand(terminal.home(), 'operator.create', input));
      },
    );
  operator
    .command('list')
    .description('list the operators of a company')
    .requiredOption(...COMPANY)
    .action(async (options: { company: string }) => {
      terminal.show(await sendAdminCommand(terminal.home(), 'operator.list', options));
    });
  operator
    .command('update <name>')
    .description('change the role of an operator, or deactivate or reactivate them')
    .requiredOption(...COMPANY)
    .addOption(roleOption('the new role'))
    .option('--active', 'let the operator sign in')
    .option('--no-active', 'end all sessions of the operator and deactivate the account')
    .action(async (name: string, options: { company: string; role?: OperatorRole; active?: boolean }) => {
      terminal.show(await sendAdminCommand(terminal.home(), 'operator.update', { name, ...options }));
    });
  operator
    .command('reset-passphrase <name>')
    .description('set a new passphrase and end all sessions of an operator')
    .requiredOption(...COMPANY)
    .option(...PASSPHRASE_FILE)
    .action(async (name: string, options: { company: string; passphraseFile?: string }) => {
      const input = {
        name,
        company: options.company,
        passphrase: await readPassphrase(options.passphraseFile),
      };
      terminal.show(await sendAdminCommand(terminal.home(), 'operator.reset-passphrase', input));
    });
  operator
    .command('unlock <name>')
    .description('let an operator sign in again after failed attempts')
    .requiredOption(...COMPANY)
    .action(async (name: string, { company }: { company: string }) => {
      const input = { name, company };
      terminal.show(await sendAdminCommand(terminal.home(), 'operator.unlock', input));
    });
  withOutput(operator.command('recovery-code'))
    .description(
      'create the sign-in recovery code of a company; the previous code is revoked (it does not open backups: vouch backup-key)',
    )
    .requiredOption(...COMPANY)
    .option(...NO_CONFIRM)
    .action(async (options: SecretOptions & { company: string }) => {
      const { company, output } = options;
      await withAdminSocketOrHome(terminal.home(), async (runAdminCommand) => {
        await runAdminCommand('credential.check', { company });
        const { key, hash } = createRecoveryCode(CRYPTO);
        const secret = { text: key, json: { recoveryCode: key }, typedBack: key.slice(-4) };
        await showOnce(terminal, secret, options, () =>
          runAdminCommand('operator.recovery-code', { company, hash: Buffer.from(hash).toString('hex') }),
        );
      });
      if (output !== undefined) terminal.show({ file: output });
      else if (!terminal.isJson())
        console.error('Print the code and keep it away from this machine. It is not shown again.');
    });
}
