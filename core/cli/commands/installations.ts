import { transferApi, type TrustedInstallationView } from '../../contracts/blacklistTransfer.ts';
import { CodedError, problem, messageOf } from '../../contracts/errors/problem.ts';
import { nameKey } from '../../contracts/displayName.ts';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { readCertificate } from '../../transfer/installationIdentity.ts';
import { COMPANY, companyCommand, subcommand } from '../terminal/arguments.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError } from '../terminal/output.ts';
import { ask, withLocalApi, type LocalApi } from '../client/localClient.ts';
import { writeAtomically } from '../terminal/atomicWrite.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch installation …`: the identity of this installation, and the installations that a company trusts. */
export function addInstallationCommands(program: Command, terminal: Terminal): void {
  const installation = program
    .command('installation')
    .description('manage the identity of this installation and the installations that it trusts');
  subcommand(installation, 'show', 'show the name, fingerprint and certificate of this installation')
    .option('--output <file>', 'write the certificate to this file, for the other installation')
    .action(async (options: { output?: string }) => {
      const shown = await ask(terminal.home(), transferApi.ownInstallation);
      const certificate = `${JSON.stringify(shown.certificate, null, 2)}\n`;
      if (options.output !== undefined)
        await writeAtomically(options.output, (partial) => writeFile(partial, certificate, { mode: 0o644 }));
      terminal.print(
        shown,
        `${shown.name}\nFingerprint: ${shown.fingerprint}\n${options.output === undefined ? certificate : `Certificate: ${options.output}. Read the fingerprint to the recipient over the phone.`}`.trimEnd(),
      );
    });
  subcommand(installation, 'rename <name>', 'rename this installation in its certificate').action(
    async (name: string) => {
      const { fingerprint } = await ask(terminal.home(), transferApi.renameInstallation, { body: { name } });
      terminal.show({ name, fingerprint });
    },
  );
  installation
    .command('trust <certificate>')
    .description('trust another installation after two people compared its fingerprint')
    .requiredOption(...COMPANY)
    .option('--name <name>', 'local name (default: the name in the certificate)')
    .option(
      '--fingerprint <text>',
      'fingerprint that the other installation read out (default: you are asked)',
    )
    .action(async (file: string, options: { company: string; name?: string; fingerprint?: string }) => {
      const read = certificateIn(file);
      const fingerprint = options.fingerprint ?? (await compared(read));
      const { company, name } = options;
      const asked = { company, body: { certificate: read.certificate, fingerprint, name } };
      terminal.show(await ask(terminal.home(), transferApi.trust, asked));
    });
  companyCommand(installation, 'list', 'list the installations that a company trusts').action(
    async ({ company }: { company: string }) => {
      terminal.show(await withLocalApi(terminal.home(), (api) => trustedBy(api, company)));
    },
  );
  companyCommand(
    installation,
    'revoke <name>',
    'stop trusting an installation; imported blacklists stay',
  ).action(async (name: string, { company }: { company: string }) => {
    await withLocalApi(terminal.home(), async (api) => {
      const { id } = await installationNamed(api, company, name);
      await api.ask(transferApi.distrust, { company, params: { id } });
    });
    terminal.show({ distrusted: true });
  });
}

async function trustedBy(api: LocalApi, company: string): Promise<TrustedInstallationView[]> {
  return (await api.ask(transferApi.installations, { company })).items;
}

/** @throws {CliError} the company trusts no installation of this name */
export async function installationNamed(
  api: LocalApi,
  company: string,
  name: string,
): Promise<TrustedInstallationView> {
  const trusted = await trustedBy(api, company);
  const found = trusted.find((one) => nameKey(one.name) === nameKey(name));
  if (found !== undefined) return found;
  const known = trusted.map((one) => `"${one.name}"`).join(', ');
  throw new CliError(problem('INSTALLATION_UNKNOWN', { name, known: known === '' ? 'none' : known }));
}

function certificateIn(file: string): ReturnType<typeof readCertificate> {
  const text = readGiven(file).toString();
  try {
    return readCertificate(text);
  } catch (cause) {
    if (cause instanceof CodedError) throw new CliError(cause.problem);
    throw new CliError(`The certificate cannot be read: ${messageOf(cause)}`);
  }
}

/** Asks a person at a terminal to confirm the fingerprint. @returns the fingerprint. @throws {CliError} they did not */
async function compared({ name, fingerprint }: { name: string; fingerprint: string }): Promise<string> {
  const said = `The certificate names "${name}" and has the fingerprint\n  ${fingerprint}`;
  if (!process.stdin.isTTY)
    throw new CliError(
      `${said}\nCall a person at that installation, ask for its fingerprint, and pass it with --fingerprint.`,
    );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(
      `${said}\nDid a person at that installation read out the same fingerprint? (yes/no) `,
    );
    if (answer.trim().toLowerCase() !== 'yes')
      throw new CliError('The installation was not trusted. Nothing was changed.');
    return fingerprint;
  } finally {
    lines.close();
  }
}
