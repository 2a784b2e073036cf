/**
 * Files in the age format, version 1 (https://c2sp.org/age), encrypted to one X25519 key. `age -d` reads what this module
 * writes. Both directions work on streams: ChaCha20-Poly1305 in chunks of 64 KiB whose nonces carry the number of the chunk
 * and whether it is the last one, so that a changed, moved, missing or added chunk and a missing end are all detected.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { KEY_BYTES, rawPublicKey, x25519PublicKey } from './keys.ts';

const VERSION_LINE = 'age-encryption.org/v1';
const CIPHER = 'chacha20-poly1305';
const FILE_KEY_BYTES = 16;
const PAYLOAD_NONCE_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
/** Longest line of base64 in a header; a shorter one ends the body of a stanza. */
const BODY_COLUMNS = 64;
/** Bound of this reader: the headers that Vouch writes have about 300 bytes. */
const MAX_HEADER_BYTES = 16 * 1024;

/** The file does not begin like an age file of version 1. */
export class NotAgeFile extends Error {
  override name = 'NotAgeFile';
}

/** An age file that was changed or cut off, or whose key is another one. */
export class DecryptionFailed extends Error {
  override name = 'DecryptionFailed';
}

/** A part of the header: its type, its arguments, and for a recipient the wrapped file key. */
interface Stanza {
  args: readonly string[];
  body: Uint8Array;
}

/**
 * Encrypts a stream.
 * @param recipient X25519 public key, 32 raw bytes
 * @param label type and arguments of a stanza that names the kind of file before decryption. It is not secret,
 *   and it is authenticated; other age programs ignore it. Printable ASCII without blanks
 * @returns the encrypted stream, and the key of this file alone (16 bytes), with which its writer can read it back
 */
export function encryptAge(
  recipient: Uint8Array,
  label: readonly string[],
  content: AsyncIterable<Uint8Array>,
): { fileKey: Uint8Array; content: AsyncIterable<Uint8Array> } {
  const fileKey = randomBytes(FILE_KEY_BYTES);
  const header = headerOf(fileKey, [{ args: label, body: new Uint8Array() }, wrap(fileKey, recipient)]);
  return { fileKey, content: encrypted(header, fileKey, content) };
}

/** An age file whose header was read. */
export interface AgeFile {
  /** @returns the arguments of the first stanza of this type; undefined: the header has none. Authenticated by `decrypt` */
  label(type: string): readonly string[] | undefined;
  /** @returns the file key; undefined: the file is not encrypted to this key. @throws {DecryptionFailed} */
  unwrap(privateKey: KeyObject): Uint8Array | undefined;
  /** Once. Every byte is authenticated before it is given. @throws {DecryptionFailed} */
  decrypt(fileKey: Uint8Array): AsyncIterable<Uint8Array>;
  /** Closes the source where the content is not read to its end. */
  close(): Promise<void>;
}

/**
 * Reads the header of an age file.
 * @param source the file from its first byte; closed when this function throws
 * @throws {NotAgeFile} @throws {DecryptionFailed} the header is cut off or malformed
 */
export async function openAge(source: AsyncIterable<Uint8Array>): Promise<AgeFile> {
  const reader = new LineReader(source);
  try {
    const { stanzas, signed, mac } = await readHeader(reader);
    return {
      label: (type) => stanzas.find(({ args }) => args[0] === type)?.args.slice(1),
      unwrap: (privateKey) => unwrap(stanzas, privateKey),
      decrypt: (fileKey) => decrypted(reader, fileKey, { signed, mac }),
      close: () => reader.close(),
    };
  } catch (cause) {
    await reader.close();
    throw cause;
  }
}

function headerOf(fileKey: Uint8Array, stanzas: readonly Stanza[]): Buffer {
  const lines = stanzas.flatMap(({ args, body }) => [`-> ${args.join(' ')}`, ...bodyLines(body)]);
  const signed = [VERSION_LINE, ...lines, '---'].join('\n');
  return Buffer.from(`${signed} ${base64(macOf(fileKey, signed))}\n`, 'latin1');
}

/** The last line is always shorter than a full one, so that it ends the body. */
function bodyLines(body: Uint8Array): string[] {
  const text = base64(body);
  const lines: string[] = [];
  for (let at = 0; at <= text.length; at += BODY_COLUMNS) lines.push(text.slice(at, at + BODY_COLUMNS));
  return lines;
}

function wrap(fileKey: Uint8Array, recipient: Uint8Array): Stanza {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const share = rawPublicKey(publicKey);
  const shared = diffieHellman({ privateKey, publicKey: x25519PublicKey(recipient) });
  const key = wrapKey(shared, share, recipient);
  const body = Buffer.concat(encryptChunk(key, Buffer.alloc(NONCE_BYTES), [fileKey]));
  return { args: ['X25519', base64(share)], body };
}

