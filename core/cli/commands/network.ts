import { localApi } from '../../contracts/local.ts';
import { systemApi } from '../../contracts/dashboard/system.ts';
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { DEFAULT_LAN_PORT, endsSoon, hostNamesIn, type NetworkAccessState } from '../../contracts/network.ts';
import { subcommand, wholeNumber } from '../terminal/arguments.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError } from '../terminal/output.ts';
import { ask, withLocalApi } from '../client/localClient.ts';
import { exists, writeAtomically } from '../terminal/atomicWrite.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface EnableOptions {
  address: string;
  port: number;
  certificate?: string;
  key?: string;
}

/** `vouch network …`: whether other machines can connect, and under which names. */
export function addNetworkCommands(program: Command, terminal: Terminal): void {
  const network = subcommand(program, 'network', 'manage connections from other machines over TLS');
  subcommand(network, 'status', 'show network access, its addresses and its certificate')
    .option('--output <file>', 'write the certificate to this file, for the programs that must trust it')
    .action(async (options: { output?: string }) => {
      const state = await ask(terminal.home(), systemApi.network);
      if (options.output !== undefined) {
        const { certificate } = state.listener ?? {};
        if (certificate === undefined)
          throw new CliError(
            'Network access is off, so there is no certificate. Turn it on with: vouch network enable NAME',
          );
        await writeCertificate(options.output, certificate);
      }
      show(terminal, state);
    });
  network
    .command('enable <names...>')
    .description(
      'let other machines connect over TLS, under these DNS names and IPv4 addresses of this machine',
    )
    .option('--address <address>', 'address of this machine to listen on', '0.0.0.0')
    .option('--port <number>', 'port to listen on', wholeNumber, DEFAULT_LAN_PORT)
    .option(
      '--certificate <file>',
      'PEM file of a certificate of your own authority (default: a self-signed one)',
    )
    .option('--key <file>', 'PEM file of its private key')
    .action(async (words: string[], { address, port, certificate, key }: EnableOptions) => {
      if ((certificate === undefined) !== (key === undefined))
        throw new CliError(
          'A certificate needs its private key. Give both --certificate and --key, or neither.',
        );
      const wanted = { names: words.flatMap(hostNamesIn), address, port };
      if (certificate === undefined || key === undefined) {
        show(terminal, await ask(terminal.home(), systemApi.setNetwork, { body: wanted }));
        return;
      }
      const given = { certificate: readGiven(certificate).toString(), privateKey: readGiven(key).toString() };
      show(terminal, await ask(terminal.home(), localApi.setNetworkWith, { body: { ...wanted, given } }));
    });
  network
    .command('renew-certificate')
    .description(
      'create a new certificate for the same names; clients that trust the present one need the new one',
    )
    .option('--output <file>', 'write the new certificate to this file, for the programs that must trust it')
    .action(async ({ output }: { output?: string }) => {
      if (output !== undefined && (await exists(output)))
        throw new CliError(`${output} exists already. Name another file. Nothing is overwritten.`);
      const [before, state] = await withLocalApi(terminal.home(), async (api) => [
        await api.ask(systemApi.network),
        await api.ask(systemApi.renewCertificate),
      ]);
      const { listener } = state;
      if (listener === null) throw new CliError('Network access was disabled at the same time.');
      show(terminal, state);
      if (!terminal.isJson())
        console.log(
          `\nFingerprint of the previous certificate: ${before.listener?.fingerprint ?? ''}.\n` +
            'Programs that trust the previous certificate cannot connect until they have the new one. Browsers warn once more.' +
            (output === undefined ? ' Write it to a file with: vouch network status --output FILE' : ''),
        );
      // Last, because the new certificate is active whether or not this file can be written.
      if (output !== undefined) await writeCertificate(output, listener.certificate);
    });
  subcommand(network, 'disable', 'stop connections from other machines; open connections end').action(
    async () => {
      show(terminal, await ask(terminal.home(), systemApi.endNetwork));
    },
  );
}

function show(terminal: Terminal, state: NetworkAccessState): void {
  if (terminal.isJson()) {
    terminal.show(state);
    return;
  }
  const { listener, problem } = state;
  if (listener === null) {
    console.log('Network access is off. Only this machine can connect.');
    return;
  }
  terminal.show({
    addresses: listener.addresses.join(' '),
    fingerprint: listener.fingerprint,
    certificate: listener.selfSigned ? 'self-signed' : 'of your own authority',
    validUntil: listener.validUntil,
    problem: problem ?? 'none',
  });
  const notice = noticeOf(state);
  if (notice !== undefined) console.log(notice);
}

/** A warning about a certificate that expires soon or has expired. @returns undefined where none is needed */
export function noticeOf({ listener }: NetworkAccessState): string | undefined {
  if (listener === null || !endsSoon(listener)) return undefined;
  const { names, validUntil, daysLeft, selfSigned } = listener;
  const when = `${daysLeft < 0 ? 'expired' : 'expires'} on ${validUntil.slice(0, 10)}`;
  const command = selfSigned
    ? 'vouch network renew-certificate'
    : `vouch network enable ${names.join(' ')} --certificate FILE --key FILE`;
  return `The certificate for network access ${when}. Replace it with: ${command}`;
}

async function writeCertificate(file: string, certificate: string): Promise<void> {
  await writeAtomically(file, (partial) => writeFile(partial, certificate, { mode: 0o644 }));
}
