import { join } from 'node:path';

/** The owner's door of a home: a Unix socket in a folder only they can enter, a named pipe on Windows. */
export function socketOf(home: string): string {
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\vouch-${Buffer.from(home).toString('hex').slice(-64)}`
    : join(home, 'vouch.sock');
}
