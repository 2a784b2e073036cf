import pg from 'pg';
import { Kysely, sql } from 'kysely';
import { CodedError, problem } from '../../../contracts/errors/problem.ts';
import { ChangeFeed } from '../changes.ts';
import { registerOpened, type Database, type SharedState } from '../database.ts';
import { migrate, schemaState, MIGRATIONS } from '../migrate.ts';
import { HomeLocked } from '../refusals.ts';
import type { Schema } from '../schema.ts';
import { parseAddress, type PostgresAddress, briefConfigOf } from './address.ts';
import { hasChangeTriggers, installChangeTriggers } from './changeTriggers.ts';
import { ServerDialect, ServerPool } from './pool.ts';
import { DatabaseHeld, ServicePresence, type Use } from './presence.ts';
import { ServerLocks } from './scopes.ts';
import { Cells, cellsOf, registerCells, RowDamaged } from '../cells.ts';
import { SharedRuns } from '../../../domain/work/turns.ts';
import type { RequestTurn, RequestTurns } from '../../../domain/ports/machine.ts';
import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a turn relies on one comparison, milliseconds: a request that takes longer compares again. */
const VALID_FOR_MS = 1_000;

interface Turn {
  /** The comparison of the turn; undefined: none yet, or it failed. */
  compared: Promise<void> | undefined;
  at: number;
  hasEnded: boolean;
}

/** Requests that share the comparisons of their own turn. Work outside of a request compares each time. */
export class Turns implements RequestTurns {
  readonly #current = new AsyncLocalStorage<Turn>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock that is never set back; for tests */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  begin(): RequestTurn {
    const turn: Turn = { compared: undefined, at: 0, hasEnded: false };
    return {
      run: (step) => {
        this.#current.run(turn, step);
      },
      end: () => {
        turn.hasEnded = true;
      },
    };
  }

  /**
   * Compares, unless the present turn has done so within {@link VALID_FOR_MS}.
   * @param compare resolves when what was committed before the call has been read
   * @throws what the comparison throws; the next call compares again
   */
  async compared(compare: () => Promise<void>): Promise<void> {
    const turn = this.#current.getStore();
    if (turn === undefined || turn.hasEnded) return compare();
    const now = this.#now();
    if (turn.compared === undefined || now - turn.at >= VALID_FOR_MS) {
      turn.compared = compare();
      turn.at = now;
    }
    const shared = turn.compared;
    try {
      await shared;
    } catch (cause) {
      if (turn.compared === shared) turn.compared = undefined;
      throw cause;
    }
  }
}

/**
 * The version of the rows that services keep in memory: settings, folders, pipelines in use and calibrations. A row has a new
 * `xmin`, the id of the transaction that wrote it, after each change.
 */
const VERSION = sql<{ version: string | null }>`
  select md5(string_agg(version, ',' order by version)) as version from (
    select 'company ' || id || ' ' || xmin as version from company
    union all select 'installation ' || xmin from installation_settings
    union all select 'pipeline ' || company_id || ' ' || xmin from active_pipeline
    union all select 'calibration ' || company_id || ' ' || pipeline_id || ' ' || xmin from company_calibration
  ) rows`;

