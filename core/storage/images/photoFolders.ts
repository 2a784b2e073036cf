import { isUtf8 } from 'node:buffer';
import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { CodedError } from '../../contracts/errors/problem.ts';
import { isRead, KIND_HEAD_BYTES, pictureKindOf } from '../../contracts/pictureKinds.ts';
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { skipOfNames, type FolderSkip } from '../../contracts/dashboard/folders.ts';
import type { FolderFile, PhotoFolders } from '../../domain/enrolment/folderGrants.ts';

/** A file below a folder, with its size and time, which show whether the file was replaced. */
export interface FoundFile extends FolderFile {
  /** Last change, milliseconds. */
  modified: number;
}

/** No link is followed; a pipe is not waited for. Windows has neither flag, nor what they are for. */
const {
  O_RDONLY,
  O_NOFOLLOW = 0,
  O_NONBLOCK = 0,
} = constants as Partial<typeof constants> & Pick<typeof constants, 'O_RDONLY'>;
const AS_A_FILE = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/**
 * Walks a folder of any size, by name, so that two walks of the same folder agree. Hidden files and folders are passed
 * over. Folders of systems, unfinished files, symbolic links, special files, names that are not UTF-8 and paths that are too long are yielded with the reason and
 * never opened. A photo is recognised by its content, not by its name.
 * @param options.passedOver whole paths that are not looked into, by whatever name the walk comes to them: a disk may take `done` for
 *   `Done`, and a link may name another folder of the same tree
 * @throws the folder itself cannot be read
 */
export async function* walkPhotos(
  root: string,
  options: { maxBytes: number; passedOver?: readonly string[] },
): AsyncGenerator<FoundFile> {
  const { maxBytes, passedOver = [] } = options;
  const real = await realpath(root);
  const places = await Promise.all(
    passedOver.map(async (place) => join(root, relative(real, await realpath(place).catch(() => place)))),
  );
  for await (const { path, skip } of walk(root, [...passedOver, ...places])) {
    const named = relative(root, path).split(sep).join('/');
    if (skip !== null) yield { path: named, bytes: 0, modified: 0, skip };
    else {
      const looked = await look(path, maxBytes);
      if (looked !== undefined) yield { path: named, ...looked };
    }
  }
}

interface Found {
  path: string;
  skip: FolderSkip | null;
}

/**
 * Bytes that a path may have: those that the system opens (PATH_MAX), without the room that a name needs elsewhere, as
 * `failed/` and `.reason.txt` of a watched folder.
 */
const LONGEST_PATH = (process.platform === 'darwin' ? 1024 : 4096) - 64;

/** An entry that was not looked at yet; the folder is read when its turn comes. */
type Entry = Found & { isFolder: boolean };

/** No folder calls for another one, because folders may be nested deeper than calls can be. */
async function* walk(root: string, passedOver: readonly string[]): AsyncGenerator<Found> {
  const waiting = await entriesOf(root);
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const { path, skip, isFolder } = entry;
    if (passedOver.includes(path)) continue;
    if (!isFolder || skip !== null) yield { path, skip };
    else {
      const inside = await readFolder(path);
      if (typeof inside === 'string') yield { path, skip: inside };
      else for (const each of inside) waiting.push(each);
    }
  }
}

/** The entries of a folder, the last one by name first. */
async function entriesOf(folder: string): Promise<Entry[]> {
  // As bytes: decoded by Node, a name that is not UTF-8 becomes one that no file has.
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  const named = entries.map((entry) => ({ entry, name: readableName(entry.name) }));
  named.sort((a, b) => (a.name < b.name ? 1 : -1));
  return named
    .filter(({ name }) => !name.startsWith('.'))
    .map(({ entry, name }) => {
      const path = join(folder, name);
      return { path, skip: reasonToPassOver(entry, path), isFolder: entry.isDirectory() };
    });
}

function reasonToPassOver(entry: Dirent<Buffer>, path: string): FolderSkip | null {
  if (!isUtf8(entry.name)) return 'badName';
  if (Buffer.byteLength(path) > LONGEST_PATH) return 'tooLong';
  if (entry.isDirectory()) return skipOfNames(`${basename(path)}/`);
  if (entry.isFile()) return skipOfNames(basename(path));
  return entry.isSymbolicLink() ? 'link' : 'special';
}

