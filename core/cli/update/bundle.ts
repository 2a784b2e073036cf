/**
 * An update on a stick: magic and version, a length-prefixed JSON manifest, an Ed25519 signature over all of that, then the
 * package (.tar.gz) whose hash the manifest names.
 */
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { reasonOf } from '../givenFile.ts';
import { CliError } from '../output.ts';

const MAGIC = Buffer.from('VOUCHUPD\u0001', 'latin1');
const SIGNATURE_BYTES = 64;
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
  /** The package, from its first byte. */
  content(): NodeJS.ReadableStream;
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

/** @throws {CliError} not an update, not signed by one of the publishers, or not as it was signed */
export async function verifyUpdate(file: string, publishers: readonly KeyObject[]): Promise<VerifiedUpdate> {
  const { manifest, start } = await readSigned(file, publishers);
  const content = () => createReadStream(file, { start, highWaterMark: 1 << 20 });
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    content(),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        bytes += piece.length;
        yield piece;
      }
    },
    hash,
  );
  if (bytes !== manifest.bytes || hash.digest('hex') !== manifest.sha256)
    throw new CliError(
      `${file} is damaged: its content is not what was signed (${bytes} of ${manifest.bytes} bytes). Nothing was changed; copy it again.`,
    );
  return { manifest, content };
}

async function readSigned(
  file: string,
  publishers: readonly KeyObject[],
): Promise<{ manifest: UpdateManifest; start: number }> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new CliError(`${file} cannot be read: ${reasonOf(cause)}.`);
  });
  const notOne = () => new CliError(`${file} is not an update of Vouch. Nothing was changed.`);
  try {
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
  } finally {
    await handle.close();
  }
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
