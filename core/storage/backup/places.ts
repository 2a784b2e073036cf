import { constants, existsSync } from 'node:fs';
import { access, mkdir, open, readdir, readFile, realpath, rename, rm, statfs } from 'node:fs/promises';
import { basename, delimiter, join, sep } from 'node:path';
import { systemCodeOf } from '../../contracts/errors/systemProblem.ts';
import type { BackupPlace } from '../../contracts/dashboard/backups.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { BackupStream } from '../../domain/ports/backup.ts';
import { DiskFull } from '../../domain/ports/machine.ts';
import { ifMissing, isFullDisk, syncFolder } from '../engine/fsync.ts';
import { BackupRefused } from '../engine/refusals.ts';
import { readBack } from './format.ts';

/** The subfolder of a drive that holds the backups. */
const SUBFOLDER = 'vouch-backups';
/** Below these folders, systems mount the drives that a person connects. */
const MOUNTS = ['/media/', '/run/media/', '/mnt/', '/Volumes/'];

/**
 * The folders that the dashboard may write backups to: connected drives, the folders that the local administrator names in
 * `VOUCH_BACKUP_FOLDERS`, and `backups` in the data directory. A request names one of them; it never names a path of its own.
 */
export class BackupPlaces {
  readonly #home: string;
  readonly #configured: readonly string[];

  /** @param home the data directory */
  constructor(home: string) {
    const configured = process.env.VOUCH_BACKUP_FOLDERS ?? '';
    this.#home = join(home, 'backups');
    this.#configured = configured.split(delimiter).filter((folder) => folder !== '');
  }

  async list(): Promise<BackupPlace[]> {
    const drives = await mountedDrives();
    return Promise.all([
      ...this.#configured.map((path) => inspect(path, 'configured')),
      ...drives.filter((path) => !this.#configured.includes(path)).map((path) => inspect(path, 'drive')),
      inspect(this.#home, 'home'),
    ]);
  }

  /**
   * Writes a backup, reads it back to the last byte, and then gives it its name.
   * @param options.verifying called when all bytes are written
   * @throws {CodedError} the place is not writable, or what was written does not verify; no file is left
   */
  async write(
    place: string,
    file: string,
    backup: BackupStream,
    { verifying }: { verifying: () => void },
  ): Promise<{ bytes: number; lostImages: number }> {
    const folder = await this.#folder(place);
    const partial = join(folder, `${file}.partial`);
    try {
      const bytes = await writeNew(partial, backup.content);
      verifying();
      const { lost, damaged } = await readBack(partial, backup.contentKey);
      await rename(partial, join(folder, file));
      await syncFolder(folder);
      return { bytes, lostImages: lost.length + damaged.length };
    } catch (cause) {
      await rm(partial, { force: true });
      if (cause instanceof BackupRefused) throw new CodedError(problem('BACKUP_NOT_VERIFIED'), { cause });
      if (isFullDisk(cause)) throw new DiskFull(`The disk of ${folder} is full.`, { cause });
      throw cause;
    }
  }

  /** Deletes a backup; a missing file is none. */
  async remove(place: string, file: string): Promise<void> {
    await rm(join(await this.#folder(place), basename(file)), { force: true });
  }

  /** Deletes an unfinished backup; a missing file is none. */
  async removePartial(place: string, file: string): Promise<void> {
    if (existsSync(place)) await this.remove(place, `${basename(file)}.partial`);
  }

  /** The folder of a place, created where it is missing. A link that leads out of the place is refused. */
  async #folder(place: string): Promise<string> {
    const found = (await this.list()).find(({ path }) => path === place);
    if (found === undefined) throw new CodedError(problem('BACKUP_PLACE_GONE', { place }));
    const folder = found.kind === 'drive' ? join(place, SUBFOLDER) : place;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new CodedError(problem('BACKUP_PLACE_UNWRITABLE', { place }), { cause });
    }
    const real = await realpath(folder);
    if (found.kind === 'drive' && !real.startsWith((await realpath(place)) + sep))
      throw new CodedError(problem('BACKUP_PLACE_UNWRITABLE', { place }));
    return real;
  }
}

/** Creates the file and writes it to the disk. @returns its bytes. @throws when a file of this name exists */
async function writeNew(file: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const piece of content) await handle.writeFile(piece);
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

async function inspect(path: string, kind: BackupPlace['kind']): Promise<BackupPlace> {
  // The folder in the data directory is created with the first backup.
  const there = kind === 'home' && !existsSync(path) ? join(path, '..') : path;
  try {
    const { bavail, bsize } = await statfs(there);
    const writable = await access(there, constants.W_OK).then(
      () => true,
      () => false,
    );
    return { path, kind, freeBytes: bavail * bsize, writable };
  } catch (cause) {
    if (systemCodeOf(cause) === undefined) throw cause;
    return { path, kind, freeBytes: null, writable: false };
  }
}

/** Mount points of the drives that a person connected. */
async function mountedDrives(): Promise<string[]> {
  if (process.platform === 'win32') {
    const letters = Array.from('DEFGHIJKLMNOPQRSTUVWXYZ', (letter) => `${letter}:\\`);
    return letters.filter((drive) => existsSync(drive));
  }
  if (process.platform === 'darwin')
    return ((await readdir('/Volumes').catch(ifMissing)) ?? []).map((name) => `/Volumes/${name}`);
  const mounts = (await readFile('/proc/self/mounts', 'utf8').catch(ifMissing)) ?? '';
  return mounts
    .split('\n')
    .map((line) => unescapeMount(line.split(' ')[1] ?? ''))
    .filter((path) => MOUNTS.some((root) => path.startsWith(root)));
}

/** The kernel writes blanks, tabs, line feeds and backslashes of a mount point as octal numbers. */
function unescapeMount(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
