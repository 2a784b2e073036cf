import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { CliError } from './output.ts';

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

/** @param home of the command line. @returns it. @throws {CliError} it is empty */
export function homeFromOptions(home: string): string {
  if (home === '')
    throw new CliError(
      'The data directory is not known, because HOME is empty or not an absolute path. Name the directory with --home or VOUCH_HOME.',
    );
  return home;
}
