import { constants } from 'node:fs';
import { access, stat, statfs, readdir, readFile } from 'node:fs/promises';
import type { HomeAccess, HomeInspection, KeyFacts } from '../../domain/ports/diagnostics.ts';
import { systemProblem } from '../../contracts/errors/systemProblem.ts';
import { tryWriting } from '../../platform/tryWriting.ts';
import { ifMissing } from '../engine/fsync.ts';
import { keyIn, RIGHTS_OF_OTHERS, type Home } from '../engine/home.ts';
import { join } from 'node:path';

/** Where Linux describes block devices, by their numbers. */
const BLOCK_DEVICES = '/sys/dev/block';

/**
 * Whether the disk of a path is encrypted by the system (dm-crypt, as LUKS uses it).
 * @returns undefined where the system does not report it: not Linux, or a file system without a block device of its own
 *   (network, overlay, btrfs, in memory), or one in a file
 */
async function isDiskEncrypted(path: string): Promise<boolean | undefined> {
  if (process.platform !== 'linux') return undefined;
  const { dev } = await stat(path, { bigint: true });
  // As gnu_dev_major and gnu_dev_minor of glibc take a device number apart.
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  return isDeviceEncrypted(join(BLOCK_DEVICES, `${major}:${minor}`));
}

/** A device is encrypted when it, or every device that it consists of, is one of dm-crypt. */
export async function isDeviceEncrypted(device: string): Promise<boolean | undefined> {
  if ((await stat(device).catch(ifMissing)) === undefined) return undefined;
  if ((await stat(join(device, 'loop')).catch(ifMissing)) !== undefined) return undefined;
  const kind = await readFile(join(device, 'dm', 'uuid'), 'utf8').catch(ifMissing);
  if (kind?.startsWith('CRYPT-') === true) return true;
  const parts = (await readdir(join(device, 'slaves')).catch(ifMissing)) ?? [];
  const found = await Promise.all(parts.map((part) => isDeviceEncrypted(join(device, 'slaves', part))));
  return found.length > 0 && found.every((one) => one === true);
}

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
