/** The file of one new image: encrypted while it arrives, durable in the end, or gone. */
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasSystemCode } from '../../contracts/errors/systemCode.ts';
import type { ImageId } from '../../contracts/ids.ts';
import { syncFolder, writeAll } from '../engine/fsync.ts';
import { MAGIC, NONCE_BYTES } from './imageFormat.ts';

/** So much is gathered for one trip to the disk; most photos of a bulk enrolment are smaller than this. */
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

export class NewImageFile {
  readonly path: string;
  #handle: FileHandle | undefined;

  constructor(path: string) {
    this.path = path;
  }

  async append(part: readonly Uint8Array[]): Promise<void> {
    this.#handle ??= await createFile(this.path);
    await writeAll(this.#handle, part);
  }

  /** Waits until the disk has the content. The name is durable when its folder is. */
  async sync(): Promise<void> {
    await this.#handle?.datasync();
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** Removes what there is of the file. In a folder that is gone none remains; a later sweep removes what this cannot. */
  async remove(): Promise<void> {
    await this.#handle?.close().catch(() => undefined);
    await rm(this.path, { force: true }).catch(() => undefined);
  }
}

/** Creates a file that its owner alone may read, and its shelf where it is the first on it; never the folder itself. */
async function createFile(path: string): Promise<FileHandle> {
  const create = () => open(path, 'wx', 0o600);
  try {
    return await create();
  } catch (cause) {
    if (!hasSystemCode(cause, 'ENOENT')) throw cause;
    const shelf = dirname(path);
    for (const folder of [dirname(shelf), shelf])
      // A new folder's name is durable when the folder around it is.
      if (await makeFolder(folder)) await syncFolder(dirname(folder));
    return create();
  }
}

/** @returns false: it is there already */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (cause) {
    if (hasSystemCode(cause, 'EEXIST')) return false;
    throw cause;
  }
}
