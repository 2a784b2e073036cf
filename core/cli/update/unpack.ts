/**
 * Unpacks a program (.tar.gz) as `npm run package:service` writes it, and checks it against its sums. Only files, folders and
 * symbolic links inside the program are unpacked.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, open, readFile, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveBroken, readTar, type TarEntry } from '../../encryption/tar.ts';
import { CliError } from '../terminal/output.ts';

/**
 * @param folder where the content of the archive's one top folder is put
 * @throws {CliError} damaged, or with an entry that is not allowed
 */
export async function unpack(archive: NodeJS.ReadableStream, folder: string): Promise<void> {
  try {
    await pipeline(archive, createGunzip(), async (plain: AsyncIterable<Buffer>) => {
      for await (const entry of readTar(plain)) await unpackEntry(entry, folder);
    });
  } catch (cause) {
    throw cause instanceof ArchiveBroken
      ? new CliError(
          'The program is damaged: its archive is cut off or malformed. Nothing was changed; copy it again.',
        )
      : cause;
  }
  await checkSums(folder);
}

async function unpackEntry({ header, content }: TarEntry, folder: string): Promise<void> {
  const { name, type, linkname = '', mode: given = 0 } = header;
  const target = await placeOf(name, folder);
  switch (type) {
    case 'directory':
      await mkdir(target, { recursive: true });
      await chmod(target, EXECUTABLE);
      return;
    case 'symlink':
      await symlink(linkInside(linkname, target, folder), target);
      return;
    case 'file': {
      const mode = (given & 0o111) === 0 ? PLAIN : EXECUTABLE;
      const handle = await open(target, 'wx', mode);
      try {
        for await (const piece of content) await handle.writeFile(piece);
        // Independent of the umask: the service runs under another account than the update.
        await handle.chmod(mode);
        await handle.sync();
      } finally {
        await handle.close();
      }
      return;
    }
    default:
      throw new CliError(`The program has an entry that is neither file, folder nor symbolic link: ${name}`);
  }
}

/** The only two modes of unpacked files: no set-user-id bit, nothing that others may write. */
const PLAIN = 0o644;
const EXECUTABLE = 0o755;

/** @returns where an entry goes. @throws {CliError} outside the folder, or through a link */
async function placeOf(whole: string, folder: string): Promise<string> {
  const parts = whole.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  if (whole.startsWith('/') || parts.length === 0 || parts.some((part) => ['', '.', '..'].includes(part)))
    throw new CliError(`The program names a file outside: ${whole}`);
  let above = folder;
  for (const part of parts.slice(0, -1)) {
    above = join(above, part);
    const found = await lstat(above).catch(() => undefined);
    if (found === undefined) await mkdir(above, { mode: EXECUTABLE });
    else if (!found.isDirectory()) throw new CliError(`The program names a file through a link: ${whole}`);
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
    throw new CliError(`The program has a link that leads outside: ${link}`);
  return link;
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
