import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { TransferRejected, readCard } from '../../domain/blacklistTransfer/installationIdentity.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError } from '../terminal/output.ts';
import { withAdminSocketOrHome } from '../client/adminClient.ts';
import { writeAtomically } from '../terminal/atomicWrite.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch site …`: who this site is to others, and which others a company exchanges blacklists with. */
export function addInstallationCommands(program: Command, terminal: Terminal): void {
  const site = program.command('site').description('this site as others know it, and the sites it trusts');
  const ask = <T>(work: Parameters<typeof withAdminSocketOrHome<T>>[1]) =>
    withAdminSocketOrHome(terminal.home(), work);
  site
    .command('show')
    .description('the name of this site, its fingerprint, and its card for other sites')
    .option('--out <file>', 'write the card to this file, to be carried to the other site')
    .action(async (options: { out?: string }) => {
      const shown = await ask((administrate) => administrate('site.show', {}));
      const card = `${JSON.stringify(shown.card, null, 2)}\n`;
      if (options.out !== undefined)
        await writeAtomically(options.out, (partial) => writeFile(partial, card, { mode: 0o644 }));
      if (terminal.isJson()) terminal.show(shown);
      else
        console.log(
          `${shown.name}\nFingerprint: ${shown.fingerprint}\n${options.out === undefined ? card : `Its card is in ${options.out}. Read the fingerprint to whoever takes it, over the phone.`}`.trimEnd(),
        );
    });
  site
    .command('name <name>')
    .description('what this site is called on its card')
    .action(async (name: string) => {
      const { fingerprint } = await ask((administrate) => administrate('site.name', { name }));
      terminal.show({ name, fingerprint });
    });
  site
    .command('trust <card>')
    .description('trust the site of a card, after its fingerprint was compared by two people')
    .requiredOption('--company <name>')
    .option('--name <name>', 'what it is called here (default: what it calls itself)')
    .option('--fingerprint <text>', 'as the other site read it out; absent: you are asked')
    .action(async (file: string, options: { company: string; name?: string; fingerprint?: string }) => {
      const read = cardIn(file);
      const fingerprint = options.fingerprint ?? (await compared(read));
      const { company, name } = options;
      const input = { company, card: read.card, fingerprint, ...(name !== undefined && { name }) };
      terminal.show(await ask((administrate) => administrate('site.trust', input)));
    });
  site
    .command('list')
    .description('the sites that a company trusts')
    .requiredOption('--company <name>')
    .action(async (options: { company: string }) => {
      terminal.show(await ask((administrate) => administrate('site.list', options)));
    });
  site
    .command('distrust <name>')
    .description('trust a site no more; what came from it stays')
    .requiredOption('--company <name>')
    .action(async (name: string, options: { company: string }) => {
      terminal.show(await ask((administrate) => administrate('site.distrust', { ...options, name })));
    });
}

function cardIn(file: string): ReturnType<typeof readCard> {
  const text = readGiven(file).toString();
  try {
    return readCard(text);
  } catch (cause) {
    if (cause instanceof TransferRejected) throw new CliError(cause.problem);
    throw new CliError(`The card cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Asks a person at a terminal. @returns the fingerprint, when they say that it is the one they heard */
async function compared({ name, fingerprint }: { name: string; fingerprint: string }): Promise<string> {
  const said = `This card calls itself "${name}" and has the fingerprint\n  ${fingerprint}`;
  if (!process.stdin.isTTY)
    throw new CliError(
      `${said}\nHave it read out by somebody at that site, and give what they read with --fingerprint.`,
    );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${said}\nDid somebody at that site read out the same? (yes/no) `);
    if (answer.trim().toLowerCase() !== 'yes')
      throw new CliError('Then it is not trusted. Nothing was changed.');
    return fingerprint;
  } finally {
    lines.close();
  }
}
