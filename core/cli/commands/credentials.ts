import { Option, type Command } from 'commander';
import { HMAC_PROFILES, SCOPES, type HmacProfileName, type Scope } from '../../contracts/codes.ts';
import { COMPANY, isoTime, wholeNumber } from '../terminal/arguments.ts';
import { CliError } from '../terminal/output.ts';
import { createHmacSecret, createToken } from '../../domain/credentials/secrets.ts';
import { sendAdminCommand, withAdminSocketOrHome } from '../client/adminClient.ts';
import { showOnce, withOutput, type SecretOptions } from '../terminal/shownOnce.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { CRYPTO } from '../../platform/platform.ts';

interface NewCredential extends SecretOptions {
  company: string;
  name: string;
  scope: Scope[];
  expires?: string;
}

/** `vouch api-token …` and `vouch signing-key …`: the credentials of programs. */
export function addCredentialCommands(program: Command, terminal: Terminal): void {
  const token = program.command('api-token').description('manage the API tokens of programs');
  addCreation(token, 'create an API token; it is shown only once').action(async (options: NewCredential) => {
    await withAdminSocketOrHome(terminal.home(), async (runAdminCommand) => {
      const { company, expires } = options;
      await runAdminCommand('credential.check', { company, expiresAt: expires });
      const { token: secret, hex } = createToken(CRYPTO);
      const made = await showOnce(terminal, { text: secret, json: { token: secret } }, options, () =>
        runAdminCommand('api-token.create', { ...toInput(options), hash: hex }),
      );
      report(terminal, options, made);
    });
  });
  addListAndRevoke(token, TOKEN, terminal);

  const key = program
    .command('signing-key')
    .description('manage the keys with which programs sign requests (HMAC)');
  addCreation(key, 'create a signing key; its secret is shown only once')
    .option('--user-id <id>', 'value of X-USER-ID (default: a new one)')
    .addOption(
      new Option('--profile <name>', 'signing scheme; v2 is verified before the body is read')
        .choices(HMAC_PROFILES)
        .default('v1'),
    )
    .action(async (options: NewCredential & { userId?: string; profile: HmacProfileName }) => {
      await withAdminSocketOrHome(terminal.home(), async (runAdminCommand) => {
        const { company, expires, profile } = options;
        const made = createHmacSecret(CRYPTO);
        const { userId = made.userId } = options;
        await runAdminCommand('credential.check', { company, userId, expiresAt: expires });
        const { secret } = made;
        const shown = { text: `X-USER-ID: ${userId}\nSecret: ${secret}`, json: { userId, secret } };
        const input = { ...toInput(options), profile, userId, secret };
        report(
          terminal,
          options,
          await showOnce(terminal, shown, options, () => runAdminCommand('signing-key.create', input)),
        );
      });
    });
  addListAndRevoke(key, SIGNING_KEY, terminal);
}

/** Reports the new credential beside the secret: on the standard error, or with `--output` on the standard output. */
function report(terminal: Terminal, { output }: SecretOptions, made: { id: number; name: string }): void {
  if (output !== undefined) terminal.show({ id: made.id, name: made.name, file: output });
  else if (!terminal.isJson())
    console.error(`Store the secret now. It is not shown again. Number of the credential: ${made.id}.`);
}

function addCreation(group: Command, description: string): Command {
  return withOutput(group.command('create'))
    .description(description)
    .requiredOption(...COMPANY)
    .requiredOption('--name <text>', 'name of the program or its purpose')
    .addOption(new Option('--scope <scope...>', 'permissions').choices(SCOPES).makeOptionMandatory())
    .option('--expires <time>', 'expiry time (ISO 8601; default: never)', isoTime);
}

const TOKEN = { kind: 'api-token', label: 'API token' } as const;
const SIGNING_KEY = { kind: 'signing-key', label: 'signing key' } as const;

function addListAndRevoke(
  group: Command,
  { kind, label }: typeof TOKEN | typeof SIGNING_KEY,
  terminal: Terminal,
): void {
  group
    .command('list')
    .requiredOption(...COMPANY)
    .description(`list the ${label}s of a company without their secrets`)
    .action(async (options: { company: string }) => {
      const list = await sendAdminCommand(terminal.home(), `${kind}.list`, options);
      terminal.show(terminal.isJson() ? list : list.map((one) => ({ ...one, scopes: one.scopes.join(' ') })));
    });
  group
    .command('revoke')
    .argument('<id>', `number of the ${label}`, wholeNumber)
    .requiredOption(...COMPANY)
    .description(`revoke the ${label}; requests with it are rejected from now on`)
    .action(async (id: number, options: { company: string }) => {
      const { revoked } = await sendAdminCommand(terminal.home(), `${kind}.revoke`, { ...options, id });
      if (!revoked) throw new CliError(`This company has no active ${label} with the number ${id}.`);
      terminal.show({ id, revoked });
    });
}

function toInput({ company, name, scope, expires }: NewCredential) {
  return { company, name, scopes: scope, expiresAt: expires };
}
