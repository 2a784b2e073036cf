import { createHash, type KeyObject } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { FORMAT, KIND, type UpdateManifest } from '../../core/cli/update/updateFile.ts';
import { fileEntry, signedManifest } from '../../core/encryption/container.ts';
import { packTar } from '../../core/encryption/tar.ts';

/** The program of an update. */
export interface UpdateProgram {
  /** Of its file, `vouch-VERSION-PLATFORM.tar.gz`. */
  name: string;
  /** Bytes. */
  size: number;
  /** Its content from the first byte, as often as it is called. */
  read(): AsyncIterable<Uint8Array>;
}

/** @param name instead of the file's own */
export function programOf(file: string, name = basename(file)): UpdateProgram {
  const read = () => createReadStream(file) as AsyncIterable<Buffer>;
  return { name, size: statSync(file).size, read };
}

/** Writes an update. @param epoch seconds since 1970, given to every file in it */
export async function* signedUpdate(
  about: Pick<UpdateManifest, 'release' | 'platform'>,
  program: UpdateProgram,
  publisher: KeyObject,
  epoch: number,
): AsyncIterable<Uint8Array> {
  const at = new Date(epoch * 1000);
  const hash = createHash('sha256');
  for await (const piece of program.read()) hash.update(piece);
  const { name, size } = program;
  const entries: UpdateManifest['entries'] = [{ name, size, sha256: hash.digest('hex') }];
  const manifest: UpdateManifest = { kind: KIND, version: FORMAT, ...about, entries };
  yield* packTar([
    ...signedManifest(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), at, publisher),
    fileEntry({ name, size, content: program.read() }, at),
  ]);
}
