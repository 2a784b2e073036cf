/**
 * Content of any length, encrypted and authenticated in chunks, so that it is read and written without being held:
 * AES-256-GCM per chunk; the nonce is the chunk's number and whether it is the last one. So a chunk that was changed,
 * moved, left out or added, and an end that was cut off, are all noticed (the STREAM construction of Hoang, Reyhanitabar,
 * Rogaway and Vizár, 2015). A key must be used for one content only.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';

const CHUNK_BYTES = 256 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

/** The content is not what was sealed, or the key is another one. */
export class RequestSignatureInvalid extends Error {
  override name = 'SealBroken';
}

/** @param context authenticated with every chunk, e.g. the header that stands before the stream */
export async function* sealStream(
  content: AsyncIterable<Uint8Array>,
  key: Uint8Array,
  context: Uint8Array,
): AsyncIterable<Uint8Array> {
  let number = 0;
  for await (const { piece, last } of inPieces(content, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, last));
    cipher.setAAD(context);
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  }
}

/** @throws {RequestSignatureInvalid} at the first chunk that is not as it was sealed; what came before it was. */
export async function* unsealStream(
  sealed: AsyncIterable<Uint8Array>,
  key: Uint8Array,
  context: Uint8Array,
): AsyncIterable<Uint8Array> {
  let number = 0;
  for await (const { piece, last } of inPieces(sealed, CHUNK_BYTES + TAG_BYTES)) {
    if (piece.length < TAG_BYTES) throw new RequestSignatureInvalid('The content ends too early.');
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number++, last));
    decipher.setAAD(context);
    decipher.setAuthTag(piece.subarray(piece.length - TAG_BYTES));
    const plain = decipher.update(piece.subarray(0, piece.length - TAG_BYTES));
    try {
      decipher.final();
    } catch (cause) {
      throw new RequestSignatureInvalid('The content was changed or cut, or the key is another one.', {
        cause,
      });
    }
    yield plain;
  }
}

function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, NONCE_BYTES - 1 - 6, 6);
  nonce[NONCE_BYTES - 1] = last ? 1 : 0;
  return nonce;
}

/** The same bytes in pieces of `size`; exactly one is the last, the only one that may be shorter (or empty). */
async function* inPieces(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncIterable<{ piece: Buffer; last: boolean }> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of content) {
    held.push(chunk);
    heldBytes += chunk.length;
    // One byte more than a piece: only then it is known that the piece is not the last.
    if (heldBytes <= size) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; all.length - at > size; at += size) yield { piece: all.subarray(at, at + size), last: false };
    held = [all.subarray(at)];
    heldBytes = all.length - at;
  }
  yield { piece: Buffer.concat(held), last: true };
}
