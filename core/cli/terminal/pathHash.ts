import { createHash, createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SentPhoto } from '../../contracts/journals.ts';
import { keyIn, writeNewKey } from '../../storage/engine/home.ts';
import { openPhoto } from '../../storage/images/photoFolders.ts';

/**
 * The names that the journals of `vouch enroll` and `vouch watch` use: hashes of a photo's path and of its content with a
 * key of this home, so that no file name and no plain hash of a face stands outside the database. The key is in no backup.
 */
export class PhotoNames {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** The names of a home. Its key is created at first use, readable by this account only. */
  static of(home: string): PhotoNames {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const file = join(home, 'journals.key');
    return new PhotoNames(keyIn(file) ?? writeNewKey(file));
  }

  /** @param path relative to the folder that is enrolled, with forward slashes @returns 32 hexadecimal digits */
  nameOf(path: string): string {
    return this.#hash(path);
  }

  /**
   * Reads a photo to its end.
   * @param root the folder @returns undefined: the file is gone, is no file, or cannot be read
   */
  async stateOf(root: string, path: string): Promise<SentPhoto | undefined> {
    const handle = await openPhoto(join(root, path));
    if (handle === undefined) return undefined;
    try {
      const { size: bytes, mtimeMs: modified } = await handle.stat();
      const hash = createHash('sha256');
      for await (const part of handle.createReadStream({ autoClose: false })) hash.update(part as Buffer);
      return { photo: this.nameOf(path), bytes, modified, content: this.#hash(hash.digest()) };
    } finally {
      await handle.close();
    }
  }

  /** Whether the file is still the photo that was sent. It is read only where its time differs. */
  async isSame(root: string, { path, ...now }: PhotoAtPath, was: SentPhoto): Promise<boolean> {
    if (now.bytes !== was.bytes) return false;
    return now.modified === was.modified || (await this.stateOf(root, path))?.content === was.content;
  }

  #hash(data: string | Uint8Array): string {
    return createHmac('sha256', this.#key).update(data).digest('hex').slice(0, 32);
  }
}

type PhotoAtPath = Pick<SentPhoto, 'bytes' | 'modified'> & { path: string };
