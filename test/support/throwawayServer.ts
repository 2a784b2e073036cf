/** A PostgreSQL server that is thrown away after its use. Needs Debian's package `postgresql`. */
import { spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './network.ts';

/** The ids of the account and the group `nobody` on Debian: the server refuses to run as root. */
const NOBODY = 65_534;

export interface ThrowawayServer {
  /** `postgres://user@host:port/`: the name of a database follows. */
  address: string;
  /** The folder of its files. */
  data: string;
  /** The command that starts it again after it was killed. */
  startCommand: string[];
  log(): string;
  /** Ends it and deletes its files. */
  stop(): void;
}

/**
 * Starts a server on a free port of this machine. Root runs it as the account `nobody`.
 * @param settings as on the command line of the server: `fsync=off`
 * @throws {Error} PostgreSQL is not installed, or a program of it failed
 */
export async function startThrowawayServer(settings: readonly string[]): Promise<ThrowawayServer> {
  const programs = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1);
  if (programs === undefined)
    throw new Error('PostgreSQL is not installed. Install Debian’s package postgresql.');
  const folder = mkdtempSync(join(tmpdir(), 'vouch-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const commandOf = (program: string, options: readonly string[]) => {
    const command = [join(programs, program), ...options];
    return isRoot ? ['runuser', '-u', 'nobody', '--', ...command] : command;
  };
  const run = (program: string, ...options: string[]) => {
    const [file = '', ...rest] = commandOf(program, options);
    const { status } = spawnSync(file, rest, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`${program} ended with ${status}.`);
  };
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  const port = await freePort();
  run('initdb', '-D', data, '-U', 'vouch', '--auth=trust', '--locale=C.UTF-8', '-E', 'UTF8', '--no-sync');
  const own = [`listen_addresses=127.0.0.1`, 'max_connections=200', ...settings];
  const options = [`-p ${port}`, `-k ${folder}`, ...own.map((setting) => `-c ${setting}`)].join(' ');
  const start = ['-D', data, '-o', options, '-l', log, '-w', 'start'];
  run('pg_ctl', ...start);
  return {
    address: `postgres://vouch@127.0.0.1:${port}/`,
    data,
    startCommand: commandOf('pg_ctl', start),
    log: () => readFileSync(log, 'utf8'),
    stop() {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
