import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import type { HomeAccess, HomeInspection, KeyFacts } from '../../domain/ports/diagnostics.ts';
import { systemProblem } from '../../contracts/errors/systemProblem.ts';
import { isDiskEncrypted } from './diskEncryption.ts';
import { tryWriting } from '../../runtime/tryWriting.ts';
import { ifMissing } from '../engine/fsync.ts';
import { keyIn, RIGHTS_OF_OTHERS, type Home } from '../engine/home.ts';

/** The key that a database is open with. */
interface StoreKey {
  /** 32 bytes. */
  bytes: Uint8Array;
  /** The program that started the service handed the key over; there need be no key file. */
  isGiven: boolean;
}

/** @param inUse absent: the database is not open */
export function inspectHome(home: Home, inUse?: StoreKey): HomeInspection {
  return {
    access: () => readAccess(home),
    key: () => readKey(home, inUse),
    tryWriting: () => tryWriting(home.folder),
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
    if ((found.mode & RIGHTS_OF_OTHERS) !== 0) openToOthers.push(file);
    await access(file, constants.W_OK).catch(() => unwritable.push(file));
  }
  // A file in a folder that other accounts may not enter is out of their reach, whatever its own permissions are.
  const closed = !openToOthers.includes(folder);
  return {
    folder,
    openToOthers: process.platform === 'win32' ? null : closed ? [] : openToOthers,
    unwritable,
    problem: await tryWriting(folder).then(
      () => null,
      (error: unknown) => systemProblem(error),
    ),
  };
}

async function readKey({ keyFile: file, database }: Home, inUse?: StoreKey): Promise<KeyFacts> {
  if (inUse?.isGiven === true) return { file, state: 'given' };
  const exists = (await stat(database).catch(ifMissing)) !== undefined;
  const key = keyIn(file);
  if (key === undefined) return { file, state: exists ? 'missing' : 'unborn' };
  if (inUse === undefined) return { file, state: 'unproven' };
  if (Buffer.compare(key, inUse.bytes) !== 0) return { file, state: 'other' };
  return { file, state: (await isDiskEncrypted(file)) === false ? 'readable' : 'fits' };
}
