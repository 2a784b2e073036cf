/** Archives whose bytes follow from their content alone: sorted names, one time, one owner, fixed modes. */
import { createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { packTar, type NewTarEntry } from '../../core/encryption/tar.ts';

/** Writes `folder` as `<root>/…` into a .tar.gz. @param epoch seconds since 1970, given to every entry */
export async function writeTarGz(folder: string, root: string, file: string, epoch: number): Promise<void> {
  const archive = packTar(entriesOf(folder, root, epoch));
  await pipeline(archive, createGzip({ level: 6 }), createWriteStream(file));
}

async function* entriesOf(folder: string, root: string, epoch: number): AsyncIterable<NewTarEntry> {
  const owner = { uname: 'root', gname: 'root', mtime: new Date(epoch * 1000) };
  for await (const { path, entry } of walk(folder)) {
    const name = `${root}/${path}`;
    const file = join(folder, path);
    if (entry.isDirectory())
      yield { header: { ...owner, name: `${name}/`, type: 'directory', mode: 0o755, size: 0 } };
    else if (entry.isSymbolicLink()) {
      const linkname = await readlink(file);
      yield { header: { ...owner, name, type: 'symlink', linkname, mode: 0o777, size: 0 } };
    } else {
      const { size, mode } = await lstat(file);
      const header = { ...owner, name, size, mode: (mode & 0o100) === 0 ? 0o644 : 0o755 };
      yield { header, content: createReadStream(file) as AsyncIterable<Buffer> };
    }
  }
}

/** Paths below a folder, by name, a folder before what is in it. */
export async function* walk(folder: string, below = ''): AsyncIterable<{ path: string; entry: Dirent }> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    yield { path, entry };
    if (entry.isDirectory()) yield* walk(folder, path);
  }
}
