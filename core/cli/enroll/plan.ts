import { open, readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { sniffImageFormat, SNIFF_BYTES } from '../../domain/imageFormat.ts';
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
  for await (const path of walk(root, passedOver)) {
    const name = relative(root, path).split('\\').join('/');
    const looked = await look(path, maxBytes);
    if (looked === undefined) continue;
    const file = { path: name, bytes: looked.bytes, modified: looked.modified };
    const { reason } = looked;
    if (reason === undefined) plan.files.push(file);
    else plan.skipped.push({ ...file, reason });
  }
  return plan;
}

async function* walk(folder: string, passedOver: readonly string[] = []): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.') || passedOver.includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

/** @returns undefined: it was taken away or renamed since the folder was read */
async function look(
  path: string,
  maxBytes: number,
): Promise<{ bytes: number; modified: number; reason: string | undefined } | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { bytes: size, modified: mtimeMs, reason: await reasonToSkip(path, size, maxBytes) };
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}

async function reasonToSkip(path: string, size: number, maxBytes: number): Promise<string | undefined> {
  if (size === 0) return 'The file is empty.';
  if (size > maxBytes)
    return `The file has ${Math.ceil(size / 1024)} KB; the limit is ${Math.floor(maxBytes / 1024)} KB. Save it smaller.`;
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return sniffImageFormat(buffer.subarray(0, bytesRead)) === undefined
      ? 'Not a JPEG or PNG image by its content.'
      : undefined;
  } finally {
    await handle.close();
  }
}

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