function unwrap(stanzas: readonly Stanza[], privateKey: KeyObject): Uint8Array | undefined {
  const recipient = rawPublicKey(createPublicKey(privateKey));
  for (const { args, body } of stanzas) {
    const [type, text, ...more] = args;
    if (type !== 'X25519') continue;
    const share = text === undefined ? undefined : fromBase64(text);
    if (share?.length !== KEY_BYTES || more.length > 0 || body.length !== FILE_KEY_BYTES + TAG_BYTES)
      throw new DecryptionFailed('A recipient of the header is malformed.');
    const key = wrapKey(sharedSecret(privateKey, share), share, recipient);
    const wrapped = { pieces: [body], bytes: body.length };
    const fileKey = decryptChunk(key, Buffer.alloc(NONCE_BYTES), wrapped);
    if (fileKey !== undefined) return Buffer.concat(fileKey);
  }
  return undefined;
}

/** @throws {DecryptionFailed} the share is a point of low order, which no age program writes */
function sharedSecret(privateKey: KeyObject, share: Uint8Array): Uint8Array {
  try {
    return diffieHellman({ privateKey, publicKey: x25519PublicKey(share) });
  } catch (cause) {
    throw new DecryptionFailed('A recipient of the header is malformed.', { cause });
  }
}

function wrapKey(shared: Uint8Array, share: Uint8Array, recipient: Uint8Array): Uint8Array {
  return hkdf(shared, Buffer.concat([share, recipient]), `${VERSION_LINE}/X25519`);
}

function macOf(fileKey: Uint8Array, signed: string): Buffer {
  return createHmac('sha256', hkdf(fileKey, new Uint8Array(), 'header'))
    .update(signed, 'latin1')
    .digest();
}

function hkdf(secret: Uint8Array, salt: Uint8Array, info: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, info, KEY_BYTES));
}

interface Header {
  stanzas: Stanza[];
  /** The bytes that the MAC covers. */
  signed: string;
  mac: Uint8Array;
}

async function readHeader(reader: LineReader): Promise<Header> {
  if ((await reader.line()) !== VERSION_LINE) throw new NotAgeFile('The file is not an age file.');
  const read = [VERSION_LINE];
  const stanzas: Stanza[] = [];
  const next = async () => {
    const line = await reader.line();
    if (line === undefined) throw new DecryptionFailed('The header is cut off.');
    return line;
  };
  for (;;) {
    const line = await next();
    const mac = /^--- (\S+)$/.exec(line)?.[1];
    if (mac !== undefined) return { stanzas, signed: [...read, '---'].join('\n'), mac: canonical(mac) };
    const args = /^-> ([!-~]+(?: [!-~]+)*)$/.exec(line)?.[1]?.split(' ');
    if (args === undefined) throw new DecryptionFailed('The header is malformed.');
    read.push(line);
    const body: string[] = [];
    do {
      body.push(await next());
    } while (body.at(-1)!.length === BODY_COLUMNS);
    read.push(...body);
    stanzas.push({ args, body: canonical(body.join('')) });
  }
}

async function* encrypted(
  header: Uint8Array,
  fileKey: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const nonce = randomBytes(PAYLOAD_NONCE_BYTES);
  yield Buffer.concat([header, nonce]);
  const key = hkdf(fileKey, nonce, 'payload');
  let number = 0;
  for await (const chunks of inChunks(content, CHUNK_BYTES))
    yield Buffer.concat(
      chunks.flatMap(({ pieces, last }) => encryptChunk(key, chunkNonce(number++, last), pieces)),
    );
}

async function* decrypted(
  reader: LineReader,
  fileKey: Uint8Array,
  { signed, mac }: Pick<Header, 'signed' | 'mac'>,
): AsyncIterable<Uint8Array> {
  try {
    const expected = macOf(fileKey, signed);
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
      throw new DecryptionFailed('The header was changed, or the key is another one.');
    const nonce = await reader.take(PAYLOAD_NONCE_BYTES);
    if (nonce === undefined) throw new DecryptionFailed('The file ends after its header.');
    const key = hkdf(fileKey, nonce, 'payload');
    let number = 0;
    for await (const chunks of inChunks(reader.rest(), CHUNK_BYTES + TAG_BYTES))
      for (const { pieces, bytes, last } of chunks) {
        const plain = decryptChunk(key, chunkNonce(number, last), { pieces, bytes });
        if (plain === undefined)
          throw new DecryptionFailed('The content was changed or cut off, or the key is another one.');
        // Only the whole content may be empty: else an empty end could be added to it.
        if (bytes === TAG_BYTES && number > 0) throw new DecryptionFailed('The content has an empty end.');
        number += 1;
        yield* plain;
      }
  } finally {
    await reader.close();
  }
}

