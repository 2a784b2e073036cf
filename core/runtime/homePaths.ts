import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The last part of the pipe's name on Windows; only the account of the home can read this file. */
const PIPE_NAME_FILE = 'pipe-name';

/**
 * Where the service of a home answers the administrator's commands: a Unix socket in a folder that only its account can
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
