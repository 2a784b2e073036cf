/** The encrypted file of SQLite: one connection, whose transactions run one after the other. */
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import Sqlite, { type Statement } from 'better-sqlite3-multiple-ciphers';
import {
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely';
import { UnavailableError } from '../../domain/ports/machine.ts';
import { ChangeFeed } from './changes.ts';
import { unlock } from './cipher.ts';
import { registerOpened, type Database } from './database.ts';
import { SqliteCompiler } from './dialect.ts';
import { syncFolder } from './fsync.ts';
import { whyUnwritable } from './home.ts';
import { migrate, MIGRATIONS } from './migrate.ts';
import type { Schema } from './schema.ts';

/** The files that were opened, by their databases. */
const FILES = new WeakMap<object, PreparedSqlite>();

/**
 * Opens the encrypted database file, or creates it, and applies the migrations that are missing.
 *
 * WAL with `synchronous=FULL`: a committed transaction survives a power cut. `secure_delete`: SQLite overwrites deleted
 * content in the file.
 * @param key 32 bytes, used as they are (no derivation).
 * @param migrations by name, applied in the order of their names
 * @throws {CodedError} wrong key, damaged file, or a database newer than the program.
 */
export async function openDatabase(
  file: string,
  key: Uint8Array,
  migrations: typeof MIGRATIONS = MIGRATIONS,
): Promise<Kysely<Schema>> {
  const connection = new PreparedSqlite(file, key);
  const db = new Kysely<Schema>({ dialect: new TransactionalDialect(connection) });
  try {
    await migrate(db, file, migrations);
    connection.watch();
  } catch (cause) {
    await db.destroy();
    throw cause;
  }
  FILES.set(db, connection);
  registerOpened(db, { kysely: db, changes: connection.changes });
  return db;
}

function fileOf(db: Database): PreparedSqlite {
  const file = FILES.get(db);
  if (file === undefined) throw new Error('This database is no file of SQLite.');
  return file;
}

/** The file, unlocked, in the modes of {@link openDatabase}. */
function openFor(file: string, key: Uint8Array): Sqlite {
  const raw = openRaw(file, key);
  try {
    raw.pragma('journal_mode=WAL');
    raw.pragma('synchronous=FULL');
    raw.pragma('foreign_keys=ON');
    raw.pragma('secure_delete=ON');
    raw.pragma('temp_store=MEMORY');
    raw.pragma('cache_size=-65536');
    return raw;
  } catch (cause) {
    raw.close();
    const sentence = whyUnwritable(dirname(file));
    throw new CodedError(
      sentence === undefined
        ? problem('DATABASE_UNREADABLE', { file })
        : problem('DATABASE_UNWRITABLE', { sentence }),
      { cause },
    );
  }
}

/**
 * Writes the log into the database and empties it. @returns whether it is empty: not while another connection reads, such as
 * a backup that is being made
 */
export async function truncateWal(db: Database): Promise<boolean> {
  const file = fileOf(db);
  return db.connection().execute(() => Promise.resolve(file.truncateWal()));
}

/**
 * Puts a copy that `VACUUM INTO` made, and that holds nothing but living rows, in place of the database. Queries wait
 * meanwhile; a crash leaves the one or the other.
 * @param copy makes it, and says where it is @returns whether it was done: not while another connection reads
 */
export async function replaceDatabase(db: Database, copy: () => Promise<string>): Promise<boolean> {
  const file = fileOf(db);
  // The holder of the one connection keeps all others waiting.
  return db.connection().execute(async () => file.replaceBy(copy));
}

/** The file itself, unlocked with the key but not looked at yet. @param key 32 bytes, used as they are */
export function openRaw(file: string, key: Uint8Array, options?: { readonly: boolean }): Sqlite {
  if (key.length !== 32) throw new RangeError('The store key must have 32 bytes.');
  const raw = new Sqlite(file, options);
  unlock(raw, key);
  return raw;
}

/** The driver's own, milliseconds. */
const BUSY_TIMEOUT = 5000;
/** SQLite's primary result codes after which nothing was written and a retry can help. */
const TRANSIENT = /^SQLITE_(FULL|READONLY|IOERR|BUSY|LOCKED|CANTOPEN)/;
/** More different statements than the product has, but for lists of ids of every length. */
const MAX_PREPARED = 250;

/** A database that keeps its prepared statements: an image takes some twenty queries, and always the same ones. */
class PreparedSqlite {
  readonly #file: string;
  readonly #key: Uint8Array;
  #raw: Sqlite;
  /** The one used longest ago comes first. */
  readonly #statements = new Map<string, Statement>();
  readonly changes = new ChangeFeed();

  constructor(file: string, key: Uint8Array) {
    this.#file = file;
    this.#key = key;
    this.#raw = openFor(file, key);
  }

  /** See {@link replaceDatabase}. */
  async replaceBy(copy: () => Promise<string>): Promise<boolean> {
    const made = await copy();
    try {
      // Ends the log, which only works while no other process has the file open: so none of it is left for the next one.
      if (!this.#leaveWal()) return false;
      const handle = await open(made, 'r+');
      await handle.sync();
      await handle.close();
      this.#statements.clear();
      this.#raw.close();
      try {
        await rename(made, this.#file);
        await syncFolder(dirname(this.#file));
      } finally {
        this.#raw = openFor(this.#file, this.#key);
        this.watch();
      }
      return true;
    } finally {
      await rm(made, { force: true });
    }
  }

  /** See {@link truncateWal}. */
  truncateWal(): boolean {
    return this.#withoutWaiting(() => {
      const [result] = this.#raw.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
      return result.busy === 0;
    });
  }

  #leaveWal(): boolean {
    return this.#withoutWaiting(() => {
      const [result] = this.#raw.pragma('journal_mode=DELETE') as [{ journal_mode: string }];
      return result.journal_mode === 'delete';
    });
  }

  /** Does not wait: that would block the whole process. @returns false while another connection reads */
  #withoutWaiting(work: () => boolean): boolean {
    this.#raw.pragma('busy_timeout=0');
    try {
      return work();
    } catch (cause) {
      if (cause instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(cause.code)) return false;
      throw cause;
    } finally {
      this.#raw.pragma(`busy_timeout=${BUSY_TIMEOUT}`);
    }
  }

  /** Begins to report what is committed; after the migrations, because it needs the tables. */
  watch(): void {
    this.changes.watch(this.#raw);
  }

  get inTransaction(): boolean {
    return this.#raw.inTransaction;
  }

  prepare(query: string): Statement {
    const statement = this.#statements.get(query) ?? this.#raw.prepare(query);
    this.#statements.delete(query);
    this.#statements.set(query, statement);
    if (this.#statements.size > MAX_PREPARED) this.#statements.delete(this.#statements.keys().next().value!);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#raw.close();
  }
}

/** SQLite changes tables within a transaction like anything else: all migrations of a start happen, or none. */
class TransactionalDialect extends SqliteDialect {
  readonly #connection: PreparedSqlite;

  constructor(connection: PreparedSqlite) {
    super({ database: connection });
    this.#connection = connection;
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }

  override createQueryCompiler(): SqliteCompiler {
    return new SqliteCompiler();
  }

  /**
   * On a full or broken disk SQLite takes a transaction back by itself (https://sqlite.org/lang_transaction.html). Rolling it
   * back once more fails, and would hide the first error.
   */
  override createDriver(): Driver {
    const driver = super.createDriver();
    const connect = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async () => observed(await connect(), this.#connection);
    const rollBack = driver.rollbackTransaction.bind(driver);
    driver.rollbackTransaction = (connection) => {
      this.#connection.changes.discard();
      return rollBack(connection).catch((cause: unknown) => {
        if (!(cause instanceof Sqlite.SqliteError && cause.message.includes('no transaction is active')))
          throw cause;
      });
    };
    return driver;
  }
}

/**
 * A connection that reports what it commits, and whose queries fail with `UnavailableError` where the cause can pass: a full
 * disk, a locked file.
 */
function observed(connection: DatabaseConnection, database: PreparedSqlite): DatabaseConnection {
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      try {
        const result = await connection.executeQuery<R>(query);
        // COMMIT closes a transaction; a statement outside of one is committed by itself.
        if (!database.inTransaction) database.changes.publish();
        return result;
      } catch (cause) {
        // SQLite has rolled the transaction back by itself.
        if (!database.inTransaction) database.changes.discard();
        if (cause instanceof Sqlite.SqliteError && TRANSIENT.test(cause.code))
          throw new UnavailableError(`The database cannot be used (${cause.code}).`, { cause });
        throw cause;
      }
    },
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
