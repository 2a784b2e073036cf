/** Files one after another in a stream: a 32-bit length, that many bytes of JSON head, the content. */
import { z } from 'zod';

/** Authentic perhaps, but not entries one after another. */
export class EntriesBroken extends Error {
  override name = 'EntriesBroken';
}

const head = z.object({ path: z.string(), bytes: z.number().int().min(0) });
/** A head is a path and a number: anything longer is no head. */
const MOST_HEAD_BYTES = 4096;

export function entryHead(path: string, bytes: number): Buffer {
  const json = Buffer.from(JSON.stringify({ path, bytes }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

export interface Entry {
  path: string;
  bytes: number;
  /** Must be read to its end before the next entry. */
  content: AsyncIterable<Uint8Array>;
}

/** @throws {EntriesBroken} when the stream does not end where an entry ends */
export async function* readEntries(stream: AsyncIterable<Uint8Array>): AsyncIterable<Entry> {
  const reader = new Reader(stream);
  try {
    for (;;) {
      const prefix = await reader.take(4);
      if (prefix === undefined) return;
      const length = prefix.readUInt32BE();
      if (length > MOST_HEAD_BYTES) throw new EntriesBroken('An entry of the bundle has no head.');
      const json = await reader.take(length);
      const { path, bytes } = head.parse(JSON.parse(json?.toString('utf8') ?? ''));
      yield { path, bytes, content: reader.stream(bytes) };
    }
  } finally {
    await reader.close();
  }
}

class Reader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Whoever stops early lets the stream end, and its file be closed. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Exactly that many bytes; undefined at the end of the stream. */
  async take(bytes: number): Promise<Buffer | undefined> {
    while (this.#held.length < bytes) {
      const next = await this.#chunks.next();
      if (next.done === true) {
        if (this.#held.length === 0) return undefined;
        throw new EntriesBroken('The bundle ends inside an entry.');
      }
      this.#held = Buffer.concat([this.#held, next.value]);
    }
    return this.#cut(bytes);
  }

  async *stream(bytes: number): AsyncIterable<Uint8Array> {
    for (let left = bytes; left > 0;) {
      const piece = await this.#some(left);
      left -= piece.length;
      yield piece;
    }
  }

  async #some(most: number): Promise<Buffer> {
    while (this.#held.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new EntriesBroken('The bundle ends inside an entry.');
      this.#held = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
    return this.#cut(Math.min(most, this.#held.length));
  }

  #cut(bytes: number): Buffer {
    const piece = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    return piece;
  }
}
