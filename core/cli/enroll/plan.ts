import { join, resolve } from 'node:path';
import type { FolderSkip } from '../../contracts/dashboard/folders.ts';
import { lookThrough } from '../../storage/index.ts';
import { reasonOf } from '../givenFile.ts';
import { CliError } from '../output.ts';
import type { PhotoNames } from '../photoNames.ts';

/** A photo that will be sent: its path relative to the folder, with forward slashes. */
export interface PlannedFile {
  path: string;
  bytes: number;
  /** Last change, milliseconds; with the size it tells whether a file is still the one that was planned. */
  modified: number;
}

export interface SkippedFile extends PlannedFile {
  reason: string;
}

export interface Plan {
  files: PlannedFile[];
  skipped: SkippedFile[];
}

/**
 * Walks a folder of any size and says what will be sent and what is skipped, with the reason.
 * Hidden files and folders are passed over silently; symbolic links are not followed. Order: by path, so that two walks
 * of the same folder agree.
 * @param passedOver names of folders directly in it that are not looked into
 */
export async function planFolder(
  folder: string,
  maxBytes: number,
  passedOver: readonly string[] = [],
): Promise<Plan> {
  const root = resolve(folder);
  const plan: Plan = { files: [], skipped: [] };
  const options = { maxBytes, passedOver: passedOver.map((name) => join(root, name)) };
  try {
    for await (const { skip, ...file } of lookThrough(root, options)) {
      if (skip === null) plan.files.push(file);
      else if (skip !== 'link') plan.skipped.push({ ...file, reason: REASONS[skip](file.bytes, maxBytes) });
    }
  } catch (cause) {
    // The folder itself is gone, or its disk.
    throw new CliError(`${folder} cannot be read: ${reasonOf(cause)}. What was sent is kept: run it again.`);
  }
  return plan;
}

const REASONS: Record<Exclude<FolderSkip, 'link'>, (bytes: number, maxBytes: number) => string> = {
  empty: () => 'The file is empty.',
  tooLarge: (bytes, maxBytes) =>
    `The file has ${Math.ceil(bytes / 1024)} KB; the limit is ${Math.floor(maxBytes / 1024)} KB. Save it smaller.`,
  notAnImage: () => 'Not a JPEG or PNG image by its content.',
  unreadable: () => 'It cannot be read by this account. Change its permissions.',
};

/** Splits into batches of at most `size` files, in order. */
export function batches<T>(files: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  );
}

/**
 * The Idempotency-Key of a batch: the same files, unchanged, give the same key, so that sending a batch again after a
 * crash of either side cannot enrol it twice. It tells nothing about them: the service keeps it.
 */
export function batchKey(names: PhotoNames, root: string, files: readonly PlannedFile[]): string {
  const parts = files.map((file) => `\0${file.path}\0${file.bytes}\0${file.modified}`);
  return `enroll-${names.nameOf(resolve(root) + parts.join(''))}`;
}
