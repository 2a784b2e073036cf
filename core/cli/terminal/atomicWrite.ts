import { rmSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { isFullDisk, syncFolder } from '../../storage/engine/fsync.ts';
import { reasonOf } from './inputFile.ts';
import { CliError, EXIT } from './output.ts';

/**
 * Makes a new file, whole or not at all: `fill` writes `FILE.partial`, which then gets its name.
 * @throws {CliError} there is such a file
 */
export async function writeAtomically<T>(
  file: string,
  fill: (partial: string) => Promise<T>,
): Promise<{ made: T; bytes: number }> {
  if (await exists(file))
    throw new CliError(`${file} exists already. Name another file: nothing is overwritten.`);
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

/** A signal that ends the program leaves no unfinished file behind. */
function removeWhenStopped(partial: string): () => void {
  const stop = (signal: NodeJS.Signals) => {
    rmSync(partial, { force: true });
    release();
    // To the end that it has without a listener.
    process.kill(process.pid, signal);
  };
  const release = () => {
    for (const signal of STOPPED_BY) process.off(signal, stop);
  };
  for (const signal of STOPPED_BY) process.on(signal, stop);
  return release;
}

/** Writes a stream to the disk, readable by its owner alone. @throws {CliError} it cannot be written, or its source ends early */
export async function writeStream(
  file: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const handle = await open(file, 'w', 0o600).catch((cause: unknown) => {
    // Nobody will read it: a service that goes on sending could not end before this program does.
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

/** An error of the operating system, and not one that was made here. */
function isOfDisk(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause;
}

function cannotWrite(cause: unknown): CliError {
  const remedy = isFullDisk(cause) ? ' Free some room, or name a file on another disk.' : '';
  return new CliError(
    `The file could not be written: ${reasonOf(cause)}. Nothing of it was left behind.${remedy}`,
    isOfTheCaller(cause) ? EXIT.usage : EXIT.failed,
  );
}

/** They named a place that is not there, or not theirs; a full or broken disk is nobody's mistake. */
function isOfTheCaller(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && MISTAKES.includes(String(cause.code));
}
const MISTAKES = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'];
