import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode } from '../../contracts/errors/systemCode.ts';
import { trusted, type ImageId } from '../../contracts/ids.ts';

const SUFFIX = '.vimg';

/** 256 shelves by the first two digits, so that no folder holds a million names. */
export const SHELF_DIGITS = 2;

export function shelfOf(id: ImageId): string {
  return id.slice(0, SHELF_DIGITS);
}

export function imagePath(storageFolder: string, id: ImageId): string {
  return join(storageFolder, 'images', shelfOf(id), id + SUFFIX);
}

/** The names of the shelves of a storage folder; none when it holds no images. */
export async function companyShelves(storageFolder: string): Promise<string[]> {
  const entries = await ifThere(readdir(join(storageFolder, 'images'), { withFileTypes: true }));
  return (entries ?? []).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** The images on a shelf, by the names of their files. */
export async function imagesIn(storageFolder: string, shelf: string): Promise<ImageId[]> {
  const names = await ifThere(readdir(join(storageFolder, 'images', shelf)));
  return (names ?? [])
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => trusted.image(name.slice(0, -SUFFIX.length)));
}

async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (cause) {
    if (hasSystemCode(cause, 'ENOENT')) return undefined;
    throw cause;
  }
}
