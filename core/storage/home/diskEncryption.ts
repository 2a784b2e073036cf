import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../engine/fsync.ts';

/** Where Linux describes block devices, by their numbers. */
const BLOCK_DEVICES = '/sys/dev/block';

/**
 * Whether the disk of a path is encrypted by the system (dm-crypt, as LUKS uses it).
 * @returns undefined where the system does not report it: not Linux, or a file system without a block device of its own
 *   (network, overlay, btrfs, in memory), or one in a file
 */
export async function isDiskEncrypted(path: string): Promise<boolean | undefined> {
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
