/** Moves answered files of a watched folder to done/ or failed/, and through no link that another account put there. */
import { constants, lstatSync, type Stats } from 'node:fs';
import { access, copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { reasonOf } from '../terminal/inputFile.ts';
import { CliError, EXIT } from '../terminal/output.ts';

export const DONE = 'done';
export const FAILED = 'failed';

/** Of the mode of a folder (POSIX, S_ISVTX). */
const STICKY = 0o1000;
const REASON = '.reason.txt';
/** Bytes of an ending that is kept. */
const LONGEST_EXTENSION = 16;
/** Bytes of a name on every usual file system, without the room for the reason's ending and a number. */
const LONGEST_NAME = 255 - Buffer.byteLength(`${REASON} (9999)`);

/**
 * Moves a file.
 * @param path relative to the root. @param reason written beside the file; null: none
 * @returns where the file is now, relative to the root. @throws {CliError} it cannot be moved
 */
export async function moveFile(
  root: string,
  path: string,
  to: { folder: typeof DONE | typeof FAILED; reason: string | null },
): Promise<string> {
  try {
    let folder = ownFolder(root, to.folder);
    await mkdir(join(root, folder), { recursive: true });
    for (const name of dirname(path)
      .split('/')
      .filter((part) => part !== '.')) {
      folder = freeName(root, `${folder}/${name}`, (entry) => entry?.isDirectory() !== false);
      // Without a link in the place of the folder, which mkdir would follow only with `recursive`.
      if (entryAt(join(root, folder)) === undefined) await mkdir(join(root, folder));
    }
    const movedTo = freeName(
      root,
      `${folder}/${basename(path)}`,
      (entry, place) => entry === undefined && entryAt(`${place}${REASON}`) === undefined,
    );
    const place = join(root, movedTo);
    // `wx` writes to no file that is there, and follows no link.
    if (to.reason !== null) await writeFile(`${place}${REASON}`, `${to.reason}\n`, { flag: 'wx' });
    await moveWithin(join(root, path), place);
    return movedTo;
  } catch (cause) {
    throw new CliError(
      `${path} was processed and cannot be moved: ${reasonOf(cause)}. Fix that and run the same command again. No photo is enrolled twice.`,
      EXIT.failed,
    );
  }
}

/** A link to another disk is followed where this account or root created it: who adds photos does not choose where they go. */
function ownFolder(root: string, name: string): string {
  const entry = entryAt(join(root, name));
  const own = [0, process.getuid?.()];
  if (entry?.isSymbolicLink() === true && !own.includes(entry.uid))
    throw new Error(`${name} is a link that another account created`);
  return name;
}

/** Also where done/ or failed/ lies on another disk: then the copy is whole on that disk before the photo goes. */
async function moveWithin(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (cause: unknown) => {
    if (!hasSystemCode(cause, 'EXDEV')) throw cause;
    const partial = `${to}.partial`;
    await rm(partial, { force: true });
    await copyFile(from, partial, constants.COPYFILE_EXCL);
    const copy = await open(partial, 'r+');
    try {
      await copy.sync();
    } finally {
      await copy.close();
    }
    await rename(partial, to);
    await rm(from);
  });
}

/** Whether this account cannot move files out of a folder. */
export async function isFixed(folder: string): Promise<boolean> {
  const refused = await access(folder, constants.W_OK | constants.X_OK).then(
    () => false,
    (cause: unknown) => hasSystemCode(cause, 'EACCES', 'EPERM', 'EROFS'),
  );
  if (refused) return true;
  const [entry, account] = [entryAt(folder), process.getuid?.()];
  // Out of a sticky folder of another account, only the owner of a file moves it.
  return entry !== undefined && (entry.mode & STICKY) !== 0 && account !== 0 && entry.uid !== account;
}

function entryAt(place: string): Stats | undefined {
  return lstatSync(place, { throwIfNoEntry: false });
}

/** A camera gives the same names again and again: `a.jpg`, then `a (2).jpg`. A long name is cut, so that there is room. */
function freeName(
  root: string,
  wanted: string,
  isFree: (entry: Stats | undefined, place: string) => boolean,
): string {
  const ending = extname(wanted);
  const extension = Buffer.byteLength(ending) <= LONGEST_EXTENSION ? ending : '';
  const stem = cut(basename(wanted, extension), LONGEST_NAME - Buffer.byteLength(extension));
  for (let number = 1; ; number += 1) {
    const name = `${dirname(wanted)}/${stem}${number === 1 ? '' : ` (${number})`}${extension}`;
    const place = join(root, name);
    if (isFree(entryAt(place), place)) return name;
  }
}

/** The longest beginning of a text that has at most so many bytes. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = '';
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break;
    kept += character;
  }
  return kept;
}
