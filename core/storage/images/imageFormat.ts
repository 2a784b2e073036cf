/**
 * Layout of an image file: magic, version; 12-byte nonce; AES-256-GCM ciphertext; 16-byte tag. The magic and the
 * image's id are authenticated with it, so that files cannot be swapped.
 */
import { createDecipheriv, createSecretKey } from 'node:crypto';
import { LARGEST_IMAGE } from '../../contracts/limits/limits.ts';
import type { ImageId } from '../../contracts/ids.ts';
import { ImageDamaged } from '../../domain/ports/images.ts';

export const MAGIC = Buffer.from('VIMG\u0001', 'latin1');
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const MAX_FILE_BYTES = LARGEST_IMAGE + MAGIC.length + NONCE_BYTES + TAG_BYTES;

/** Whether the content of an image file is as it was written. */
export function isIntact(file: Buffer, id: ImageId, key: Uint8Array): boolean {
  try {
    decrypt(file, id, key);
    return true;
  } catch {
    return false;
  }
}

/** @returns the plain content @throws {ImageDamaged} */
export function decrypt(file: Buffer, id: ImageId, key: Uint8Array): Uint8Array {
  const start = MAGIC.length + NONCE_BYTES;
  if (file.length < start + TAG_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC))
    throw new ImageDamaged(`Image file ${id} is damaged.`);
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), file.subarray(MAGIC.length, start));
  decipher.setAAD(Buffer.concat([MAGIC, Buffer.from(id, 'latin1')]));
  decipher.setAuthTag(file.subarray(file.length - TAG_BYTES));
  const plain = decipher.update(file.subarray(start, file.length - TAG_BYTES));
  try {
    decipher.final();
  } catch (cause) {
    throw new ImageDamaged(`Image file ${id} is damaged.`, { cause });
  }
  return plain;
}
