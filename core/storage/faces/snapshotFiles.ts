import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode } from '../../contracts/errors/systemCode.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { ColumnSeal } from '../engine/postgres/sealing.ts';

/**
 * The content of one service's snapshots, for a database on a server: a file each in the data directory, encrypted under a key
 * of its own. The database has the keys, so that an erasure makes the files of every service unreadable in its transaction,
 * also on a machine that is switched off.
 */
export class SnapshotFiles {
  readonly node: string;
  readonly #folder: string;

  /** @param node the name of the service @param folder of its data directory, for these files alone */
  constructor(node: string, folder: string) {
    this.node = node;
    this.#folder = folder;
  }

  /** @param key 32 bytes, of this file alone */
  async write(company: CompanyId, key: Uint8Array, content: Uint8Array): Promise<void> {
    await mkdir(this.#folderOf(company), { recursive: true, mode: 0o700 });
    // Neither synchronised nor renamed: what a power cut leaves cannot be opened, and is written once more.
    await writeFile(this.#pathOf(company, key), new ColumnSeal(key).seal(content), { mode: 0o600 });
  }

  /** A file that is not as it was written is deleted. @returns undefined: there is none */
  async read(company: CompanyId, key: Uint8Array): Promise<Uint8Array | undefined> {
    const path = this.#pathOf(company, key);
    const sealed = await readFile(path).catch(absent);
    if (sealed === undefined) return undefined;
    try {
      return new ColumnSeal(key).open(sealed);
    } catch {
      await rm(path, { force: true });
      return undefined;
    }
  }

  /**
   * Deletes the files of a company that none of the keys opens.
   * @returns the keys that have no file
   */
  async sweep(company: CompanyId, keys: readonly Uint8Array[]): Promise<Set<Uint8Array>> {
    const names = new Set((await readdir(this.#folderOf(company)).catch(absent)) ?? []);
    const missing = new Set(keys.filter((key) => !names.delete(nameOf(key))));
    for (const name of names) await rm(join(this.#folderOf(company), name), { force: true });
    return missing;
  }

  #folderOf(company: CompanyId): string {
    return join(this.#folder, String(company));
  }

  #pathOf(company: CompanyId, key: Uint8Array): string {
    return join(this.#folderOf(company), nameOf(key));
  }
}

/** A digest, from which the key cannot be computed. */
function nameOf(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

/** @throws what was thrown, unless it says that there is no such file */
function absent(cause: unknown): undefined {
  if (!hasSystemCode(cause, 'ENOENT')) throw cause;
}
