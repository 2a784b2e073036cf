import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { readyIn } from '../../core/contracts/serving.ts';
import { giveTestAddress } from './testServer.ts';

const CLI = join(import.meta.dirname, '..', '..', 'core', 'cli.ts');

/** `vouch <args>` in a process of its own. @param cli the command line of another version */
export function vouch(
  home: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cli = CLI,
): ChildProcess {
  const program = spawn(process.execPath, [cli, '--home', home, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  // A test that ends early, for any cause, leaves no running service.
  const end = () => {
    program.kill('SIGKILL');
  };
  process.once('exit', end);
  program.once('close', () => process.off('exit', end));
  return program;
}

/** Runs a command to its end. @returns exit code (null: killed) and what it printed */
export async function run(
  home: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = vouch(home, args, env);
  const output = { stdout: '', stderr: '' };
  program.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  program.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  await once(program, 'close');
  return { code: program.exitCode, ...output };
}

/** A bearer token of the company, created at the terminal as an administrator does. */
export async function tokenFor(home: string, company: string, scope: 'enroll' | 'verify'): Promise<string> {
  const names = ['--company', company, '--name', `for ${scope}`, '--scope', scope];
  const { code, stdout, stderr } = await run(home, ['--json', 'api-token', 'create', ...names]);
  if (code !== 0) throw new Error(`No token was made: ${stderr}`);
  return (JSON.parse(stdout) as { token: string }).token;
}

/** A running service that can be killed as a power cut would. */
export interface ServiceProcess {
  address: string;
  pid: number;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Resolves when the process is gone, although nobody ended it. */
  ended(): Promise<void>;
  /** Everything that it has printed so far. */
  printed(): string;
  /** Another signal that ends it; resolves when the process is gone. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** SIGTERM. @throws {Error} with what it printed, where it ends with another code than `expected` (0) */
  stop(expected?: number): Promise<void>;
}

/** @param output standard output of `vouch --json serve` @returns where it listens @throws {Error} it ended before */
export async function addressIn(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = readyIn(line)?.address;
    if (address != null) {
      output.resume();
      return address;
    }
  }
  throw new Error('The service ended before it listened.');
}

/** Starts `vouch serve` and resolves when it listens; a new home gets a database of the tested server. */
export async function startService(
  home: string,
  port = 0,
  workers = 2,
  env: NodeJS.ProcessEnv = {},
  options: readonly string[] = [],
): Promise<ServiceProcess> {
  giveTestAddress(home);
  const base = ['--json', 'serve', '--port', String(port), '--workers', String(workers)];
  const program = vouch(home, [...base, ...options], env);
  const gone = once(program, 'close');
  let errors = '';
  let said = '';
  program.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  program.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const { stdout } = program;
  if (stdout === null || program.pid === undefined) throw new Error('The service could not be spawned.');
  const address = await addressIn(stdout).catch((cause: unknown) => {
    throw new Error(`The service ended before it listened: ${errors}`, { cause });
  });
  const printed = () => said + errors;
  /** The end of the service and its cause, for the message of a test that fails. */
  const ended = () =>
    `The service ended with ${program.signalCode ?? String(program.exitCode)}: ${printed()}`;
  let isAsked = false;
  void gone.then(() => {
    if (!isAsked) console.error(ended());
  });
  const signal = async (name: NodeJS.Signals) => {
    isAsked = true;
    program.kill(name);
    await gone;
  };
  return {
    address,
    pid: program.pid,
    kill: () => signal('SIGKILL'),
    async ended() {
      isAsked = true;
      await gone;
    },
    printed,
    signal,
    async stop(expected = 0) {
      await signal('SIGTERM');
      if (program.exitCode !== expected) throw new Error(ended());
    },
  };
}
