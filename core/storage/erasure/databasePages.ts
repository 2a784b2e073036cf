/**
 * The pages of an encrypted database as they are in clear, unused space included: what SQLite itself never shows.
 * Format of SQLite3 Multiple Ciphers for `chacha20` with a raw key: the last 32 bytes of a page are a nonce (12), a
 * counter (4) and a Poly1305 tag (16). The ChaCha20 stream at (counter XOR page number) gives a key for this page
 * alone in its second half; with it, and the counter one higher, the page is encrypted but for the first 24 bytes of the file.
 */
import { createCipheriv } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

const RESERVED = 32;
const PLAIN_HEADER = 24;
/** Bytes of the first page that SQLite keeps zero (file format, 1.3). */
const ZEROS = { from: 72, to: 92 };
/** Pages that are read at once. */
const BATCH_SIZE = 256;

/** @param key the store key, 32 bytes @throws {Error} when the pages do not decrypt to a database */
export async function* plainPages(file: string, key: Uint8Array): AsyncIterable<Buffer> {
  const handle = await open(file, 'r');
  try {
    const pageSize = await pageSizeOf(handle);
    const block = Buffer.alloc(pageSize * BATCH_SIZE);
    for (let number = 1; ;) {
      const { bytesRead } = await handle.read(block, 0, block.length, (number - 1) * pageSize);
      for (let at = 0; at + pageSize <= bytesRead; at += pageSize, number += 1) {
        const page = decryptPage(block.subarray(at, at + pageSize), number, key);
        if (number === 1 && !page.subarray(ZEROS.from, ZEROS.to).every((byte) => byte === 0))
          throw new Error('The pages of the database could not be decrypted.');
        yield page;
      }
      if (bytesRead < block.length) return;
    }
  } finally {
    await handle.close();
  }
}

/** The bytes 16 and 17 of the file are never encrypted. */
async function pageSizeOf(handle: FileHandle): Promise<number> {
  const header = Buffer.alloc(PLAIN_HEADER);
  await handle.read(header, 0, PLAIN_HEADER, 0);
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : Math.max(size, 512);
}

function decryptPage(page: Buffer, number: number, key: Uint8Array): Buffer {
  const end = page.length - RESERVED;
  const nonce = page.subarray(end, end + 12);
  const counter = (page.readUInt32LE(end + 12) ^ number) >>> 0;
  const pageKey = chacha20(key, nonce, counter, Buffer.alloc(64)).subarray(32);
  const from = number === 1 ? PLAIN_HEADER : 0;
  const plain = chacha20(pageKey, nonce, (counter + 1) >>> 0, page.subarray(from, end));
  return number === 1 ? Buffer.concat([page.subarray(0, from), plain]) : plain;
}

/** OpenSSL takes the counter and the nonce as one block (RFC 8439, 2.3). */
function chacha20(key: Uint8Array, nonce: Buffer, counter: number, data: Buffer): Buffer {
  const start = Buffer.alloc(4);
  start.writeUInt32LE(counter);
  return createCipheriv('chacha20', key, Buffer.concat([start, nonce])).update(data);
}
