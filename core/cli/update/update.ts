/** Puts another version beside the running one, tries it on a copy, and only then makes it the current one. */
import { randomUUID, createHash } from 'node:crypto';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readlink,
  rename,
  rm,
  open,
  readFile,
  symlink,
} from 'node:fs/promises';
import { basename, join, dirname, isAbsolute, relative, sep } from 'node:path';
import { DatabaseCopy, openHome, TRIAL_PREFIX, isFullDisk } from '../../storage/index.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import type { VerifiedUpdate } from './updateFile.ts';
import { beginUpdate, concludeUpdate, rollBack, whileUpdating, type TryVersion } from './unfinished.ts';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveBroken, readTar, type TarEntry } from '../../encryption/tar.ts';

/** A folder with `versions/NAME/…` and the link `current`. */
export interface Layout {
  root: string;
  /** Name of the version's folder that `current` points to. */
  current: string;
}

/** @param program folder of the running program (`…/versions/NAME`). @throws {CliError} installed in another way */
export async function findLayout(program: string): Promise<Layout> {
  const root = join(program, '..', '..');
  const link = join(root, 'current');
  const isLink = await lstat(link).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  );
  if (basename(join(program, '..')) !== 'versions' || !isLink)
    throw new CliError(
      'This command only updates an installation as a folder (versions/ and the link current). Update a Debian package with: sudo dpkg -i FILE. On the desktop, install the new package.',
    );
  return { root, current: basename(await readlink(link)) };
}

/**
 * The service of the home must not run. Nothing that counts is changed before the new version has worked on a copy of the
 * database; then it is made current and tried on the home itself, and everything is put back if that fails.
 * @throws {CliError} with the reason; the version before is current and the database as it was
 */
export async function applyUpdate(
  update: VerifiedUpdate,
  {
    layout,
    homeFolder,
    running,
    tryVersion,
  }: {
    layout: Layout;
    homeFolder: string;
    /** Version of this program. */
    running: string;
    tryVersion: TryVersion;
  },
): Promise<{ from: string; to: string }> {
  const { release: version, platform } = update.manifest;
  if (platform !== `${process.platform}-${process.arch}`)
    throw new CliError(
      `The update is for ${platform}, and this machine is ${process.platform}-${process.arch}.`,
    );
  if (!isNewer(version, running))
    throw new CliError(
      `The update holds version ${version}, and ${running} is installed. Nothing was changed.`,
    );
  const reason = await whileUpdating(homeFolder, () => exchange(update, { layout, homeFolder, tryVersion }));
  if (reason !== undefined)
    throw new CliError(
      `Version ${version} ${reason.counted ? `did not become healthy. ${running} is current again, and the database is as it was` : 'does not work on a copy of this database. Nothing was changed'}.\n${reason.words}`,
      EXIT.failed,
    );
  return { from: running, to: version };
}

/** @returns why the version before is current; undefined when the new one is */
async function exchange(
  update: VerifiedUpdate,
  { layout, homeFolder, tryVersion }: { layout: Layout; homeFolder: string; tryVersion: TryVersion },
): Promise<{ counted: boolean; words: string } | undefined> {
  const copy = await DatabaseCopy.take(openHome(homeFolder)).catch((cause: unknown) => {
    throw inWords(cause, homeFolder);
  });
  let name: string;
  try {
    name = await unpackBeside(update, layout);
    const folder = join(layout.root, 'versions', name);
    const words = await tryOnCopy(copy, openHome(homeFolder).folder, folder, tryVersion);
    if (words !== undefined) {
      await rm(folder, { recursive: true });
      await copy.remove();
      return { counted: false, words };
    }
  } catch (cause) {
    await copy.remove();
    throw inWords(cause, `${layout.root} or ${homeFolder}`);
  }
  const note = { root: layout.root, from: layout.current, to: name };
  await beginUpdate(homeFolder, note);
  const words = await tryVersion(join(layout.root, 'versions', name), homeFolder);
  if (words === undefined) await concludeUpdate(homeFolder, copy);
  else await rollBack(homeFolder, note, copy);
  return words === undefined ? undefined : { counted: true, words };
}

/** Up to here the version before is current, on the database as it was. @param where it was written to */
function inWords(cause: unknown, where: string): unknown {
  if (!isFullDisk(cause)) return cause;
  return new CliError(
    `The disk of ${where} is full: an update needs room for its program and for a copy of the database. Nothing was changed; free some room and run it again.`,
    EXIT.failed,
  );
}

async function unpackBeside(update: VerifiedUpdate, { root }: Layout): Promise<string> {
  const { release: version, platform } = update.manifest;
  const name = `vouch-${version}-${platform}`;
  const partial = join(root, 'versions', `${name}.partial`);
  await rm(partial, { recursive: true, force: true });
  await rm(join(root, 'versions', name), { recursive: true, force: true });
  try {
    await mkdir(partial, { recursive: true });
    await chmod(partial, 0o755);
    await unpack(update.content(), partial);
    await rename(partial, join(root, 'versions', name));
  } catch (cause) {
    await rm(partial, { recursive: true, force: true });
    throw cause;
  }
  return name;
}

/** A home that holds the copy and the key, and no images: enough to migrate, start and answer. */
async function tryOnCopy(
  copy: DatabaseCopy,
  homeFolder: string,
  version: string,
  tryVersion: TryVersion,
): Promise<string | undefined> {
  const trial = join(homeFolder, `${TRIAL_PREFIX}${randomUUID().slice(0, 8)}`);
  await mkdir(trial, { mode: 0o700 });
  try {
    const home = openHome(trial);
    await copyFile(copy.file, home.database);
    await copyFile(openHome(homeFolder).keyFile, home.keyFile);
    return await tryVersion(version, trial);
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

/** @param a @param b major.minor.patch */
function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at >= 0 && left[at]! > (right[at] ?? 0);
}

// Unpacks a program (.tar.gz) as `npm run package:service` writes it, and checks it against its sums. Only files, folders and
// symbolic links inside the program are unpacked.

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
