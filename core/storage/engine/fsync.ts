import { open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';

/**
 * Full, over quota, or too large a file for its file system (4 GiB on FAT32), in the words of the operating system or of
 * SQLite, which a thread hands over as text.
 */
export function isFullDisk(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return (
    hasSystemCode(cause, 'ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL') ||
    cause.message === 'database or disk is full'
  );
}

/** Turns "there is no such file" into undefined; every other error is thrown again. */
export function ifMissing(error: unknown): undefined {
  if (hasSystemCode(error, 'ENOENT')) return undefined;
  throw error;
}

/**
 * A small file, whole or not at all: written beside its place, synced, then renamed into it. Readable by its owner. The
 * name beside it is fixed, so that the next call removes what a crash left: the caller makes one call at a time per file.
 */
export async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  const next = `${file}.next`;
  const handle = await open(next, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, file);
  await syncFolder(dirname(file));
}

/** A new file's name is durable only when its folder is; Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes all of the buffers, in their order, at the end of what was written before.
 * A disk that fills up may take a part and say so only by the count: what is left is tried again, and fails with the reason.
 */
export async function writeAll(
  file: Pick<FileHandle, 'write' | 'writev'>,
  buffers: readonly Uint8Array[],
): Promise<void> {
  const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  const { bytesWritten } = await file.writev(buffers);
  if (bytesWritten === bytes) return;
  let left = Buffer.concat(buffers).subarray(bytesWritten);
  while (left.length > 0) left = left.subarray((await file.write(left)).bytesWritten);
}
