/**
 * An update on a stick: magic and version, a length-prefixed JSON manifest, an Ed25519 signature over all of that, then the
 * package (.tar.gz) whose hash the manifest names.
 */
import { createHash, createPublicKey, randomUUID, sign, verify, type KeyObject } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { reasonOf } from '../terminal/inputFile.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import { isFullDisk, writeAll } from '../../storage/engine/fsync.ts';

const MAGIC = Buffer.from('VOUCHUPD\u0001', 'latin1');
const SIGNATURE_BYTES = 64;
const READ_BYTES = 1 << 20;
const MOST_MANIFEST_BYTES = 64 * 1024;
/** DER before the 32 bytes of an Ed25519 public key (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export const updateManifest = z.object({
  /** major.minor.patch */
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** As Node names them, e.g. linux-x64. */
  platform: z.string(),
  /** Of the package. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int(),
});
export type UpdateManifest = z.infer<typeof updateManifest>;

/** A bundle whose signature and hash are right. */
export interface VerifiedUpdate {
  manifest: UpdateManifest;
  /** The package, from its first byte, out of the copy that was verified. */
  content(): NodeJS.ReadableStream;
  /** Gives the copy up. */
  close(): Promise<void>;
}

/** Everything that stands before the package. */
export function signedHead(manifest: UpdateManifest, key: KeyObject): Buffer {
  const signed = headOf(Buffer.from(JSON.stringify(manifest)));
  return Buffer.concat([signed, sign(null, signed, key)]);
}

/** @param line base64 of 32 bytes, as `publisherLine` writes it */
export function publisherKey(line: string): KeyObject {
  const raw = Buffer.from(line.trim(), 'base64');
  if (raw.length !== 32)
    throw new CliError(
      `This is no key of a publisher: it must be 44 letters of base64, not "${line.trim()}".`,
    );
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' });
}

export function publisherLine(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length).toString('base64');
}

/**
 * Reads an update once: what is signed is copied to this machine's disk while it is hashed, and only that copy is read
 * again. A stick with its own firmware may give other bytes at a second read.
 * @param beside a folder of this machine with room for the package. The copy has no name there, so nothing is left behind
 * @throws {CliError} not an update, not signed by one of the publishers, or not as it was signed
 */
export async function verifyUpdate(
  file: string,
  publishers: readonly KeyObject[],
  beside: string,
): Promise<VerifiedUpdate> {
  const source = await open(file).catch((cause: unknown) => {
    throw new CliError(`${file} cannot be read: ${reasonOf(cause)}.`);
  });
  try {
    const { manifest, start } = await readSigned(file, source, publishers);
    const copy = await unnamedFile(beside);
    try {
      const { bytes, sha256 } = await copyHashed(source, start, manifest.bytes, copy);
      if (bytes !== manifest.bytes || sha256 !== manifest.sha256)
        throw new CliError(
          `${file} is damaged: its content is not what was signed (${bytes} of ${manifest.bytes} bytes). Nothing was changed; copy it again.`,
        );
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
  } finally {
    await source.close();
  }
}

/** A new file of this process alone, which is gone when it is closed. */
async function unnamedFile(folder: string): Promise<FileHandle> {
  const name = join(folder, `update-${randomUUID()}`);
  const handle = await open(name, 'wx+', 0o600);
  await rm(name);
  return handle;
}

/** @param most bytes; one more than these is enough to know that it is too long @returns of what was copied */
async function copyHashed(
  source: FileHandle,
  start: number,
  most: number,
  copy: FileHandle,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(READ_BYTES);
  let bytes = 0;
  while (bytes <= most) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length, start + bytes);
    if (bytesRead === 0) break;
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    await writeAll(copy, [piece]);
    bytes += bytesRead;
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function readSigned(
  file: string,
  handle: FileHandle,
  publishers: readonly KeyObject[],
): Promise<{ manifest: UpdateManifest; start: number }> {
  const notOne = () => new CliError(`${file} is not an update of Vouch. Nothing was changed.`);
  const read = async (at: number, bytes: number) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, at);
    // What is there is as it should be: the rest was not copied. Anything else never was an update.
    const isCut = bytesRead < bytes && (at > 0 || startsLikeOne(buffer.subarray(0, bytesRead)));
    if (isCut)
      throw new CliError(
        `${file} is cut off: its head alone is longer than it. Nothing was changed; copy it again.`,
      );
    if (bytesRead < bytes) throw notOne();
    return buffer;
  };
  const start = await read(0, MAGIC.length + 4);
  const length = start.readUInt32BE(MAGIC.length);
  if (!startsLikeOne(start) || length > MOST_MANIFEST_BYTES) throw notOne();
  const json = await read(start.length, length);
  const signature = await read(start.length + length, SIGNATURE_BYTES);
  const signed = headOf(json);
  if (!publishers.some((key) => verify(null, signed, key, signature)))
    throw new CliError(
      `${file} is not signed by a publisher that this installation trusts. Nothing was changed. If you trust who made it, compare the key with them and name it with --publisher.`,
    );
  return {
    manifest: updateManifest.parse(JSON.parse(json.toString('utf8'))),
    start: start.length + length + SIGNATURE_BYTES,
  };
}

/** Whether bytes are the magic, or the beginning of it. */
function startsLikeOne(bytes: Buffer): boolean {
  const shared = Math.min(bytes.length, MAGIC.length);
  return bytes.subarray(0, shared).equals(MAGIC.subarray(0, shared));
}

function headOf(json: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([MAGIC, length, json]);
}
