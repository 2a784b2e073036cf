import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { DEFAULT_LAN_PORT, hostNamesIn, endsSoon, type NetworkAccessState } from '../../contracts/network.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError } from '../terminal/output.ts';
import { withAdminSocketOrHome } from '../client/adminClient.ts';
import { exists, writeAtomically } from '../terminal/atomicWrite.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface OnOptions {
  address: string;
  port: number;
  certificate?: string;
  key?: string;
}

/** `vouch lan …`: whether other machines are let in, and under which names. */
export function addNetworkCommands(program: Command, terminal: Terminal): void {
  const lan = program.command('lan').description('other machines: off, or over TLS');
  lan
    .command('show')
    .description('whether other machines are let in, where, and with which certificate')
    .option('--out <file>', 'write the certificate to this file, for the programs that must trust it')
    .action(async (options: { out?: string }) => {
      const state = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('lan.show', {}),
      );
      if (options.out !== undefined) {
        const { certificate } = state.listener ?? {};
        if (certificate === undefined)
          throw new CliError('No other machine is let in. Turn it on with: vouch lan on NAME');
        await writeCertificate(options.out, certificate);
      }
      say(terminal, state);
    });
  lan
    .command('on <names...>')
    .description('let other machines in, under these DNS names and IPv4 addresses of this machine')
    .option('--address <address>', 'listen on this address of this machine alone', '0.0.0.0')
    .option('--port <number>', 'where it listens', wholeNumber, DEFAULT_LAN_PORT)
    .option('--certificate <file>', "PEM, of the site's own authority; without it one is made here")
    .option('--key <file>', 'PEM, its private key')
    .action(async (words: string[], { address, port, certificate, key }: OnOptions) => {
      if ((certificate === undefined) !== (key === undefined))
        throw new CliError('A certificate and its key belong together: give both, or neither.');
      const given =
        certificate === undefined || key === undefined
          ? undefined
          : { certificate: readGiven(certificate).toString(), privateKey: readGiven(key).toString() };
      const input = { names: words.flatMap(hostNamesIn), address, port, ...(given && { given }) };
      say(
        terminal,
        await withAdminSocketOrHome(terminal.home(), (administrate) => administrate('lan.open', input)),
      );
    });
  lan
    .command('renew')
    .description(
      'make another certificate for the same names; whoever trusts the present one must be given it',
    )
    .option('--out <file>', 'write the new one to this file, for the programs that must trust it')
    .action(async ({ out }: { out?: string }) => {
      if (out !== undefined && (await exists(out)))
        throw new CliError(`${out} exists already. Name another file: nothing is overwritten.`);
      const [before, state] = await withAdminSocketOrHome(terminal.home(), async (administrate) => [
        await administrate('lan.show', {}),
        await administrate('lan.renew', {}),
      ]);
      const { listener } = state;
      if (listener === null) throw new CliError('Other machines were shut out in the same moment.');
      say(terminal, state);
      if (!terminal.isJson())
        console.log(
          `\nThe one before had the fingerprint ${before.listener?.fingerprint ?? ''}.\n` +
            'Programs that trusted it are refused until they have the new one; browsers warn once more.' +
            (out === undefined ? ' Write it to a file for them: vouch lan show --out FILE' : ''),
        );
      // Last: the new one is in use, whether or not it could be written here.
      if (out !== undefined) await writeCertificate(out, listener.certificate);
    });
  lan
    .command('off')
    .description('let no other machine in; what they are doing ends')
    .action(async () => {
      say(
        terminal,
        await withAdminSocketOrHome(terminal.home(), (administrate) => administrate('lan.close', {})),
      );
    });
}

function say(terminal: Terminal, state: NetworkAccessState): void {
  if (terminal.isJson()) {
    terminal.show(state);
    return;
  }
  const { listener, problem } = state;
  if (listener === null) {
    console.log('No other machine is let in.');
    return;
  }
  terminal.show({
    addresses: listener.addresses.join(' '),
    fingerprint: listener.fingerprint,
    certificate: listener.selfSigned ? 'made here' : "of the site's authority",
    validUntil: listener.validUntil,
    problem: problem ?? 'none',
  });
  const notice = noticeOf(state);
  if (notice !== undefined) console.log(notice);
}

/** What an owner must know of the certificate, at the start of the service and whenever it is shown. @returns undefined: nothing */
export function noticeOf({ listener }: NetworkAccessState): string | undefined {
  if (listener === null || !endsSoon(listener)) return undefined;
  const { names, validUntil, daysLeft, selfSigned } = listener;
  const when = `${daysLeft < 0 ? 'ended' : 'ends'} on ${validUntil.slice(0, 10)}`;
  const what = selfSigned
    ? 'vouch lan renew'
    : `vouch lan on ${names.join(' ')} --certificate FILE --key FILE`;
  return `The certificate for other machines ${when}. Another is put in its place with: ${what}`;
}

async function writeCertificate(file: string, certificate: string): Promise<void> {
  await writeAtomically(file, (partial) => writeFile(partial, certificate, { mode: 0o644 }));
}
