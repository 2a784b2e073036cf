/** Archives whose bytes follow from their content alone: sorted names, one time, one owner, fixed modes (POSIX ustar). */
import { createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const BLOCK = 512;

/** Writes `folder` as `<root>/…` into a .tar.gz. @param epoch seconds since 1970, given to every entry */
export async function writeTarGz(folder: string, root: string, file: string, epoch: number): Promise<void> {
  await pipeline(Readable.from(tar(folder, root, epoch)), createGzip({ level: 6 }), createWriteStream(file));
}

async function* tar(folder: string, root: string, epoch: number): AsyncIterable<Uint8Array> {
  for await (const entry of walk(folder)) yield* entryOf(entry, folder, root, epoch);
  yield Buffer.alloc(2 * BLOCK);
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

async function* entryOf(
  { path, entry }: { path: string; entry: Dirent },
  folder: string,
  root: string,
  epoch: number,
): AsyncIterable<Uint8Array> {
  const name = `${root}/${path}`;
  const file = join(folder, path);
  if (entry.isDirectory()) {
    yield header({ name: `${name}/`, mode: 0o755, size: 0, type: '5', epoch });
    return;
  }
  if (entry.isSymbolicLink()) {
    yield header({ name, mode: 0o777, size: 0, type: '2', link: await readlink(file), epoch });
    return;
  }
  const { size, mode } = await lstat(file);
  yield header({ name, mode: (mode & 0o100) === 0 ? 0o644 : 0o755, size, type: '0', epoch });
  yield* createReadStream(file) as AsyncIterable<Buffer>;
  yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

interface Header {
  name: string;
  mode: number;
  size: number;
  type: '0' | '2' | '5';
  link?: string;
  epoch: number;
}

function header({ name, mode, size, type, link = '', epoch }: Header): Buffer {
  const block = Buffer.alloc(BLOCK);
  const { prefix, rest } = splitName(name);
  block.write(rest, 0, 100);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(epoch, 11), 136);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write(link, 157, 100);
  block.write('ustar\u000000', 257);
  block.write('root', 265);
  block.write('root', 297);
  block.write(prefix, 345, 155);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\u0000 `, 148);
  return block;
}

function octal(number: number, digits: number): string {
  return number.toString(8).padStart(digits, '0');
}

/** Names of more than 100 bytes are cut at a slash: up to 155 bytes before it. */
function splitName(name: string): { prefix: string; rest: string } {
  if (Buffer.byteLength(name) <= 100) return { prefix: '', rest: name };
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)];
    if (rest !== '' && Buffer.byteLength(rest) <= 100 && Buffer.byteLength(prefix) <= 155)
      return { prefix, rest };
  }
  throw new Error(`The path is too long for an archive: ${name}`);
}
