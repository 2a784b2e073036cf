import { access, mkdir, open, readdir, readFile, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problem } from '../../../contracts/errors/problem.ts';
import { hasSystemCode, systemProblem } from '../../../contracts/errors/systemProblem.ts';
import { trusted, type ImageId } from '../../../contracts/ids.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { tryWriting } from '../../../platform/tryWriting.ts';
import { syncFolder, writeAll, writeDurably } from '../../engine/fsync.ts';
import { imageNamed, imageNames, MARKER, type ImagePlace, type NewImage } from './imagePlace.ts';
import { SharedRuns } from '../../../domain/work/turns.ts';

/** Image files in a folder of this machine, or in one that several machines mount. */
export class FolderPlace implements ImagePlace {
  readonly location: string;
  readonly #syncs = new SharedRuns(syncFolder);

  /** @param folder its whole path */
  constructor(folder: string) {
    this.location = folder;
  }

  /** Device, inode and time of change: one `stat`. */
  async markerIdentity(): Promise<string | undefined> {
    const file = join(this.location, MARKER);
    try {
      const { dev, ino, ctimeNs } = await stat(file, { bigint: true });
      return `${dev}:${ino}:${ctimeNs}`;
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw new UnavailableError(
        problem('STORAGE_MARKER_UNREADABLE', { file, cause: systemProblem(cause) }),
        { cause },
      );
    }
  }

  readMarker(): Promise<string | undefined> {
    return ifThere(readFile(join(this.location, MARKER), 'utf8'));
  }

  writeMarker(content: string): Promise<void> {
    return writeDurably(join(this.location, MARKER), content);
  }

  async prepare(): Promise<void> {
    await mkdir(this.location, { recursive: true, mode: 0o700 });
    await tryWriting(this.location);
  }

  /** Waits for nothing: the parts go to the disk as they come. */
  create(id: ImageId): Promise<NewImage> {
    return Promise.resolve(new NewImageFile(this.pathOf(id), this.#syncs));
  }

  read(id: ImageId): Promise<Buffer | undefined> {
    return ifThere(readFile(this.pathOf(id)));
  }

  async has(id: ImageId): Promise<boolean> {
    return (await ifThere(access(this.pathOf(id)).then(() => true))) ?? false;
  }

  async remove(ids: readonly ImageId[]): Promise<void> {
    for (const id of ids) await rm(this.pathOf(id), { force: true });
  }

  async shelves(): Promise<string[]> {
    const entries = await ifThere(readdir(join(this.location, 'images'), { withFileTypes: true }));
    return (entries ?? []).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  }

  async imagesOn(shelf: string): Promise<ImageId[]> {
    const names = await ifThere(readdir(join(this.location, 'images', shelf)));
    return (names ?? []).flatMap((name) => imageNamed(name) ?? []).map((id) => trusted.image(id));
  }

  async writtenAt(id: ImageId): Promise<number | undefined> {
    return (await ifThere(stat(this.pathOf(id))))?.mtimeMs;
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.location);
    return bavail * bsize;
  }

  /** The path of an image file, there or not. */
  pathOf(id: ImageId): string {
    return join(this.location, ...imageNames(id));
  }
}

class NewImageFile implements NewImage {
  readonly #path: string;
  readonly #syncs: SharedRuns<string>;
  #handle: FileHandle | undefined;

  constructor(path: string, syncs: SharedRuns<string>) {
    this.#path = path;
    this.#syncs = syncs;
  }

  async append(part: readonly Uint8Array[]): Promise<void> {
    this.#handle ??= await createFile(this.#path);
    await writeAll(this.#handle, part);
  }

  /** Waits until the disk has the content, then its name. */
  async keep(): Promise<void> {
    await this.#handle?.datasync();
    await this.#handle?.close();
    this.#handle = undefined;
    await this.#syncs.run(dirname(this.#path));
  }

  async remove(): Promise<void> {
    await this.#handle?.close().catch(() => undefined);
    await rm(this.#path, { force: true }).catch(() => undefined);
  }
}

/** Creates a file that its owner alone may read, and its shelf where it is the first on it; never the folder itself. */
async function createFile(path: string): Promise<FileHandle> {
  const create = () => open(path, 'wx', 0o600);
  try {
    return await create();
  } catch (cause) {
    if (!hasSystemCode(cause, 'ENOENT')) throw cause;
    const shelf = dirname(path);
    for (const folder of [dirname(shelf), shelf])
      // A new folder's name is durable when the folder around it is.
      if (await makeFolder(folder)) await syncFolder(dirname(folder));
    return create();
  }
}

/** @returns false: it is there already */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (cause) {
    if (hasSystemCode(cause, 'EEXIST')) return false;
    throw cause;
  }
}

async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

function isMissing(cause: unknown): boolean {
  return hasSystemCode(cause, 'ENOENT', 'ENOTDIR');
}
