import { readFileSync } from 'node:fs';
import { systemCodeOf } from '../../contracts/errors/systemProblem.ts';
import { CliError } from './output.ts';

const REASONS: Record<string, string> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'part of its path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENOSPC: 'that disk is full',
  EDQUOT: 'this account has used up its disk quota',
  EFBIG: 'the disk does not support files of this size (FAT32: up to 4 GiB)',
  EROFS: 'that disk is read-only',
  EACCES: 'this account has no permission',
};

/** Reads a file that the command line names. @throws {CliError} with the reason why it cannot be read */
export function readGiven(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new CliError(`${file} cannot be read: ${reasonOf(cause)}.`);
  }
}

/** The first line of a file with a secret. The following lines can explain it. */
export function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** The reason of an error of the operating system, as text where this table has one. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return REASONS[systemCodeOf(cause) ?? ''] ?? cause.message;
}
