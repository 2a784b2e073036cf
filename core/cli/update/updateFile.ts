/**
 * An update on a stick: a tar archive of a manifest, the publisher's signature over it, and the program (.tar.gz) that the
 * manifest names with its hash. The signature comes first, because nothing else of the file is used before it was verified.
 * An update is not encrypted: the program is public, and its signature shows that it was not changed.
 */
import { createHash, randomUUID, verify, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  MANIFEST,
  manifestEntry,
  manifestFields,
  MAX_MANIFEST_BYTES,
  SIGNATURE,
  SIGNATURE_BYTES,
  wholeOf,
} from '../../encryption/container.ts';
import { ed25519PublicKey, KEY_BYTES, rawPublicKey } from '../../encryption/keys.ts';
import { ArchiveBroken, readTar, type TarEntry } from '../../encryption/tar.ts';
import { isFullDisk, writeAll } from '../../storage/engine/fsync.ts';
import { reasonOf } from '../terminal/inputFile.ts';
import { CliError, EXIT } from '../terminal/output.ts';

export const KIND = 'vouch update';
export const FORMAT = 1;
const READ_BYTES = 1 << 20;

export const updateManifest = manifestFields.extend({
  kind: z.literal(KIND),
  version: z.literal(FORMAT),
  /** Version of the program, major.minor.patch. */
  release: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** As Node names them, e.g. linux-x64. */
  platform: z.string(),
  /** The program. */
  entries: z.tuple([manifestEntry]),
});
export type UpdateManifest = z.infer<typeof updateManifest>;

/** An update whose signature and hash are right. */
export interface VerifiedUpdate {
  manifest: UpdateManifest;
  /** The program, from its first byte, out of the copy that was verified. */
  content(): NodeJS.ReadableStream;
  /** Removes the copy. */
  close(): Promise<void>;
}

/** @param line base64 of 32 bytes, as `publisherLine` writes it */
export function publisherKey(line: string): KeyObject {
  const raw = Buffer.from(line.trim(), 'base64');
  if (raw.length !== KEY_BYTES)
    throw new CliError(
      `This is not the key of a publisher: it must be 44 characters of base64, not "${line.trim()}".`,
    );
  return ed25519PublicKey(raw);
}

export function publisherLine(key: KeyObject): string {
  return Buffer.from(rawPublicKey(key)).toString('base64');
}

/**
 * Reads an update once: the program is copied to this machine's disk while it is hashed, and only that copy is read again.
 * A stick with its own firmware may give other bytes at a second read.
 * @param beside a folder of this machine with room for the program. The copy has no name there, so nothing is left behind
 * @throws {CliError} not an update, not signed by one of the publishers, or not as it was signed
 */
export async function verifyUpdate(
  file: string,
  publishers: readonly KeyObject[],
  beside: string,
): Promise<VerifiedUpdate> {
  const entries = readTar(startOfUpdate(file))[Symbol.asyncIterator]();
  try {
    const manifest = await readSigned(file, entries, publishers);
    return await copyProgram(file, entries, manifest, beside);
  } catch (cause) {
    if (cause instanceof ArchiveBroken) throw damaged(file, 'it is cut off or was changed');
    throw cause;
  } finally {
    await entries.return?.();
  }
}

/** The bytes of the file. @throws {CliError} it cannot be read, or does not begin as an update does */
async function* startOfUpdate(file: string): AsyncIterable<Uint8Array> {
  let isFirst = true;
  const pieces = createReadStream(file, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>;
  try {
    for await (const piece of pieces) {
      // A tar archive begins with the name of its first file.
      const shared = Math.min(piece.length, MANIFEST.length);
      if (isFirst && piece.toString('latin1', 0, shared) !== MANIFEST.slice(0, shared))
        throw new CliError(`${file} is not an update of Vouch. Nothing was changed.`);
      isFirst = false;
      yield piece;
    }
  } catch (cause) {
    throw cause instanceof CliError ? cause : new CliError(`${file} cannot be read: ${reasonOf(cause)}.`);
  }
}

type Entries = AsyncIterator<TarEntry>;

/** @returns undefined where the archive has another entry, or one that is too long */
async function take(entries: Entries, name: string, maxBytes: number): Promise<Buffer | undefined> {
  const next = await entries.next();
  if (next.done === true) return undefined;
  const { header, content } = next.value;
  const isIt = header.type === 'file' && header.name === name && header.size <= maxBytes;
  return isIt ? wholeOf(content) : undefined;
}

/** The manifest is parsed only when a publisher has signed it. */
async function readSigned(
  file: string,
  entries: Entries,
  publishers: readonly KeyObject[],
): Promise<UpdateManifest> {
  const json = await take(entries, MANIFEST, MAX_MANIFEST_BYTES);
  const signature = await take(entries, SIGNATURE, SIGNATURE_BYTES);
  if (json === undefined || signature === undefined) throw damaged(file, 'it has no signed manifest');
  if (!publishers.some((key) => verify(null, json, key, signature)))
    throw new CliError(
      `${file} is not signed by a publisher that this installation trusts. Nothing was changed. If you trust its publisher, compare the key with the publisher and name its file with --publisher.`,
    );
  const manifest = updateManifest.safeParse(JSON.parse(json.toString('utf8')));
  if (manifest.success) return manifest.data;
  throw new CliError(
    `${file} has a format that this version does not know. Nothing was changed. Install the update before it first.`,
  );
}

async function copyProgram(
  file: string,
  entries: Entries,
  manifest: UpdateManifest,
  beside: string,
): Promise<VerifiedUpdate> {
  const [{ name, size, sha256 }] = manifest.entries;
  const next = await entries.next();
  if (next.done === true || next.value.header.name !== name || next.value.header.size !== size)
    throw damaged(file, 'its program is not the one that was signed');
  const copy = await unnamedFile(beside);
  try {
    const hash = createHash('sha256');
    for await (const piece of next.value.content) {
      hash.update(piece);
      await writeAll(copy, [piece]);
    }
    if (hash.digest('hex') !== sha256 || (await entries.next()).done !== true)
      throw damaged(file, 'its content is not what was signed');
  } catch (cause) {
    await copy.close();
    throw isFullDisk(cause)
      ? new CliError(
          `The disk of ${beside} is full: an update needs room for a copy of ${file}. Nothing was changed; free some room and run it again.`,
          EXIT.failed,
        )
      : cause;
  }
  return {
    manifest,
    content: () => copy.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES }),
    close: () => copy.close(),
  };
}

function damaged(file: string, how: string): CliError {
  return new CliError(`${file} is damaged: ${how}. Nothing was changed; copy it again.`);
}

/** A new file of this process alone, which is removed when it is closed. */
async function unnamedFile(folder: string): Promise<FileHandle> {
  const name = join(folder, `update-${randomUUID()}`);
  const handle = await open(name, 'wx+', 0o600);
  await rm(name);
  return handle;
}
