import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { StorageCheck } from '../contracts/dashboard/session.ts';

/** What a refused folder is told as; other causes keep to the general sentence. */
const CAUSES: Record<string, string> = {
  EACCES: 'The service may not write there: choose another folder, or give its account the right.',
  EPERM: 'The service may not write there: choose another folder, or give its account the right.',
  EROFS: 'That disk can only be read.',
  ENOSPC: 'That disk is full.',
  ENOTDIR: 'Part of that path is a file, not a folder.',
  EEXIST: 'There is a file of that name, not a folder.',
};

/** Whether a folder can hold a company's encrypted images; makes it when it is missing. */
export async function checkStorageFolder(folder: string): Promise<StorageCheck> {
  if (!isAbsolute(folder) || folder.includes('\0')) return refused('Give the folder with its whole path.');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const probe = join(folder, `.vouch-${randomUUID()}`);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
    const { bavail, bsize } = await statfs(folder);
    return { writable: true, freeBytes: bavail * bsize, problem: null };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return refused(CAUSES[code] ?? `The folder cannot be used (${code === '' ? 'unknown cause' : code}).`);
  }
}

function refused(problem: string): StorageCheck {
  return { writable: false, freeBytes: null, problem };
}
