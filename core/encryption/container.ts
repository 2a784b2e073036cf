/**
 * The format of files that leave an installation: a tar archive of files, then the list of their hashes (SHA256SUMS, which
 * `sha256sum -c` checks), then a manifest (JSON) that holds the hash of the list, then, where the receiver must know who made
 * it, an Ed25519 signature over the bytes of the manifest. The list is as long as the archive has files and is never parsed:
 * the reader compares its hash with that of the list that it makes itself, so that memory does not grow with the archive.
 */
import { createHash, sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { ArchiveBroken, packTar, readTar, type NewTarEntry } from './tar.ts';

export const MANIFEST = 'manifest.json';
export const SIGNATURE = 'manifest.json.sig';
const CHECKSUMS = 'SHA256SUMS';

/** Of an Ed25519 signature (RFC 8032). */
export const SIGNATURE_BYTES = 64;
/** Bound of every reader but that of backups: a manifest has a few hundred bytes. */
export const MAX_MANIFEST_BYTES = 64 * 1024;

/** A file as a manifest names it. */
export const manifestEntry = z.object({
  name: z.string(),
  /** Bytes. */
  size: z.number().int().min(0),
  /** Lowercase hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
/** Fields of every manifest. Each kind adds its own. */
export const manifestFields = z.object({
  /** The kind of the container, e.g. `vouch backup`. */
  kind: z.string(),
  /** Of the format of this kind, from 1. */
  version: z.number().int().positive(),
  /** A backup and a transfer package name their SHA256SUMS, an update its program. */
  entries: z.array(manifestEntry),
});

/** A file to write. */
export type NewFile =
  | { name: string; content: string | Uint8Array }
  /** @property size bytes of the content */
  | { name: string; size: number; content: AsyncIterable<Uint8Array> };

/** Readable by its owner alone where it is unpacked. */
const FILE_MODE = 0o600;

/**
 * Writes a container.
 * @param files read once, one at a time. Names are relative paths of letters, digits, `.`, `_`, `-` and `/`
 * @param options.about fields of the manifest; asked for when all files are written
 * @param options.at time of every file in the archive
 * @param options.signingKey Ed25519; absent: the container is not signed
 */
export function packContainer(
  files: AsyncIterable<NewFile>,
  options: { about: () => { kind: string; version: number }; at: Date; signingKey?: KeyObject },
): AsyncIterable<Uint8Array> {
  return packTar(containerEntries(files, options));
}

async function* containerEntries(
  files: AsyncIterable<NewFile>,
  { about, at, signingKey }: Parameters<typeof packContainer>[1],
): AsyncIterable<NewTarEntry> {
  const checksums = new Checksums();
  // About 100 bytes for each file, because the archive needs the length of the list before its first line.
  const lines: Buffer[] = [];
  for await (const file of files) {
    const hash = createHash('sha256');
    yield fileEntry(file, at, hashed(contentOf(file), hash));
    lines.push(Buffer.from(checksums.add(file.name, hash.digest('hex'))));
  }
  const list = checksums.entry();
  yield fileEntry({ name: list.name, content: Buffer.concat(lines) }, at);
  const manifest = Buffer.from(`${JSON.stringify({ ...about(), entries: [list] }, null, 2)}\n`);
  yield* signedManifest(manifest, at, signingKey);
}

/** The manifest and, with a key, its signature. */
export function* signedManifest(
  manifest: Uint8Array,
  at: Date,
  signingKey: KeyObject | undefined,
): Iterable<NewTarEntry> {
  yield fileEntry({ name: MANIFEST, content: manifest }, at);
  if (signingKey !== undefined)
    yield fileEntry({ name: SIGNATURE, content: sign(null, manifest, signingKey) }, at);
}

/** @param content instead of the file's own */
export function fileEntry(
  file: NewFile,
  at: Date,
  content: NewTarEntry['content'] = contentOf(file),
): NewTarEntry {
  const size = 'size' in file ? file.size : Buffer.byteLength(file.content);
  return { header: { name: file.name, size, mode: FILE_MODE, mtime: at }, content };
}

function contentOf({ content }: NewFile): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (typeof content === 'string') return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}

/** A file that is read. */
export interface ContainerFile {
  name: string;
  /** Bytes. */
  size: number;
  /** The unread rest is read when the next file is requested. */
  content: AsyncIterable<Uint8Array>;
}

/** The manifest of a container that was read to its end. */
export interface ReadManifest {
  /** Not yet parsed by the schema of its kind. */
  fields: unknown;
  /** @returns whether the container is signed with this key */
  isSignedBy(publicKey: KeyObject): boolean;
}

/** A manifest is larger than its reader accepts: JSON is parsed into values that are much larger than itself. */
export class ManifestTooLarge extends ArchiveBroken {
  override name = 'ManifestTooLarge';
}

/** Reads a container once. */
export class ContainerReader {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #maxManifestBytes: number;
  #manifest: { bytes: Buffer; fields: unknown } | undefined;
  #signature: Buffer | undefined;

  constructor(source: AsyncIterable<Uint8Array>, maxManifestBytes = MAX_MANIFEST_BYTES) {
    this.#source = source;
    this.#maxManifestBytes = maxManifestBytes;
  }

  /**
   * The files in their order. The iteration ends without an error only when the manifest was there and the files are those
   * that it names; a file may be used before that for what can be undone.
   * @throws {ArchiveBroken}
   */
  async *files(): AsyncIterable<ContainerFile> {
    const checksums = new Checksums();
    let list: z.infer<typeof manifestEntry> | undefined;
    for await (const { header, content } of readTar(this.#source)) {
      const { name, size, type } = header;
      if (type !== 'file') throw new ArchiveBroken(`${name} is not a file.`);
      if (this.#manifest !== undefined) {
        if (name !== SIGNATURE || this.#signature !== undefined || size !== SIGNATURE_BYTES)
          throw new ArchiveBroken(`${name} follows the manifest.`);
        this.#signature = await wholeOf(content);
      } else if (list !== undefined) {
        if (name !== MANIFEST) throw new ArchiveBroken(`${name} follows ${CHECKSUMS}.`);
        if (size > this.#maxManifestBytes) throw new ManifestTooLarge(`${MANIFEST} has ${size} bytes.`);
        this.#manifest = readManifest(await wholeOf(content), list);
      } else if (name === CHECKSUMS) {
        list = checksums.entry();
        const hash = createHash('sha256');
        for await (const piece of content) hash.update(piece);
        if (size !== list.size || hash.digest('hex') !== list.sha256)
          throw new ArchiveBroken(`The files are not those of ${CHECKSUMS}.`);
      } else {
        const hash = createHash('sha256');
        const pieces = hashed(content, hash)[Symbol.asyncIterator]();
        yield { name, size, content: { [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) } };
        while ((await pieces.next()).done !== true);
        checksums.add(name, hash.digest('hex'));
      }
    }
    if (this.#manifest === undefined) throw new ArchiveBroken(`The archive has no ${MANIFEST}.`);
  }

  /** When {@link files} came to its end. */
  get manifest(): ReadManifest {
    if (this.#manifest === undefined) throw new Error('The container was not read to its end.');
    const { bytes, fields } = this.#manifest;
    const signature = this.#signature;
    return {
      fields,
      isSignedBy: (publicKey) => signature !== undefined && verify(null, bytes, publicKey, signature),
    };
  }
}

function readManifest(
  bytes: Buffer,
  list: z.infer<typeof manifestEntry>,
): { bytes: Buffer; fields: unknown } {
  const fields = jsonOf(bytes);
  const parsed = manifestFields.safeParse(fields);
  if (!parsed.success) throw new ArchiveBroken(`${MANIFEST} is malformed.`, { cause: parsed.error });
  if (JSON.stringify(parsed.data.entries) !== JSON.stringify([list]))
    throw new ArchiveBroken(`The files are not those of ${MANIFEST}.`);
  return { bytes, fields };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new ArchiveBroken(`${MANIFEST} is malformed.`, { cause });
  }
}

/** A content of known length in one piece. */
export async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* hashed(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncIterable<Uint8Array> {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}

/** The hash of a SHA256SUMS, made line by line. */
class Checksums {
  readonly #hash = createHash('sha256');
  #size = 0;

  /** @returns the line */
  add(name: string, sha256: string): string {
    const line = `${sha256}  ${name}\n`;
    this.#hash.update(line);
    this.#size += Buffer.byteLength(line);
    return line;
  }

  entry(): z.infer<typeof manifestEntry> {
    return { name: CHECKSUMS, size: this.#size, sha256: this.#hash.copy().digest('hex') };
  }
}