/** Compares what this service keeps in memory with the database, which other services change too: once in a request. */
class ServerState implements SharedState {
  readonly #db: Database;
  readonly #runs = new SharedRuns(() => this.#refresh());
  readonly #turns = new Turns();
  readonly #followers: (() => void | Promise<void>)[] = [];
  #version: string | null | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  begin(): RequestTurn {
    return this.#turns.begin();
  }

  refresh(): Promise<void> {
    return this.#turns.compared(() => this.#runs.run(undefined));
  }

  follow(follower: () => void | Promise<void>): void {
    this.#followers.push(follower);
  }

  async #refresh(): Promise<void> {
    const { rows } = await VERSION.execute(this.#db);
    const version = rows[0]?.version;
    if (version === this.#version) return;
    for (const follow of this.#followers) await follow();
    // Not before: what fails is done by the next call.
    this.#version = version;
  }
}

/** `server_version_num` of PostgreSQL 15. */
const OLDEST_VERSION = 150_000;
/** SQLSTATE: there is no database of this name. */
const NO_DATABASE = '3D000';

/** SQLSTATE: another service created the database at the same time. */
const CREATED_MEANWHILE = /^(42P04|23505)$/;

/**
 * Opens the database of an address, and applies the migrations that are missing. Creates it where there is none and the user
 * may do that. A user who does not own the tables only compares them with this version (`vouch database prepare`).
 * @param address see {@link parseAddress} @param key the store key, 32 bytes: it seals the cells of bytes
 * @param options.use `shared` with other services, or `alone` for a command that must not run beside them
 * @throws {CodedError} wrong key, an older server, or a database newer than the program. @throws {HomeLocked} another
 *   process excludes this one. @throws {UnavailableError} it cannot be reached.
 */
export async function openPostgres(
  address: string,
  key: Uint8Array,
  { migrations = MIGRATIONS, use = 'shared' }: { migrations?: typeof MIGRATIONS; use?: Use } = {},
): Promise<Kysely<Schema>> {
  const server = parseAddress(address);
  const changes = new ChangeFeed();
  const presence = new ServicePresence(server, changes, use);
  await enter(presence, server);
  const pool = new ServerPool(server);
  // Without it, each statement would wait for the network's own limit of many minutes.
  presence.whenSilent(() => {
    pool.cut();
  });
  const db = new SharedDatabase(pool, presence);
  registerCells(db, new Cells(key));
  try {
    await requireServer(db, server);
    const { missing, isExpanded, excludesServices } = await schemaState(db, server.label, migrations);
    const isOwner = await maySetUp(db);
    if (isOwner && excludesServices && use === 'shared') {
      await db.destroy();
      await (await openPostgres(address, key, { migrations, use: 'alone' })).destroy();
      return await openPostgres(address, key, { migrations, use });
    }
    if (isOwner) await migrate(db, server.label, migrations);
    // The triggers of a newer version report all that this version listens to.
    if (isOwner && !isExpanded) await installChangeTriggers(db);
    if (!isOwner && (missing.length > 0 || !(isExpanded || (await hasChangeTriggers(db)))))
      throw new CodedError(problem('DATABASE_NOT_PREPARED', { label: server.label }));
    await requireKey(db, server);
  } catch (cause) {
    await db.destroy();
    throw cause;
  }
  const locks = new ServerLocks(server.label, presence);
  registerOpened(db, { kysely: db, changes, locks, state: new ServerState(db) });
  return db;
}

/** The database of a server. When it is closed, its process leaves the services of the server. */
class SharedDatabase extends Kysely<Schema> {
  readonly #presence: ServicePresence;

  constructor(pool: ServerPool, presence: ServicePresence) {
    super({ dialect: new ServerDialect({ pool }) });
    this.#presence = presence;
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.#presence.close();
  }
}

async function enter(presence: ServicePresence, server: PostgresAddress): Promise<void> {
  try {
    await presence.open().catch(async (cause: unknown) => {
      if (!(cause instanceof pg.DatabaseError && cause.code === NO_DATABASE)) throw cause;
      await createDatabase(server);
      await presence.open();
    });
  } catch (cause) {
    throw cause instanceof DatabaseHeld ? new HomeLocked(cause.message) : cause;
  }
}

/** Whether the database is empty, or its tables belong to the user. */
async function maySetUp(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ owns: number }>`
    select pg_has_role(current_user, relowner, 'usage') as owns from pg_class where oid = to_regclass('audit_entry')`.execute(
    db,
  );
  return rows[0]?.owns !== 0;
}

/** Whether the database of an address has the tables of an installation. */
export async function isPrepared(address: string): Promise<boolean> {
  const client = new pg.Client(briefConfigOf(parseAddress(address)));
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
  const client = new pg.Client(briefConfigOf({ ...server, database: 'postgres' }));
  await client.connect();
  try {
    const name = pg.escapeIdentifier(server.database);
    await client.query(
      `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
    );
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError && CREATED_MEANWHILE.test(cause.code ?? ''))) throw cause;
  } finally {
    await client.end();
  }
}

/** The key of the audit log is sealed like every column of bytes, and always there. */
async function requireKey(db: Kysely<Schema>, { label }: PostgresAddress): Promise<void> {
  try {
    const row = await db.selectFrom('audit_key').select(['id', 'private_key']).executeTakeFirstOrThrow();
    cellsOf(db).open('audit_key', 'private_key', row);
  } catch (cause) {
    if (!(cause instanceof RowDamaged)) throw cause;
    throw new CodedError(problem('DATABASE_UNREADABLE', { file: label }), { cause });
  }
}
