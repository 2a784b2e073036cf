/**
 * Unpacks a package (.tar.gz, POSIX ustar) as `npm run package:service` writes it, and checks it against its sums. Files,
 * folders and symbolic links inside the package are all that it takes (docs/adr/0002-updates-are-signed-files-beside-the-running-version.md).
 */
import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, open, readFile, symlink } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CliError } from '../terminal/output.ts';

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
  const number = (at: number, bytes: number) => octal(text(at, bytes), whole);
  if (number(148, 8) !== checksumOf(header))
    throw new CliError('The package is damaged: an entry has a wrong checksum. Nothing was changed.');
  const target = await placeOf(whole, folder);
  const size = number(124, 12);
  switch (text(156, 1)) {
    case '5':
      await mkdir(target, { recursive: true });
      await chmod(target, EXECUTABLE);
      return;
    case '2':
      await symlink(linkInside(text(157, 100), target, folder), target);
      return;
    case '':
    case '0': {
      const mode = (number(100, 8) & 0o111) === 0 ? PLAIN : EXECUTABLE;
      const handle = await open(target, 'wx', mode);
      try {
        for await (const piece of blocks.stream(size)) await handle.writeFile(piece);
        // Whatever the umask is: the account of the service is another one than that which updates.
        await handle.chmod(mode);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await blocks.take((BLOCK - (size % BLOCK)) % BLOCK);
      return;
    }
    default:
      throw new CliError(`The package has an entry that is neither file, folder nor symbolic link: ${whole}`);
  }
}

/** The only two modes that a package gives: no set-user-id bit, nothing that others may write. */
const PLAIN = 0o644;
const EXECUTABLE = 0o755;

/** @returns where an entry goes. @throws {CliError} outside the folder, or through a link */
async function placeOf(whole: string, folder: string): Promise<string> {
  const parts = whole.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  if (whole.startsWith('/') || parts.length === 0 || parts.some((part) => ['', '.', '..'].includes(part)))
    throw new CliError(`The package names a file outside: ${whole}`);
  let above = folder;
  for (const part of parts.slice(0, -1)) {
    above = join(above, part);
    const found = await lstat(above).catch(() => undefined);
    if (found === undefined) await mkdir(above, { mode: EXECUTABLE });
    else if (!found.isDirectory()) throw new CliError(`The package names a file through a link: ${whole}`);
  }
  return join(folder, ...parts);
}

/**
 * Only leading `..` are allowed: they start at a real folder, so that it is known where they lead.
 * @throws {CliError} the link leads out of the folder
 */
function linkInside(link: string, target: string, folder: string): string {
  const parts = link.split('/');
  const climbs = parts.findIndex((part) => part !== '..');
  const isInside = relative(folder, dirname(target)).split(sep).filter(Boolean).length >= Math.max(climbs, 0);
  if (link === '' || isAbsolute(link) || climbs < 0 || parts.slice(climbs).includes('..') || !isInside)
    throw new CliError(`The package has a link that leads outside: ${link}`);
  return link;
}

function octal(text: string, entry: string): number {
  const digits = text.trim();
  if (!/^[0-7]+$/.test(digits)) throw new CliError(`The package is damaged: ${entry} has no valid header.`);
  return Number.parseInt(digits, 8);
}

/** The sum of a header's bytes, those of the sum itself counted as blanks. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
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
