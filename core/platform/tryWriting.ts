import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes: more than a full disk has left in blocks that are in use. */
export const PROBE_BYTES = 8_192;

/**
 * Writes, syncs and removes a file in a folder. Only that tells whether a disk can be written: after an error of it Linux
 * refuses to write, while the mount and the rights of its files stay as they were.
 * @throws why no file can be written there
 */
export async function tryWriting(folder: string): Promise<void> {
  const probe = join(folder, `.vouch-${randomUUID()}`);
  const handle = await open(probe, 'wx', 0o600);
  try {
    await handle.writeFile(new Uint8Array(PROBE_BYTES));
    await handle.sync();
  } finally {
    await handle.close();
    await rm(probe, { force: true });
  }
}
