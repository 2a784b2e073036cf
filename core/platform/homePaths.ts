import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { hasSystemCode } from '../contracts/errors/systemProblem.ts';

/**
 * The default data directory: VOUCH_HOME, else the folder of the system for application data.
 * @returns empty where neither is known
 */
export function defaultHome(): string {
  const chosen = process.env.VOUCH_HOME;
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  const account = homedir();
  switch (process.platform) {
    case 'win32':
      return within(process.env.LOCALAPPDATA, 'Vouch') || within(account, 'AppData', 'Local', 'Vouch');
    case 'darwin':
      return within(account, 'Library', 'Application Support', 'Vouch');
    default:
      return within(process.env.XDG_DATA_HOME, 'vouch') || within(account, '.local', 'share', 'vouch');
  }
}

/** Joins only to an absolute folder: a relative one would depend on the folder in which the command was started. */
function within(folder: string | undefined, ...names: string[]): string {
  return folder !== undefined && isAbsolute(folder) ? join(folder, ...names) : '';
}

/** The last part of the pipe's name on Windows; only the account of the home can read this file. */
const PIPE_NAME_FILE = 'pipe-name';

/**
 * Where the service of a home answers the requests of the local administrator: a Unix socket in a folder that only its account can
 * enter, a named pipe on Windows. Any account can make a pipe of any name there, so the name cannot be guessed: otherwise
 * another program could take it first and receive what is meant for the service.
 */
export function socketOf(home: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return join(home, 'vouch.sock');
  const file = join(home, PIPE_NAME_FILE);
  const name = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'none';
  return `\\\\.\\pipe\\vouch-${name}`;
}

/** Chooses the name of the pipe once for a home. Does nothing where the home has a socket. */
export function namePipe(home: string, platform: NodeJS.Platform = process.platform): void {
  const file = join(home, PIPE_NAME_FILE);
  if (platform === 'win32' && !existsSync(file))
    writeFileSync(file, `${randomBytes(16).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
}

/** Files by which a folder is known as a home. Each of them alone is enough, as a start makes them one after the other. */
const SIGNS = [
  'vouch.db',
  'database.url',
  'images.url',
  'lock',
  'store.key',
  'store.key.system',
  'store.key.passphrase',
  'erased.jsonl',
];

/** Whether a folder holds an installation, or this account may not read it. Makes nothing. */
export function isHome(folder: string): boolean {
  try {
    const names = readdirSync(folder);
    return SIGNS.some((sign) => names.includes(sign));
  } catch (cause) {
    return isRefusal(cause);
  }
}

/** Whether the operating system refused something to this account. */
export function isRefusal(error: unknown): boolean {
  return hasSystemCode(error, 'EACCES', 'EPERM');
}
