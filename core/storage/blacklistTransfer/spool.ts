import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpooledPackage } from '../../domain/ports/blacklistTransfer.ts';
import { DiskFull, UnavailableError } from '../../domain/ports/machine.ts';

const READ_BYTES = 1 << 20;
/** The free space is read before the first byte and again after so many. */
const SPACE_CHECK_BYTES = 16 * 1024 * 1024;

/** Files of one folder, which belongs to this process alone: what is in it at the start is a remnant of an earlier process. */
export class PackageSpool {
  readonly #folder: string;
  readonly #floor: () => Promise<number>;

  private constructor(folder: string, floor: () => Promise<number>) {
    this.#folder = folder;
    this.#floor = floor;
  }

  /** @param floor bytes that stay free on the disk of the folder */
  static async open(folder: string, floor: () => Promise<number>): Promise<PackageSpool> {
    await rm(folder, { recursive: true, force: true });
    return new PackageSpool(folder, floor);
  }

  /** @throws {UnavailableError} no room. @throws {RangeError} longer than `most` bytes */
  async keep(content: AsyncIterable<Uint8Array>, most: number): Promise<SpooledPackage> {
    const id = randomUUID();
    const file = join(this.#folder, id);
    const remove = () => rm(file, { force: true });
    try {
      await this.#write(file, content, most);
    } catch (cause) {
      await remove();
      throw cause;
    }
    return {
      id,
      remove,
      read: () => createReadStream(file, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>,
    };
  }

  async #write(file: string, content: AsyncIterable<Uint8Array>, most: number): Promise<void> {
    await storing(mkdir(this.#folder, { recursive: true, mode: 0o700 }));
    const handle = await storing(open(file, 'wx', 0o600));
    try {
      let [bytes, unchecked] = [0, SPACE_CHECK_BYTES];
      for await (const piece of content) {
        bytes += piece.length;
        unchecked += piece.length;
        if (bytes > most) throw new RangeError('The package is too large.');
        if (unchecked >= SPACE_CHECK_BYTES) {
          unchecked = 0;
          await this.#requireRoom();
        }
        await storing(handle.writeFile(piece));
      }
    } finally {
      await handle.close();
    }
  }

  /** @throws {DiskFull} */
  async #requireRoom(): Promise<void> {
    const { bavail, bsize } = await storing(statfs(this.#folder));
    if (bavail * bsize < (await this.#floor())) throw new DiskFull('The disk fell below its floor.');
  }
}

/** An error of the disk is no fault of the package. */
async function storing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new UnavailableError('The package cannot be stored now.', { cause });
  }
}
