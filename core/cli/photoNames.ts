import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { keyIn, writeNewKey } from '../storage/index.ts';

/**
 * How the journals of `vouch enroll` and `vouch watch` name a photo: by a hash of its path with a key of this home, so that
 * a file name stands nowhere outside the database. The key is in no backup.
 */
export class PhotoNames {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Of a home; its key is made at first use, readable by the owner alone. */
  static of(home: string): PhotoNames {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const file = join(home, 'journals.key');
    return new PhotoNames(keyIn(file) ?? writeNewKey(file));
  }

  /** @param path relative to the folder that is enrolled, with forward slashes @returns 32 hexadecimal digits */
  nameOf(path: string): string {
    return createHmac('sha256', this.#key).update(path).digest('hex').slice(0, 32);
  }
}