/** A folder that cannot be read is reported, and the other folders are walked. One that was taken away has no entries. */
async function readFolder(folder: string): Promise<Entry[] | FolderSkip> {
  try {
    return await entriesOf(folder);
  } catch (cause) {
    if (hasSystemCode(cause, 'ENOENT', 'ENOTDIR')) return [];
    if (isRefused(cause)) return 'unreadable';
    throw cause;
  }
}

/** Bytes outside ASCII of a name that is not UTF-8 are written as `ls -b` does: `caf\xe9.jpg`. */
function readableName(name: Buffer): string {
  if (isUtf8(name)) return name.toString('utf8');
  return name
    .toString('latin1')
    .replaceAll(/[^ -~]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** @returns undefined: it was taken away or renamed since the folder was read */
async function look(path: string, maxBytes: number): Promise<Omit<FoundFile, 'path'> | undefined> {
  try {
    const found = await stat(path);
    const { size: bytes, mtimeMs: modified } = found;
    if (!found.isFile()) return { bytes: 0, modified: 0, skip: 'special' };
    return { bytes, modified, skip: await reasonToSkip(path, bytes, maxBytes) };
  } catch (cause) {
    if (hasSystemCode(cause, 'ENOENT', 'ENOTDIR')) return undefined;
    if (isRefused(cause)) return { bytes: 0, modified: 0, skip: 'unreadable' };
    if (hasSystemCode(cause, 'ELOOP')) return { bytes: 0, modified: 0, skip: 'link' };
    throw cause;
  }
}

async function reasonToSkip(path: string, bytes: number, maxBytes: number): Promise<FolderSkip | null> {
  if (bytes === 0) return 'empty';
  if (bytes > maxBytes) return 'tooLarge';
  const handle = await open(path, AS_A_FILE);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(KIND_HEAD_BYTES), 0, KIND_HEAD_BYTES, 0);
    const kind = pictureKindOf(buffer.subarray(0, bytesRead));
    if (kind === null) return 'notAnImage';
    return isRead(kind) ? null : 'otherFormat';
  } finally {
    await handle.close();
  }
}

/** Photos in folders of this machine, read where they lie. */
export const photoFolders: PhotoFolders = {
  async find(path) {
    if (!isAbsolute(path)) throw new CodedError('FOLDER_RELATIVE');
    try {
      const root = await realpath(path);
      if (!(await stat(root)).isDirectory()) throw new CodedError('FOLDER_IS_FILE');
      await readdir(root);
      return { root, name: basename(root) };
    } catch (cause) {
      if (cause instanceof CodedError) throw cause;
      throw new CodedError(isRefused(cause) ? 'FOLDER_UNREADABLE' : 'FOLDER_ABSENT', { cause });
    }
  },

  async isWithin(place, other) {
    // A folder that is not made yet holds nothing.
    const resolved = await realpath(other).catch(() => undefined);
    if (resolved === undefined) return false;
    const way = relative(resolved, place);
    return way === '' || (!isAbsolute(way) && way.split(sep)[0] !== '..');
  },

  async *look(root, { maxBytes, passedOver }) {
    for await (const { path, bytes, skip } of walkPhotos(root, { maxBytes, passedOver }))
      yield { path, bytes, skip };
  },

  async open(root, path) {
    const place = join(root, path);
    // A folder on the way that became a link since would lead somewhere else.
    if ((await realpath(place).catch(() => undefined)) !== place) return undefined;
    const handle = await openPhoto(place);
    return handle?.createReadStream() as AsyncIterable<Buffer> | undefined;
  },
};

/** Opens a file to read it. @returns undefined: it is gone, cannot be read, or is a link or a special file by now */
export async function openPhoto(place: string): Promise<FileHandle | undefined> {
  try {
    const handle = await open(place, AS_A_FILE);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
    return undefined;
  } catch (cause) {
    if (isRefused(cause) || hasSystemCode(cause, 'ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO')) return undefined;
    throw cause;
  }
}

function isRefused(cause: unknown): boolean {
  return hasSystemCode(cause, 'EACCES', 'EPERM', 'EIO');
}
