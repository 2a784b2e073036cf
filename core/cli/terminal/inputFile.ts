import { readFileSync } from 'node:fs';
import { CliError } from './output.ts';

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of its path is a file, not a folder',
  EISDIR: 'it is a folder, and a file is wanted',
  ENOSPC: 'that disk is full',
  EDQUOT: 'this account may write no more to that disk',
  EFBIG: 'that disk takes no file as large (FAT32 ends at 4 GiB)',
  EROFS: 'that disk can only be read',
  EACCES: 'this account has no right to it',
};

/** A file that was named on the command line. @throws {CliError} it cannot be read, and why */
export function readGiven(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new CliError(`${file} cannot be read: ${reasonOf(cause)}.`);
  }
}

/** The first line of a file of a secret: what follows it explains it. */
export function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** What the operating system says of a file, in words where there are some. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause ? String(cause.code) : '';
  return REASONS[code] ?? cause.message;
}
