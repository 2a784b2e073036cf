import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { openRaw } from '../engine/sqliteFile.ts';
import { syncFolder } from '../engine/fsync.ts';
import { lockHome, readKeyFile, type Home } from '../engine/home.ts';
import { keptAddress } from '../engine/postgres/address.ts';
import { finishRestore } from './restore.ts';
import { takeSnapshot } from '../snapshot/snapshot.ts';

const NAME = 'before-update.db';

/** The database of a home on which no service runs, kept aside while something is tried on it. */
export class DatabaseCopy {
  readonly file: string;
  readonly #home: Home;

  private constructor(home: Home, file: string) {
    this.#home = home;
    this.file = file;
  }

  /** @throws {HomeLocked} a service runs on the home */
  static async take(home: Home): Promise<DatabaseCopy> {
    const lock = lockHome(home);
    try {
      await finishRestore(home);
      if (keptAddress(home) !== undefined)
        throw new CodedError(problem('BACKUP_OF_SERVER', { folder: home.folder }));
      if (!existsSync(home.database)) throw new Error(`There is no database in ${home.folder}.`);
      const snapshot = await takeSnapshot(home.folder, home.database, readKeyFile(home.keyFile, true));
      // Under another name: a start removes snapshots that are left over.
      const file = join(home.folder, NAME);
      await rename(snapshot.file, file);
      await syncFolder(home.folder);
      return new DatabaseCopy(home, file);
    } finally {
      lock.release();
    }
  }

  /** The copy of a process that was cut off. */
  static left(home: Home): DatabaseCopy | undefined {
    const file = join(home.folder, NAME);
    return existsSync(file) ? new DatabaseCopy(home, file) : undefined;
  }

  /** Makes the copy the home's database again. */
  async putBack(): Promise<void> {
    const lock = lockHome(this.#home);
    try {
      const { database, folder } = this.#home;
      this.#emptyLog();
      // First the log: applied to the copy it would not fit.
      for (const suffix of ['-wal', '-shm']) await rm(database + suffix, { force: true });
      await rename(this.file, database);
      await syncFolder(folder);
    } finally {
      lock.release();
    }
  }

  /**
   * Until the copy has taken its place, the database must be whole without its log. One that does not open has nothing
   * that could be lost.
   */
  #emptyLog(): void {
    const { database, keyFile } = this.#home;
    const raw = openRaw(database, readKeyFile(keyFile, true));
    try {
      raw.pragma('wal_checkpoint(TRUNCATE)');
    } catch (cause) {
      if (!(cause instanceof Sqlite.SqliteError)) throw cause;
    } finally {
      raw.close();
    }
  }

  async remove(): Promise<void> {
    await rm(this.file, { force: true });
  }
}
