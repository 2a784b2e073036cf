/** The address of the PostgreSQL database of an installation. The home keeps it, so that every command finds the same rows. */
import { existsSync, readFileSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { CodedError, problem } from '../../../contracts/errors/problem.ts';
import { syncFolder } from '../fsync.ts';
import type { Home } from '../home.ts';
import { parseAddress } from './address.ts';

/** @returns the address as `parseAddress` takes it; undefined: the installation uses SQLite */
export function keptAddress({ databaseAddress }: Pick<Home, 'databaseAddress'>): string | undefined {
  return existsSync(databaseAddress) ? readFileSync(databaseAddress, 'utf8').trim() : undefined;
}

/**
 * Keeps the address that a new installation is given, in a file that its owner alone can read. The user, the password and the
 * TLS of the address can change later.
 * @throws {CodedError} the address cannot be used, or the installation keeps its rows elsewhere
 */
export async function keepAddress(home: Home, address: string): Promise<void> {
  const { label } = parseAddress(address);
  const kept = keptAddress(home);
  if (kept === address) return;
  const other = existsSync(home.database) ? home.database : kept && parseAddress(kept).label;
  if (other !== undefined && other !== label)
    throw new CodedError(problem('DATABASE_OTHER', { folder: home.folder, other, label }));
  const written = `${home.databaseAddress}.new`;
  await writeFile(written, `${address}\n`, { mode: 0o600, flush: true });
  await chmod(written, 0o600);
  await rename(written, home.databaseAddress);
  await syncFolder(home.folder);
}
