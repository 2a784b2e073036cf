/** Searches the pages of a database for pieces of what was erased, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ErasureResidue } from '../../domain/ports/erasure.ts';
import { openRaw } from '../engine/sqliteFile.ts';
import { createCipheriv } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { TEXT_COLUMNS } from '../faces/faces.ts';

// * The pages of an encrypted database as they are in clear, unused space included: what SQLite itself never shows.
// Format of SQLite3 Multiple Ciphers for `chacha20` with a raw key: the last 32 bytes of a page are a nonce (12), a
// counter (4) and a Poly1305 tag (16). The ChaCha20 stream at (counter XOR page number) gives a key for this page
// alone in its second half; with it, and the counter one higher, the page is encrypted but for the first 24 bytes of the file.

const RESERVED = 32;
const PLAIN_HEADER = 24;
/** Bytes of the first page that SQLite keeps zero (file format, 1.3). */
const ZEROS = { from: 72, to: 92 };
/** Pages that are read at once. */
const BATCH_SIZE = 256;

/** @param key the store key, 32 bytes @throws {Error} when the pages do not decrypt to a database */
async function* plainPages(file: string, key: Uint8Array): AsyncIterable<Buffer> {
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

const { file, key, traces } = workerData as { file: string; key: Uint8Array; traces: ErasureResidue };

/** Where people type, or name, something: a name that stands there is another's too. */
const TEXTS = [
  ['trust_validation', ['name', 'metadata', 'search_key']],
  ['face', ['name', ...TEXT_COLUMNS, 'search_key']],
  ['person', ['name', 'note', 'external_id', 'search_key']],
  ['person_decision', ['reason']],
  ['upload_item', ['file_name', 'person_name', 'person_external_id', 'unfixable_note', 'search_key']],
  ['enrolment_run', ['name']],
  ['screening_match', ['full_name', 'blacklist_name', ...TEXT_COLUMNS]],
  ['screening', ['facts']],
  ['validation_history', ['note']],
  ['comparison', ['template_id', 'verification_id']],
  ['blacklist', ['name', 'name_key', 'description']],
  ['trust_flow', ['name', 'draft']],
  ['trust_flow_version', ['settings', 'blacklist_names']],
  ['operator', ['name', 'name_key']],
  ['api_token', ['name']],
  ['hmac_key', ['name', 'user_id']],
  ['company', ['name', 'storage_folder']],
  ['trusted_installation', ['name', 'name_key']],
  ['blacklist_import', ['sender_name']],
  ['import_membership', ['name_before', 'name_after']],
] as const;

/** Of the very same photo, enrolled twice, the other one has the very same bytes. */
const BLOBS = [
  ['template', ['vector']],
  ['face_thumbnail', ['jpeg']],
] as const;

const pieces = new Set(traces.bytes.map((piece) => Buffer.from(piece)));
const names = new Set(traces.names.map((name) => Buffer.from(name)));
const onPages = { pieces: [] as Buffer[], names: [] as Buffer[] };
let pages = 0;
for await (const page of plainPages(file, key)) {
  pages += 1;
  move(page, pieces, onPages.pieces);
  move(page, names, onPages.names);
}

const db = openRaw(file, key, { readonly: true });
const sharedPieces = onPages.pieces.filter((piece) => standsInRows(BLOBS, piece)).length;
const sharedNames = onPages.names.filter((name) => standsInRows(TEXTS, name.toString())).length;
db.close();
parentPort?.postMessage({
  pages,
  found: onPages.pieces.length - sharedPieces + onPages.names.length - sharedNames,
  shared: sharedPieces + sharedNames,
});

/** A text that the page holds whole is not searched for across the boundary to the next page. */
function move(page: Buffer, sought: Set<Buffer>, found: Buffer[]): void {
  for (const piece of sought)
    if (page.includes(piece)) {
      found.push(piece);
      sought.delete(piece);
    }
}

function standsInRows(
  places: readonly (readonly [string, readonly string[]])[],
  value: string | Uint8Array,
): boolean {
  return places.some(([table, columns]) =>
    columns.some(
      (column) =>
        db.prepare(`select 1 from ${table} where instr(${column}, ?) > 0 limit 1`).all([value]).length > 0,
    ),
  );
}
