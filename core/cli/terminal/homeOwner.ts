/**
 * Root on a home that belongs to another account. The account of the service could not open files that root creates there,
 * so a process of that account opens the home.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, NODE_OPTIONS } from '../../platform/environment.ts';
import { HomeLocked } from '../../storage/engine/refusals.ts';
import { CliError, EXIT } from './output.ts';

const CLI = fileURLToPath(new URL('../../cli.ts', import.meta.url));
/** The process that opens a home for root ends with this code when another process has the home (EX_TEMPFAIL of sysexits). */
export const HOME_IN_USE = 75;
/** Characters of the error output that are kept of a process that cannot open the home. */
const KEPT_ERRORS = 4_000;

interface Account {
  uid: number;
  gid: number;
}

/** @returns the account that owns the home, where this process is root and the home is not root's; else undefined */
export function foreignOwnerOf(home: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = statSync(home, { throwIfNoEntry: false });
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

/**
 * Opens a home in a process of the account that owns it. That process answers the requests of the local administrator on the home's
 * socket, does no other work, and ends with this process at the latest. Root still reads and writes the files that a
 * command names elsewhere.
 * @throws {HomeLocked} another process has the home. @throws {CliError} the home could not be opened for another reason
 */
export async function withHomeOpenedByOwner<T>(
  home: string,
  account: Account,
  work: () => Promise<T>,
): Promise<T> {
  const opener = spawn(
    process.execPath,
    [...NODE_OPTIONS, CLI, '--home', home, 'serve', '--commands-only', '--workers', '1'],
    {
      ...account,
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: inheritedEnvironment(),
    },
  );
  // Not `close`, which is not emitted after this side closed the channel.
  const ended = once(opener, 'exit');
  try {
    await opened(opener);
    return await work();
  } finally {
    if (opener.connected) opener.disconnect();
    await ended;
  }
}

/** Waits for the first line of the standard output, which reports that the home is open. */
async function opened(opener: ChildProcess): Promise<void> {
  let errors = '';
  opener.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-KEPT_ERRORS)));
  const started = await Promise.race([
    once(opener.stdout!, 'data').then(() => true),
    once(opener, 'close').then(() => false),
  ]);
  if (started) return;
  if (opener.exitCode === HOME_IN_USE) throw new HomeLocked(errors.trim());
  throw new CliError(errors.trim(), EXIT.failed);
}

/**
 * Runs this command line as the account that owns the home, on the same terminal.
 * @returns its exit code; undefined where this process need not change its account
 */
export async function runAsHomeOwner(home: string): Promise<number | undefined> {
  const account = foreignOwnerOf(home);
  if (account === undefined) return undefined;
  const args = [...NODE_OPTIONS, CLI, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { ...account, stdio: 'inherit', env: inheritedEnvironment() });
  await once(child, 'close');
  return child.exitCode ?? EXIT.failed;
}
