import { problem } from '../../contracts/errors/problem.ts';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { json } from 'node:stream/consumers';
import { RequestSignatureInvalid, unsealStream } from '../../domain/encryption/sealedStream.ts';
import { readEntries, type Entry } from '../../domain/encryption/entries.ts';
import { BackupRefused, backupManifest, HEADER_BYTES, MANIFEST, type BackupManifest } from './format.ts';

const READ_BYTES = 1 << 20;

/** The header of a bundle, which may be shorter than a header. */
export async function readHeader(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Reads a bundle from its first byte to its last; every byte is authenticated before `each` is given it.
 * @param each takes an entry's content; what it does not read is read for it. Not called for the manifest
 * @throws {BackupRefused} the bundle is not as it was made
 */
export async function readBundle(
  file: string,
  header: Buffer,
  contentKey: Uint8Array,
  each: (entry: Entry) => Promise<void>,
): Promise<BackupManifest> {
  const sealed = createReadStream(file, { start: HEADER_BYTES, highWaterMark: READ_BYTES });
  let manifest: BackupManifest | undefined;
  try {
    for await (const entry of readEntries(
      unsealStream(sealed as AsyncIterable<Buffer>, contentKey, header),
    )) {
      if (entry.path === MANIFEST) manifest = backupManifest.parse(await json(entry.content));
      else await each(entry);
    }
  } catch (cause) {
    if (cause instanceof RequestSignatureInvalid)
      throw new BackupRefused(problem('BACKUP_DAMAGED'), { cause });
    throw cause;
  } finally {
    sealed.destroy();
  }
  if (manifest === undefined) throw new BackupRefused(problem('BACKUP_WITHOUT_END'));
  return manifest;
}

/** Reads what was just written, from the disk, with the key of this bundle. */
export async function readBack(file: string, contentKey: Uint8Array): Promise<BackupManifest> {
  let images = 0;
  const manifest = await readBundle(file, await readHeader(file), contentKey, async (entry) => {
    if (entry.path.startsWith('images/')) images += 1;
    for await (const _piece of entry.content);
  });
  if (images < manifest.images)
    throw new BackupRefused(problem('BACKUP_INCOMPLETE', { images, expected: manifest.images }));
  return manifest;
}