function encryptChunk(key: Uint8Array, nonce: Uint8Array, pieces: readonly Uint8Array[]): Buffer[] {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const cipherText = pieces.map((piece) => cipher.update(piece));
  // Empty for this cipher, but it ends the computation of the tag.
  cipher.final();
  return [...cipherText, cipher.getAuthTag()];
}

/** @returns undefined: it was changed, or encrypted with another key or nonce */
function decryptChunk(
  key: Uint8Array,
  nonce: Uint8Array,
  { pieces, bytes }: Pick<Chunk, 'pieces' | 'bytes'>,
): Buffer[] | undefined {
  if (bytes < TAG_BYTES) return undefined;
  const [content, tag] = splitAt(pieces, bytes - TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(Buffer.concat(tag));
  const plain = content.map((piece) => decipher.update(piece));
  try {
    decipher.final();
  } catch {
    // The only reason of `final` is a wrong tag.
    return undefined;
  }
  return plain;
}

/** Eleven bytes of the chunk's number, and one that marks the last chunk. */
function chunkNonce(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, NONCE_BYTES - 1 - 6, 6);
  nonce[NONCE_BYTES - 1] = last ? 1 : 0;
  return nonce;
}

/** A chunk in the pieces in which it came, so that it need not be copied together. */
interface Chunk {
  pieces: Uint8Array[];
  bytes: number;
  last: boolean;
}

/**
 * The same bytes in chunks, as many at once as are whole. Exactly one chunk is the last, the only one that may be shorter, or
 * empty where there is no content at all.
 */
async function* inChunks(
  content: AsyncIterable<Uint8Array>,
  chunkBytes: number,
): AsyncIterable<readonly Chunk[]> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const piece of content) {
    held.push(piece);
    heldBytes += piece.length;
    const chunks: Chunk[] = [];
    // One byte more than a chunk is needed to know that the chunk is not the last one.
    while (heldBytes > chunkBytes) {
      const [pieces, rest] = splitAt(held, chunkBytes);
      chunks.push({ pieces, bytes: chunkBytes, last: false });
      held = rest;
      heldBytes -= chunkBytes;
    }
    if (chunks.length > 0) yield chunks;
  }
  yield [{ pieces: held, bytes: heldBytes, last: true }];
}

/** @returns the first `bytes` of the pieces, and the others, without copying them */
function splitAt(pieces: readonly Uint8Array[], bytes: number): [Uint8Array[], Uint8Array[]] {
  let left = bytes;
  const index = pieces.findIndex((piece) => {
    if (piece.length > left) return true;
    left -= piece.length;
    return false;
  });
  const cut = pieces[index];
  if (cut === undefined) return [[...pieces], []];
  const rest = [cut.subarray(left), ...pieces.slice(index + 1)];
  return [left === 0 ? pieces.slice(0, index) : [...pieces.slice(0, index), cut.subarray(0, left)], rest];
}

/** age writes base64 without padding. */
function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}

/** @returns undefined: not what `base64` writes */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return base64(bytes) === text ? bytes : undefined;
}

function canonical(text: string): Buffer {
  const bytes = fromBase64(text);
  if (bytes === undefined) throw new DecryptionFailed('The header is malformed.');
  return bytes;
}

/** Lines of a header, then the bytes after it. */
class LineReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held = Buffer.alloc(0);
  #headerBytes = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** @returns the next line without its end; undefined: the source ends before it, or the header is too long */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#held.indexOf(0x0a);
      if (end >= 0) {
        const line = this.#held.toString('latin1', 0, end);
        this.#held = this.#held.subarray(end + 1);
        this.#headerBytes += end + 1;
        return this.#headerBytes > MAX_HEADER_BYTES ? undefined : line;
      }
      if (this.#headerBytes + this.#held.length > MAX_HEADER_BYTES || !(await this.#more())) return undefined;
    }
  }

  /** @returns exactly so many bytes; undefined: the source has fewer */
  async take(bytes: number): Promise<Buffer | undefined> {
    while (this.#held.length < bytes) if (!(await this.#more())) return undefined;
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    return taken;
  }

  async *rest(): AsyncIterable<Uint8Array> {
    if (this.#held.length > 0) yield this.#held;
    for (let next = await this.#pieces.next(); next.done !== true; next = await this.#pieces.next())
      yield next.value;
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #more(): Promise<boolean> {
    const next = await this.#pieces.next();
    if (next.done === true) return false;
    this.#held = Buffer.concat([this.#held, next.value]);
    return true;
  }
}
