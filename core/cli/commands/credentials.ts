import { localApi } from '../../contracts/local.ts';
import { credentialApi, credentialRow } from '../../contracts/dashboard/credentials.ts';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import { HMAC_PROFILES, SCOPES, type HmacProfileName, type Scope } from '../../contracts/codes.ts';
import { COMPANY, isoTime, subcommand, wholeNumber } from '../terminal/arguments.ts';
import { createHmacSecret, createToken } from '../../domain/credentials/secrets.ts';
import { CRYPTO } from '../../platform/platform.ts';
import { ask, insteadOf, withLocalApi } from '../client/localClient.ts';
import { showOnce, withOutput, type SecretOptions } from '../terminal/shownOnce.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface NewCredential extends SecretOptions {
  company: string;
  name: string;
  scope: Scope[];
  expires?: string;
}

/** `vouch api-token …` and `vouch signing-key …`: the credentials of programs. */
export function addCredentialCommands(program: Command, terminal: Terminal): void {
  const token = subcommand(program, 'api-token', 'manage the API tokens of programs');
  addCreation(token, 'create an API token; it is shown only once').action(async (options: NewCredential) => {
    await withLocalApi(terminal.home(), async (api) => {
      const { company, expires } = options;
      await api.ask(localApi.checkCredential, { company, body: { expiresAt: expires } });
      const { token: secret, hex } = createToken(CRYPTO);
      const body = { kind: 'token', ...toBody(options), hash: hex };
      const made = await showOnce(terminal, { text: secret, json: { token: secret } }, options, () =>
        api.ask(localApi.storeCredential, { company, body }),
      );
      report(terminal, options, made);
    });
  });
  addListAndRevoke(token, TOKEN, terminal);

  const key = subcommand(program, 'signing-key', 'manage the keys with which programs sign requests (HMAC)');
  addCreation(key, 'create a signing key; its secret is shown only once')
    .option('--user-id <id>', 'value of X-USER-ID (default: a new one)')
    .addOption(
      new Option('--profile <name>', 'signing scheme; v2 is verified before the body is read')
        .choices(HMAC_PROFILES)
        .default('v1'),
    )
    .action(async (options: NewCredential & { userId?: string; profile: HmacProfileName }) => {
      await withLocalApi(terminal.home(), async (api) => {
        const { company, expires, profile } = options;
        const made = createHmacSecret(CRYPTO);
        const { userId = made.userId } = options;
        const check = { userId, expiresAt: expires };
        await api.ask(localApi.checkCredential, { company, body: check });
        const { secret } = made;
        const shown = { text: `X-USER-ID: ${userId}\nSecret: ${secret}`, json: { userId, secret } };
        const body = { kind: 'key', ...toBody(options), profile, userId, secret };
        report(
          terminal,
          options,
          await showOnce(terminal, shown, options, () =>
            api.ask(localApi.storeCredential, { company, body }),
          ),
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

const shown = credentialRow.omit({ kind: true, state: true, userId: true, profile: true });
const TOKEN = { kind: 'token', label: 'API token', row: shown } as const;
const SIGNING_KEY = {
  kind: 'key',
  label: 'signing key',
  row: shown.extend(credentialRow.pick({ userId: true, profile: true }).shape),
} as const;

function addListAndRevoke(
  group: Command,
  { kind, label, row }: typeof TOKEN | typeof SIGNING_KEY,
  terminal: Terminal,
): void {
  group
    .command('list')
    .requiredOption(...COMPANY)
    .description(`list the ${label}s of a company without their secrets`)
    .action(async (options: { company: string }) => {
      const rows = z.object({ items: z.array(row.extend({ kind: z.string() })) });
      const { items } = await ask(terminal.home(), { ...credentialApi.list, answer: rows }, options);
      const list = items
        .filter((one) => one.kind === kind)
        .map(({ kind: _kind, ...one }) => one)
        .toSorted((a, b) => a.id - b.id);
      terminal.show(terminal.isJson() ? list : list.map((one) => ({ ...one, scopes: one.scopes.join(' ') })));
    });
  group
    .command('revoke')
    .argument('<id>', `number of the ${label}`, wholeNumber)
    .requiredOption(...COMPANY)
    .description(`revoke the ${label}; requests with it are rejected from now on`)
    .action(async (id: number, options: { company: string }) => {
      await ask(terminal.home(), credentialApi.revoke, { ...options, params: { kind, id } }).catch(
        insteadOf('NOT_FOUND', `This company has no active ${label} with the number ${id}.`),
      );
      terminal.show({ id, revoked: true });
    });
}

function toBody({ name, scope, expires }: NewCredential) {
  return { name, scopes: scope, expiresAt: expires };
}
