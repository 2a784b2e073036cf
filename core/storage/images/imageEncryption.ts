import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { ImageId } from '../../contracts/ids.ts';
import { MAGIC, NONCE_BYTES } from './imageFormat.ts';

/** So much is gathered for one write; most photos of a bulk enrolment are smaller than this. */
const WRITE_BYTES = 1 << 18;

/** Encrypts an image as it arrives. Its facts are known once the content was read to its end. */
export class ImageEncryption {
  readonly key = randomBytes(32);
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #bytes = 0;
  #sha256 = '';

  constructor(id: ImageId, content: AsyncIterable<Uint8Array>) {
    this.#chunks = this.#encrypt(id, content);
  }

  get facts(): { key: Uint8Array; bytes: number; sha256: string } {
    return { key: this.key, bytes: this.#bytes, sha256: this.#sha256 };
  }

  /** The next part of the file. @throws what the content throws */
  async next(): Promise<{ part: Uint8Array[]; last: boolean }> {
    const part: Uint8Array[] = [];
    for (let bytes = 0; bytes < WRITE_BYTES;) {
      const next = await this.#chunks.next();
      if (next.done === true) return { part, last: true };
      part.push(next.value);
      bytes += next.value.length;
    }
    return { part, last: false };
  }

  async *#encrypt(id: ImageId, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    cipher.setAAD(Buffer.concat([MAGIC, Buffer.from(id, 'latin1')]));
    const hash = createHash('sha256');
    yield MAGIC;
    yield nonce;
    for await (const chunk of content) {
      hash.update(chunk);
      this.#bytes += chunk.length;
      yield cipher.update(chunk);
    }
    yield cipher.final();
    yield cipher.getAuthTag();
    this.#sha256 = hash.digest('hex');
  }
}
