/** Copies of the home or of its database that this machine knows of: what a restore, an update and a migration put aside. */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptCopy } from '../../contracts/erasure.ts';
import { syncFolder } from '../engine/fsync.ts';

const COPY = /^(before-restore-.+|before-update\.db|migrating\.url|before-migration-.+\.(db|db-wal|url))$/;

/** Whether a copy is the address of a PostgreSQL database. */
export function isAddress(name: string): boolean {
  return name.endsWith('.url');
}

export async function homeCopies(home: string): Promise<KeptCopy[]> {
  const names = (await readdir(home)).filter((name) => COPY.test(name));
  return Promise.all(
    names.toSorted().map(async (name) => ({ name, at: (await stat(join(home, name))).mtime.toISOString() })),
  );
}

/**
 * Removes a copy. Of a copy that is an address, the tables on the server are removed first.
 * @param installation the id of this installation @throws {Error} the server of the address cannot be reached, or refuses
 */
export async function removeHomeCopy(home: string, name: string, installation: string): Promise<void> {
  if (!COPY.test(name)) throw new RangeError(`${name} is no copy of the home.`);
  const copy = join(home, name);
  if (isAddress(name)) {
    const { dropInstallation } = await import('../engine/postgres/dropInstallation.ts');
    await dropInstallation((await readFile(copy, 'utf8')).trim(), installation);
  }
  // The key and the database first: without them nothing else in a copy can be read.
  if ((await stat(copy)).isDirectory())
    for (const first of ['store.key', 'vouch.db', 'vouch.db-wal', 'enrolments', 'watching'])
      await rm(join(copy, first), { recursive: true, force: true });
  await rm(copy, { recursive: true, force: true });
  await syncFolder(home);
}
