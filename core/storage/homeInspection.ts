import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import type { HomeAccess, HomeInspection, KeyFacts } from '../domain/doctor/ports.ts';
import { keyIn, type Home } from './home.ts';

/** Rights of anybody but the owner. */
const OTHERS = 0o077;

/** @param inUse the key that the database is open with; absent: it is not open */
export function inspectHome(home: Home, inUse?: Uint8Array): HomeInspection {
  return {
    access: () => readAccess(home),
    key: () => readKey(home, inUse),
    async freeBytes() {
      const { bavail, bsize } = await statfs(home.folder);
      return bavail * bsize;
    },
  };
}

async function readAccess({ folder, database, keyFile, logs }: Home): Promise<HomeAccess> {
  const openToOthers: string[] = [];
  const unwritable: string[] = [];
  for (const file of [folder, database, keyFile, logs]) {
    const found = await stat(file).catch(ifMissing);
    if (found === undefined) continue;
    if ((found.mode & OTHERS) !== 0) openToOthers.push(file);
    await access(file, constants.W_OK).catch(() => unwritable.push(file));
  }
  // What stands in a folder that nobody else may enter is out of reach, whatever its own rights say.
  const closed = !openToOthers.includes(folder);
  return {
    folder,
    openToOthers: process.platform === 'win32' ? null : closed ? [] : openToOthers,
    unwritable,
  };
}

async function readKey({ keyFile: file, database }: Home, inUse?: Uint8Array): Promise<KeyFacts> {
  const exists = (await stat(database).catch(ifMissing)) !== undefined;
  const key = keyIn(file);
  if (key === undefined) return { file, state: exists ? 'missing' : 'unborn' };
  if (inUse === undefined) return { file, state: 'unproven' };
  return { file, state: Buffer.compare(key, inUse) === 0 ? 'fits' : 'other' };
}

function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
