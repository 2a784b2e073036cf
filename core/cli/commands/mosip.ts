import type { Command } from 'commander';
import { mosipApi, mosipConnection, type MosipState } from '../../contracts/mosip.ts';
import { checked } from '../../contracts/errors/problem.ts';
import { ask } from '../client/localClient.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { subcommand } from '../terminal/arguments.ts';

/** `vouch mosip …`: the queues through which a company answers MOSIP. */
export function addMosipCommands(program: Command, terminal: Terminal): void {
  const mosip = subcommand(program, 'mosip', 'manage the connection of a company to MOSIP');
  subcommand(mosip, 'status <company>', 'show the connection, without its secrets').action(
    async (company: string) => {
      show(terminal, await ask(terminal.home(), mosipApi.state, { company }));
    },
  );
  subcommand(
    mosip,
    'connect <company> <file>',
    'answer the requests of the queues that a JSON file names',
  ).action(async (company: string, file: string) => {
    const body = checked(mosipConnection, parsed(file));
    show(terminal, await ask(terminal.home(), mosipApi.connect, { company, body }));
  });
  mosip
    .command('disconnect <company>')
    .description('answer no more requests, and forget the connection with its secrets')
    .action(async (company: string) => {
      show(terminal, await ask(terminal.home(), mosipApi.disconnect, { company }));
    });
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readGiven(file).toString());
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(`${file} is no JSON. Write the connection as in the guide on MOSIP.`);
  }
}

function show(terminal: Terminal, state: MosipState): void {
  if (terminal.isJson()) terminal.show(state);
  else if (state.connection === null) console.log('The company has no connection to MOSIP.');
  else terminal.show({ ...state.connection, connected: state.connected });
}
