/** Copies of the whole home that this machine knows of: what a restore and an update put aside. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptCopy } from '../../contracts/erasure.ts';
import { syncFolder } from '../engine/fsync.ts';

const COPY = /^(before-restore-.+|before-update\.db)$/;

export async function homeCopies(home: string): Promise<KeptCopy[]> {
  const names = (await readdir(home)).filter((name) => COPY.test(name));
  return Promise.all(
    names.toSorted().map(async (name) => ({ name, at: (await stat(join(home, name))).mtime.toISOString() })),
  );
}

/** The key and the database first: without them nothing else in a copy can be read. */
export async function removeHomeCopy(home: string, name: string): Promise<void> {
  if (!COPY.test(name)) throw new RangeError(`${name} is no copy of the home.`);
  const copy = join(home, name);
  if ((await stat(copy)).isDirectory())
    for (const first of ['store.key', 'vouch.db', 'vouch.db-wal', 'enrolments', 'watching'])
      await rm(join(copy, first), { recursive: true, force: true });
  await rm(copy, { recursive: true, force: true });
  await syncFolder(home);
}
