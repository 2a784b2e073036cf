import { Option, type Command } from 'commander';
import { HMAC_PROFILES, SCOPES, type HmacProfileName, type Scope } from '../../contracts/codes.ts';
import { isoTime, wholeNumber } from '../terminal/arguments.ts';
import { CliError } from '../terminal/output.ts';
import { createHmacSecret, createToken } from '../../domain/credentials/secrets.ts';
import { CRYPTO } from '../../runtime/crypto.ts';
import { withAdminSocketOrHome } from '../client/adminClient.ts';
import { showOnce, withOut, type SecretOptions } from '../terminal/shownOnce.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface NewCredential extends SecretOptions {
  company: string;
  name: string;
  scope: Scope[];
  expires?: string;
}

/** `vouch token …` and `vouch key …`: what programs sign in with. */
export function addCredentialCommands(program: Command, terminal: Terminal): void {
  const token = program.command('token').description('what programs sign in with');
  addCreation(token, 'make a token; it is shown this once').action(async (options: NewCredential) => {
    await withAdminSocketOrHome(terminal.home(), async (administrate) => {
      const { company, expires } = options;
      await administrate('credential.check', {
        company,
        ...(expires !== undefined && { expiresAt: expires }),
      });
      const { token: secret, hex } = createToken(CRYPTO);
      const made = await showOnce(terminal, { text: secret, json: { token: secret } }, options, () =>
        administrate('token.create', { ...toInput(options), hash: hex }),
      );
      report(terminal, options, made);
    });
  });
  addListAndRevoke(token, 'token', terminal);

  const key = program.command('key').description('keys with which programs sign their requests (HMAC)');
  addCreation(key, 'make a signing key; its secret is shown this once')
    .option('--user-id <id>', 'what the program sends as X-USER-ID (default: a new one)')
    .addOption(
      new Option('--profile <name>', 'how the program signs; v2 is checked before the body')
        .choices(HMAC_PROFILES)
        .default('v1'),
    )
    .action(async (options: NewCredential & { userId?: string; profile: HmacProfileName }) => {
      await withAdminSocketOrHome(terminal.home(), async (administrate) => {
        const { company, expires, profile } = options;
        const made = createHmacSecret(CRYPTO);
        const { userId = made.userId } = options;
        await administrate('credential.check', {
          company,
          userId,
          ...(expires !== undefined && { expiresAt: expires }),
        });
        const { secret } = made;
        const shown = { text: `X-USER-ID: ${userId}\nSecret: ${secret}`, json: { userId, secret } };
        const input = { ...toInput(options), profile, userId, secret };
        report(
          terminal,
          options,
          await showOnce(terminal, shown, options, () => administrate('key.create', input)),
        );
      });
    });
  addListAndRevoke(key, 'key', terminal);
}

/** What is in force now, beside the secret: on the standard error, or with `--out` as the output. */
function report(terminal: Terminal, { out }: SecretOptions, made: { id: number; name: string }): void {
  if (out !== undefined) terminal.show({ id: made.id, name: made.name, file: out });
  else if (!terminal.isJson())
    console.error(`Store it now: it is not shown again. Its number is ${made.id}.`);
}

function addCreation(group: Command, description: string): Command {
  return withOut(group.command('create'))
    .description(description)
    .requiredOption('--company <name>')
    .requiredOption('--name <text>', 'what it is for')
    .addOption(new Option('--scope <scope...>', 'what it may do').choices(SCOPES).makeOptionMandatory())
    .option('--expires <time>', 'ISO 8601 time after which it is refused', isoTime);
}

function addListAndRevoke(group: Command, kind: 'token' | 'key', terminal: Terminal): void {
  group
    .command('list')
    .requiredOption('--company <name>')
    .description(`the ${kind}s of a company, never the secrets`)
    .action(async (options: { company: string }) => {
      const list = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate(`${kind}.list`, options),
      );
      terminal.show(terminal.isJson() ? list : list.map((one) => ({ ...one, scopes: one.scopes.join(' ') })));
    });
  group
    .command('revoke')
    .argument('<id>', 'its number', wholeNumber)
    .requiredOption('--company <name>')
    .description(`refuse a ${kind} from now on`)
    .action(async (id: number, options: { company: string }) => {
      const { revoked } = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate(`${kind}.revoke`, { ...options, id }),
      );
      if (!revoked) throw new CliError(`There is no ${kind} ${id} in force in this company.`);
      terminal.show({ id, revoked });
    });
}

function toInput({ company, name, scope, expires }: NewCredential) {
  return { company, name, scopes: scope, ...(expires !== undefined && { expiresAt: expires }) };
}
