import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where an installation lives when nothing else is said: VOUCH_HOME, else the system's place for application data. */
export function defaultHome(): string {
  const chosen = process.env.VOUCH_HOME;
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  switch (process.platform) {
    case 'win32':
      return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Vouch');
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'Vouch');
    default:
      return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'vouch');
  }
}
