import { z } from 'zod';
import { CodedError, problem } from '../contracts/errors/problem.ts';
import { DecryptionFailed } from '../encryption/age.ts';
import {
  ManifestTooLarge,
  MAX_MANIFEST_BYTES,
  wholeOf,
  type ContainerFile,
} from '../encryption/container.ts';
import { ArchiveBroken } from '../encryption/tar.ts';
import { MAX_FACTS_BYTES } from './packageFormat.ts';

/** Files of a transfer package in the order in which they must come. */
export class FileSource {
  readonly #files: AsyncIterator<ContainerFile>;

  constructor(files: AsyncIterable<ContainerFile>) {
    this.#files = files[Symbol.asyncIterator]();
  }

  /** @returns undefined: the package ends here, and its files are those of its manifest */
  async next(): Promise<ContainerFile | undefined> {
    const next = await this.#files.next();
    return next.done === true ? undefined : next.value;
  }

  /** @throws {Malformed} another file, or one that is too long */
  async take(name: string, maxBytes: number): Promise<Buffer> {
    return contentOf(await this.next(), name, maxBytes);
  }

  async close(): Promise<void> {
    await this.#files.return?.();
  }
}

/** @throws {Malformed} another file, or one that is too long */
export async function jsonOf(file: ContainerFile | undefined, name: string): Promise<unknown> {
  return JSON.parse((await contentOf(file, name, MAX_FACTS_BYTES)).toString('utf8')) as unknown;
}

async function contentOf(file: ContainerFile | undefined, name: string, maxBytes: number): Promise<Buffer> {
  if (file?.name !== name || file.size > maxBytes) throw new Malformed();
  return wholeOf(file.content);
}

/** Authentic, but not what this program writes. */
export class Malformed extends Error {}

/** Turns the faults of a transfer package into refusals. */
export async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    if (cause instanceof DecryptionFailed) throw damaged(cause);
    if (cause instanceof ManifestTooLarge)
      throw new CodedError(problem('PACKAGE_MANIFEST_TOO_LARGE', { kib: MAX_MANIFEST_BYTES / 1024 }), {
        cause,
      });
    if ([Malformed, ArchiveBroken, z.ZodError, SyntaxError].some((kind) => cause instanceof kind))
      throw new CodedError(problem('PACKAGE_FORM_UNKNOWN'), { cause });
    throw cause;
  }
}

export function damaged(cause?: unknown): CodedError {
  return new CodedError(problem('PACKAGE_DAMAGED'), { cause });
}
