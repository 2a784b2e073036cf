/**
 * Encryption of the columns of bytes in PostgreSQL: templates, thumbnails, image keys, secrets and their digests. The server,
 * its log, its standbys and its backups have the ciphertext alone; the key stays with the service.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals and opens values of bytes. */
export class ColumnSeal {
  readonly #encryption: Buffer;
  readonly #nonces: Buffer;

  /** @param key the store key, 32 bytes */
  constructor(key: Uint8Array) {
    if (key.length !== 32) throw new RangeError('The store key must have 32 bytes.');
    const derive = (purpose: string) =>
      Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `vouch/postgres/${purpose}`, 32));
    this.#encryption = derive('columns');
    this.#nonces = derive('nonces');
  }

  /**
   * AES-256-GCM. The nonce is a keyed digest of the value: equal values have equal ciphertexts, so that unique indexes and
   * searches for a digest work. Two of a billion values share a nonce with a probability of less than 2^-36.
   * @returns nonce, ciphertext, tag
   */
  seal(plain: Uint8Array): Buffer {
    const nonce = createHmac('sha256', this.#nonces).update(plain).digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#encryption, nonce);
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws {Error} for bytes that another key sealed, or that were changed. @returns bytes of their own memory */
  open(sealed: Uint8Array): Uint8Array {
    if (sealed.length < NONCE_BYTES + TAG_BYTES)
      throw new Error('A sealed value of the database is too short.');
    const end = sealed.length - TAG_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', this.#encryption, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(end));
    return new Uint8Array(
      Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]),
    );
  }
}
