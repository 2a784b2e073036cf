import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageSpool, SpooledPackage } from '../../domain/ports/blacklistTransfer.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';

const READ_BYTES = 1 << 20;

/** Files of one folder, which belongs to this process alone: what is in it at the start is a remnant of an earlier process. */
export class FilePackageSpool implements PackageSpool {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<FilePackageSpool> {
    await rm(folder, { recursive: true, force: true });
    return new FilePackageSpool(folder);
  }

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
      let bytes = 0;
      for await (const piece of content) {
        bytes += piece.length;
        if (bytes > most) throw new RangeError('The package is too large.');
        await storing(handle.writeFile(piece));
      }
    } finally {
      await handle.close();
    }
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
