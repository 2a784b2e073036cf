import { rmSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { isFullDisk, syncFolder } from '../../storage/engine/fsync.ts';
import { reasonOf } from './inputFile.ts';
import { CliError, EXIT } from './output.ts';

/**
 * Creates a new file atomically: `fill` writes `FILE.partial`, which is then renamed.
 * @throws {CliError} the file exists already, or cannot be written
 */
export async function writeAtomically<T>(
  file: string,
  fill: (partial: string) => Promise<T>,
): Promise<{ made: T; bytes: number }> {
  if (await exists(file))
    throw new CliError(`${file} exists already. Name another file. Nothing is overwritten.`);
  const partial = `${file}.partial`;
  const release = removeWhenStopped(partial);
  try {
    const made = await fill(partial).catch((cause: unknown) => {
      throw isOfDisk(cause) ? cannotWrite(cause) : cause;
    });
    await rename(partial, file);
    await syncFolder(dirname(file));
    return { made, bytes: (await stat(file)).size };
  } finally {
    release();
    await rm(partial, { force: true });
  }
}

const STOPPED_BY = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Deletes the unfinished file when a signal ends the program. */
function removeWhenStopped(partial: string): () => void {
  const stop = (signal: NodeJS.Signals) => {
    rmSync(partial, { force: true });
    release();
    // Ends the process as it would end without this listener.
    process.kill(process.pid, signal);
  };
  const release = () => {
    for (const signal of STOPPED_BY) process.off(signal, stop);
  };
  for (const signal of STOPPED_BY) process.on(signal, stop);
  return release;
}

/** Writes a stream to the disk, readable by this account only. @throws {CliError} it cannot be written, or its source ends early */
export async function writeStream(
  file: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const handle = await open(file, 'w', 0o600).catch((cause: unknown) => {
    // A service that keeps sending an unread stream could not stop before this program ends.
    if (content instanceof Readable) content.destroy();
    throw cannotWrite(cause);
  });
  try {
    for await (const piece of content) await handle.writeFile(piece);
    await handle.sync();
  } catch (cause) {
    throw cannotWrite(cause);
  } finally {
    await handle.close();
  }
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Whether the operating system reported the error. */
function isOfDisk(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause;
}

function cannotWrite(cause: unknown): CliError {
  const remedy = isFullDisk(cause) ? ' Free some room, or name a file on another disk.' : '';
  return new CliError(
    `The file could not be written: ${reasonOf(cause)}. No part of it was left behind.${remedy}`,
    isCallersMistake(cause) ? EXIT.usage : EXIT.failed,
  );
}

/** Whether the caller named a missing place or one without permission, in contrast to a full or broken disk. */
function isCallersMistake(cause: unknown): boolean {
  return hasSystemCode(cause, ...CALLERS_MISTAKES);
}
const CALLERS_MISTAKES = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'];
