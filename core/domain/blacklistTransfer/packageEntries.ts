import { problem } from '../../contracts/errors/problem.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { EntriesBroken, entryHead, type Entry } from '../encryption/entries.ts';
import { RequestSignatureInvalid } from '../encryption/sealedStream.ts';
import { MOST_FACTS_BYTES } from './packageFormat.ts';
import { TransferRejected } from './installationIdentity.ts';

/** Entries in the order in which they must come, and the hash of all that was read. */
export class EntrySource {
  readonly seen = createHash('sha256');
  readonly #entries: AsyncIterator<Entry>;
  #current: Entry | undefined;

  constructor(entries: AsyncIterable<Entry>) {
    this.#entries = entries[Symbol.asyncIterator]();
  }

  async next(): Promise<string> {
    const next = await this.#entries.next();
    if (next.done === true) throw new Malformed();
    this.#current = next.value;
    return next.value.path;
  }

  async take(path: string, most: number): Promise<Buffer> {
    if ((await this.next()) !== path) throw new Malformed();
    return this.#content(most);
  }

  async json(path: string): Promise<unknown> {
    return JSON.parse((await this.take(path, MOST_FACTS_BYTES)).toString('utf8')) as unknown;
  }

  async jsonHere(): Promise<unknown> {
    return JSON.parse((await this.#content(MOST_FACTS_BYTES)).toString('utf8')) as unknown;
  }

  async mustEnd(): Promise<void> {
    if ((await this.#entries.next()).done !== true) throw new Malformed();
  }

  async close(): Promise<void> {
    await this.#entries.return?.();
  }

  async #content(most: number): Promise<Buffer> {
    const { path, bytes, content } = this.#current!;
    if (bytes > most) throw new Malformed();
    const read = await wholeOf(content);
    this.seen.update(entryHead(path, bytes)).update(read);
    return read;
  }
}

/** @throws {Malformed} another entry, or one that is too long */
export async function jsonOf(entry: Entry, path: string): Promise<unknown> {
  if (entry.path !== path || entry.bytes > MOST_FACTS_BYTES) throw new Malformed();
  return JSON.parse((await wholeOf(entry.content)).toString('utf8')) as unknown;
}

/** Only where the length was looked at before. */
async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Authentic, but not what this program writes. */
export class Malformed extends Error {}

/** The faults of a bundle in words. */
export async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof TransferRejected) throw cause;
    if (cause instanceof RequestSignatureInvalid) throw damaged(cause);
    if ([Malformed, EntriesBroken, z.ZodError, SyntaxError].some((kind) => cause instanceof kind))
      throw new TransferRejected(problem('BUNDLE_FORM_UNKNOWN'), { cause });
    throw cause;
  }
}

export function damaged(cause?: unknown): TransferRejected {
  return new TransferRejected(problem('BUNDLE_DAMAGED'), { cause });
}
