/** Tar archives (POSIX ustar, with pax headers where a name or size needs one) as streams. */
import { createTarPacker, type TarHeader, type TarPackController } from 'modern-tar';

/** An entry to write; folders and links have no content. */
export interface NewTarEntry {
  header: TarHeader;
  content?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** An entry that was read. */
export interface TarEntry {
  header: TarHeader;
  /** The unread rest is skipped when the next entry is requested. */
  content: AsyncIterable<Uint8Array>;
}

/** A stream is not a whole tar archive, or the archive is not as its manifest says. */
export class ArchiveBroken extends Error {
  override name = 'ArchiveBroken';
}

/**
 * Writes entries one after another. An archive that is not read to its end closes the entries before it ends.
 * @param entries read once, each when the one before it is written; an error in them is the error of the archive
 */
export async function* packTar(
  entries: AsyncIterable<NewTarEntry> | Iterable<NewTarEntry>,
): AsyncIterable<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const writing = writeEntries(controller, entries).catch((cause: unknown) => {
    controller.error(cause);
  });
  try {
    yield* readable;
  } finally {
    await writing;
  }
}

async function writeEntries(
  controller: TarPackController,
  entries: AsyncIterable<NewTarEntry> | Iterable<NewTarEntry>,
): Promise<void> {
  for await (const { header, content = [] } of entries) {
    const body = controller.add(header).getWriter();
    for await (const piece of content) await body.write(piece);
    await body.close();
  }
  controller.finalize();
}

/**
 * Reads the entries of an archive that {@link packTar} could have written. Checksums, the two blocks at its end and nothing
 * but zeros after them are required. The archive may come from an attacker, so that the only records before an entry are one
 * short pax header: `modern-tar` accepts 8 MiB of records, which it reads in a time that grows with their square.
 * @param source closed when the reading ends, wherever it ends; its errors are thrown as they are
 * @throws {ArchiveBroken}
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncIterable<TarEntry> {
  const bytes = new ByteReader(source);
  try {
    for (let header = await readHeader(bytes); header !== undefined; header = await readHeader(bytes)) {
      const content = bytes.next(header.size);
      yield { header, content };
      for await (const _rest of content);
      for await (const _padding of bytes.next(paddingOf(header.size)));
    }
  } finally {
    await bytes.close();
  }
}

const BLOCK_BYTES = 512;
/** The longest names of an installation have 250 bytes. */
const MAX_RECORDS_BYTES = 4096;
const LENGTH_DIGITS = String(MAX_RECORDS_BYTES).length;
const RECORDS_TYPE = 'x';
const ENTRY_TYPES = new Map<string, NonNullable<TarHeader['type']>>([
  ['0', 'file'],
  ['1', 'link'],
  ['2', 'symlink'],
  ['3', 'character-device'],
  ['4', 'block-device'],
  ['5', 'directory'],
  ['6', 'fifo'],
]);

/** @returns undefined: the archive ends here */
async function readHeader(bytes: ByteReader): Promise<TarHeader | undefined> {
  const first = await bytes.take(BLOCK_BYTES);
  if (isZero(first)) {
    await requireEnd(bytes);
    return undefined;
  }
  if (typeOf(first) !== RECORDS_TYPE) return headerOf(first, new Map());
  const size = sizeOf(first);
  if (size > MAX_RECORDS_BYTES) throw malformed();
  const records = recordsOf((await bytes.take(size + paddingOf(size))).subarray(0, size));
  return headerOf(await bytes.take(BLOCK_BYTES), records);
}

async function requireEnd(bytes: ByteReader): Promise<void> {
  if (!isZero(await bytes.take(BLOCK_BYTES))) throw malformed();
  for await (const piece of bytes.rest()) if (!isZero(piece)) throw malformed();
}

function headerOf(block: Buffer, records: ReadonlyMap<string, string>): TarHeader {
  const type = ENTRY_TYPES.get(typeOf(block));
  if (type === undefined) throw malformed();
  const prefix = textOf(block, 345, 155);
  const name = textOf(block, 0, 100);
  const size = records.get('size');
  return {
    type,
    name: records.get('path') ?? (prefix === '' ? name : `${prefix}/${name}`),
    linkname: records.get('linkpath') ?? textOf(block, 157, 100),
    size: type === 'file' ? (size === undefined ? sizeOf(block) : decimal(size)) : 0,
    mode: octal(block, 100, 8),
    mtime: new Date(octal(block, 136, 12) * 1000),
  };
}

/** @returns the type flag of a block whose checksum is right */
function typeOf(block: Buffer): string {
  const ofChecksum = block.subarray(148, 156).reduce((sum, byte) => sum + byte - BLANK, 0);
  const sum = block.reduce((total, byte) => total + byte, 0) - ofChecksum;
  if (octal(block, 148, 8) !== sum || textOf(block, 257, 6) !== 'ustar') throw malformed();
  return String.fromCharCode(block[156]!);
}

/** The bytes of a checksum count as blanks in it. */
const BLANK = 0x20;

function sizeOf(block: Buffer): number {
  return octal(block, 124, 12);
}

/** Records of a pax header: `<length of the record> <key>=<value>\n`. */
function recordsOf(bytes: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const length = decimal(bytes.toString('latin1', at, at + LENGTH_DIGITS + 1).split(' ', 1)[0]!);
    const record = /^\d+ ([^=]+)=([^\0]*)\n$/.exec(bytes.toString('utf8', at, at + length));
    if (record === null || at + length > bytes.length) throw malformed();
    records.set(record[1]!, record[2]!);
    at += length;
  }
  return records;
}

function decimal(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw malformed();
  return number;
}

function octal(block: Buffer, at: number, length: number): number {
  const digits = /^ *([0-7]*)[ \0]*$/.exec(block.toString('latin1', at, at + length))?.[1];
  if (digits === undefined) throw malformed();
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** @returns the text before the first NUL */
function textOf(block: Buffer, at: number, length: number): string {
  const text = block.toString('utf8', at, at + length);
  return text.split('\0', 1)[0]!;
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function paddingOf(size: number): number {
  return -size & (BLOCK_BYTES - 1);
}

function malformed(): ArchiveBroken {
  return new ArchiveBroken('The archive is cut off or malformed.');
}

/** Reads a stream by numbers of bytes. */
class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** @throws {ArchiveBroken} the source has fewer */
  async take(bytes: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.next(bytes)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** @returns exactly so many bytes; a second iteration gives those that the first one left. @throws {ArchiveBroken} fewer */
  next(bytes: number): AsyncIterable<Uint8Array> {
    let left = bytes;
    const some = () => this.#some(left);
    return {
      async *[Symbol.asyncIterator]() {
        while (left > 0) {
          const piece = await some();
          if (piece === undefined) throw malformed();
          left -= piece.length;
          yield piece;
        }
      },
    };
  }

  async *rest(): AsyncIterable<Uint8Array> {
    for (;;) {
      const piece = await this.#some(Infinity);
      if (piece === undefined) return;
      yield piece;
    }
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  /** @returns from one byte to `most`; undefined: the source ends here */
  async #some(most: number): Promise<Uint8Array | undefined> {
    while (this.#held.length === 0) {
      const next = await this.#pieces.next();
      if (next.done === true) return undefined;
      this.#held = next.value;
    }
    const piece = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(piece.length);
    return piece;
  }
}
