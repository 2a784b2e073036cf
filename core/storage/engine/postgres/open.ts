import pg from 'pg';
import { Kysely, sql } from 'kysely';
import { CodedError, problem } from '../../../contracts/errors/problem.ts';
import { CommittedChanges } from '../changes.ts';
import { migrate, registerOpened } from '../database.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { HomeLocked } from '../refusals.ts';
import type { Schema } from '../schema.ts';
import { parseAddress, type PostgresAddress } from './address.ts';
import { installChangeTriggers } from './changeTriggers.ts';
import { configOf, DatabaseHeld, ServerConnection, ServerDialect } from './connection.ts';
import { ColumnSeal } from './sealing.ts';

/** `server_version_num` of PostgreSQL 15. */
const OLDEST_VERSION = 150_000;
/** SQLSTATE: there is no database of this name. */
const NO_DATABASE = '3D000';

/**
 * Opens the database of an address, and applies the migrations that are missing. Creates it where there is none and the user
 * may do that.
 * @param address see {@link parseAddress} @param key the store key, 32 bytes: it seals the columns of bytes
 * @throws {CodedError} wrong key, an older server, or a database newer than the program. @throws {HomeLocked} another
 *   service uses it. @throws {UnavailableError} it cannot be reached.
 */
export async function openPostgres(
  address: string,
  key: Uint8Array,
  migrations: typeof MIGRATIONS = MIGRATIONS,
): Promise<Kysely<Schema>> {
  const server = parseAddress(address);
  const changes = new CommittedChanges();
  const connection = new ServerConnection(server, new ColumnSeal(key), changes);
  const db = new Kysely<Schema>({ dialect: new ServerDialect({ pool: connection }) });
  try {
    await requireServer(db, server).catch(async (cause: unknown) => {
      if (!(cause instanceof pg.DatabaseError && cause.code === NO_DATABASE)) throw cause;
      await createDatabase(server);
      await requireServer(db, server);
    });
    await migrate(db, server.label, migrations);
    await requireKey(db, server);
    await installChangeTriggers(db);
  } catch (cause) {
    await db.destroy();
    throw cause instanceof DatabaseHeld ? new HomeLocked(cause.message) : cause;
  }
  registerOpened(db, { kysely: db, changes });
  return db;
}

/** Whether the database of an address has the tables of an installation. */
export async function isPrepared(address: string): Promise<boolean> {
  const client = new pg.Client(configOf(parseAddress(address)));
  try {
    await client.connect();
    const { rows } = await client.query<{ tables: string | null }>(
      `select to_regclass('audit_key')::text as tables`,
    );
    return rows[0]?.tables != null;
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && cause.code === NO_DATABASE) return false;
    throw cause;
  } finally {
    await client.end();
  }
}

async function requireServer(db: Kysely<Schema>, { label }: PostgresAddress): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::bigint as version, current_setting('server_encoding') as encoding
  `.execute(db);
  const { version = 0, encoding = '' } = rows[0] ?? {};
  if (version < OLDEST_VERSION || encoding !== 'UTF8')
    throw new CodedError(
      problem('DATABASE_SERVER', { label, version: Math.floor(version / 10_000), encoding }),
    );
}

async function createDatabase(server: PostgresAddress): Promise<void> {
  const client = new pg.Client(configOf({ ...server, database: 'postgres' }));
  await client.connect();
  try {
    const name = pg.escapeIdentifier(server.database);
    await client.query(
      `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
    );
  } finally {
    await client.end();
  }
}

/** The key of the audit log is sealed like every column of bytes, and always there. */
async function requireKey(db: Kysely<Schema>, { label }: PostgresAddress): Promise<void> {
  try {
    await db.selectFrom('audit_key').select('private_key').execute();
  } catch (cause) {
    if (cause instanceof pg.DatabaseError) throw cause;
    throw new CodedError(problem('DATABASE_UNREADABLE', { file: label }), { cause });
  }
}
