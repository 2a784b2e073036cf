/** The store that the installation used before a migration. It stays in the home, as a copy that each erasure names. */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../engine/fsync.ts';
import type { Home } from '../engine/home.ts';

/** @param kind `db`: a file of SQLite; `url`: the address of a PostgreSQL database */
export function formerName(at: Date, kind: 'db' | 'url'): string {
  return `before-migration-${at.toISOString().replaceAll(/[:.]/g, '-')}.${kind}`;
}

/**
 * Renames the file of SQLite of a home that uses PostgreSQL: a migration was cut off after or before its last step. Needs the
 * lock of the home.
 */
export async function setAside({ database, databaseAddress, folder }: Home, now: Date): Promise<void> {
  if (!existsSync(databaseAddress) || !existsSync(database)) return;
  const former = join(folder, formerName(now, 'db'));
  await rm(`${database}-shm`, { force: true });
  if (existsSync(`${database}-wal`)) await rename(`${database}-wal`, `${former}-wal`);
  await rename(database, former);
  await syncFolder(folder);
}
