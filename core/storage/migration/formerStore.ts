/** The store that the installation used before a migration. It stays in the home, as a copy that each erasure names. */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeDurably } from '../engine/fsync.ts';
import type { Home } from '../engine/home.ts';

/** The file that becomes the database of SQLite. */
const UNFINISHED_FILE = 'migrating.db';
/** Holds the address of the server while a migration fills its database. An erasure names it as a copy. */
const UNFINISHED_ADDRESS = 'migrating.url';

export function unfinishedFile({ folder }: Pick<Home, 'folder'>): string {
  return join(folder, UNFINISHED_FILE);
}

/** Notes the address of a database before the rows are copied to it, so that no copy is unknown. */
export async function noteUnfinished({ folder }: Pick<Home, 'folder'>, address: string): Promise<void> {
  await writeDurably(join(folder, UNFINISHED_ADDRESS), `${address}\n`);
}

/** @param kind `db`: a file of SQLite; `url`: the address of a PostgreSQL database */
export function formerName(at: Date, kind: 'db' | 'url'): string {
  return `before-migration-${at.toISOString().replaceAll(/[:.]/g, '-')}.${kind}`;
}

/**
 * Finishes or removes what a migration left in the files of the home: removes an unfinished file of SQLite, and renames the
 * file of SQLite of a home that uses PostgreSQL. Needs the lock of the home.
 */
export async function setAside({ database, databaseAddress, folder }: Home, now: Date): Promise<void> {
  for (const suffix of ['', '-wal', '-shm'])
    await rm(join(folder, UNFINISHED_FILE + suffix), { force: true });
  if (!existsSync(databaseAddress)) return;
  await rm(join(folder, UNFINISHED_ADDRESS), { force: true });
  if (!existsSync(database)) return;
  const former = join(folder, formerName(now, 'db'));
  await rm(`${database}-shm`, { force: true });
  if (existsSync(`${database}-wal`)) await rename(`${database}-wal`, `${former}-wal`);
  await rename(database, former);
  await syncFolder(folder);
}
