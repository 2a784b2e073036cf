/** Unpacks a package (.tar.gz, POSIX ustar) as `npm run package:service` writes it, and checks it against its sums. */
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, symlink } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CliError } from '../output.ts';

const BLOCK = 512;

/** @param folder where what lies in the archive's one top folder is put */
export async function unpack(archive: NodeJS.ReadableStream, folder: string): Promise<void> {
  await pipeline(archive, createGunzip(), async (plain: AsyncIterable<Buffer>) => {
    const blocks = new Blocks(plain);
    for (let header = await blocks.take(BLOCK); header[0] !== 0; header = await blocks.take(BLOCK))
      await unpackEntry(header, blocks, folder);
  });
  await checkSums(folder);
}

async function unpackEntry(header: Buffer, blocks: Blocks, folder: string): Promise<void> {
  const text = (at: number, bytes: number) =>
    header
      .subarray(at, at + bytes)
      .toString('utf8')
      .replace(/\0.*$/s, '');
  const prefix = text(345, 155);
  const whole = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
  const name = normalize(whole.slice(whole.indexOf('/') + 1));
  if (name.startsWith('..') || name.startsWith('/'))
    throw new CliError(`The package names a file outside: ${whole}`);
  const target = join(folder, name);
  const size = Number.parseInt(text(124, 12), 8);
  switch (text(156, 1)) {
    case '5':
      await mkdir(target, { recursive: true });
      return;
    case '2':
      await symlink(text(157, 100), target);
      return;
    default: {
      await mkdir(dirname(target), { recursive: true });
      const handle = await open(target, 'wx', Number.parseInt(text(100, 8), 8));
      try {
        for await (const piece of blocks.stream(size)) await handle.writeFile(piece);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await blocks.take((BLOCK - (size % BLOCK)) % BLOCK);
    }
  }
}

async function checkSums(folder: string): Promise<void> {
  const lines = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n');
  for (const line of lines) {
    const [expected, path] = [line.slice(0, 64), line.slice(66)];
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, path)), hash);
    if (hash.digest('hex') !== expected)
      throw new CliError(`${path} was not written as it should be. Nothing was changed; check the disk.`);
  }
}

/** Reads a stream in amounts that the caller says. */
class Blocks {
  readonly #pieces: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.#held.length < bytes) this.#held = Buffer.concat([this.#held, await this.#next()]);
    return this.#cut(bytes);
  }

  async *stream(bytes: number): AsyncIterable<Buffer> {
    for (let left = bytes; left > 0;) {
      if (this.#held.length === 0) this.#held = await this.#next();
      const piece = this.#cut(Math.min(left, this.#held.length));
      left -= piece.length;
      yield piece;
    }
  }

  async #next(): Promise<Buffer> {
    const next = await this.#pieces.next();
    if (next.done === true)
      throw new CliError('The package ends too early. Nothing was changed; copy it again.');
    return next.value;
  }

  #cut(bytes: number): Buffer {
    const piece = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    return piece;
  }
}
