import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { hasSystemCode } from '../../contracts/errors/systemCode.ts';

/** A place in the file system, by every name under which it could be reached. */
export interface Place {
  /** Links resolved as far as the path exists, then the rest. On systems that ignore case, in lower case. */
  path: string;
  /** Device and inode of each existing folder from the root down; the last is the place itself where it exists. */
  chain: readonly string[];
  exists: boolean;
}

/** Whether the file names of this system differ by case; the wrong guess only refuses more. */
const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin';

export async function placeOf(folder: string): Promise<Place> {
  const rest: string[] = [];
  let existing = resolve(folder);
  let real = await realpathIfThere(existing);
  while (real === undefined && dirname(existing) !== existing) {
    rest.unshift(basename(existing));
    existing = dirname(existing);
    real = await realpathIfThere(existing);
  }
  const root = real ?? existing;
  const path = join(root, ...rest).normalize('NFC');
  const chain: string[] = [];
  for (let at = root; ; at = dirname(at)) {
    const { dev, ino } = await stat(at, { bigint: true });
    chain.unshift(`${dev}:${ino}`);
    if (dirname(at) === at) break;
  }
  return { path: IGNORES_CASE ? path.toLowerCase() : path, chain, exists: rest.length === 0 };
}

/** Whether one place is the other, lies in it, or contains it: by path, or by device and inode. */
export function overlap(one: Place, other: Place): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

/** Whether a place is the other or lies in it. */
export function isWithin(inner: Place, outer: Place): boolean {
  if (`${inner.path}${sep}`.startsWith(outer.path.endsWith(sep) ? outer.path : `${outer.path}${sep}`))
    return true;
  const identity = outer.chain.at(-1);
  return outer.exists && identity !== undefined && inner.chain.includes(identity);
}

/** Whether a path, its links not resolved, leads through a folder. */
export function isNamedWithin(path: string, folder: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${folder}${sep}`);
}

async function realpathIfThere(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (hasSystemCode(cause, 'ENOENT', 'ENOTDIR')) return undefined;
    throw cause;
  }
}
