import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  PostgresDialect,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type QueryCompiler,
} from 'kysely';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import type { CommittedChanges } from '../changes.ts';
import { PostgresCompiler } from '../dialect.ts';
import type { PostgresAddress } from './address.ts';
import { CHANNEL, readNotification } from './changeTriggers.ts';
import type { ColumnSeal } from './sealing.ts';

/** Milliseconds. A query waits as long for the connection, which one transaction at a time has. */
const CONNECT_TIMEOUT = 60_000;
/** Milliseconds of one statement; a transaction that waits longer between two statements is rolled back. */
const STATEMENT_TIMEOUT = 300_000;
const IDLE_TIMEOUT = 60_000;
/** How long, in milliseconds, the fate of a transaction is asked for after its COMMIT was not answered. */
const COMMIT_QUESTION = 30_000;
const RETRY_DELAY = 200;
/** The number of the lock that the service holds; any number, the same in each version. */
const LOCK = 8_673_512_904;
/** SQLSTATE classes and codes after which nothing was written and a retry can help. */
const TRANSIENT = /^(08|53|57P0|57014|25006|25P03|55P03|40001|40P01)/;
/** SQLSTATE of a statement in a transaction that failed before. */
const ABORTED = '25P02';

/** The types of PostgreSQL that the driver would answer in another form than SQLite. */
const OID = { boolean: 16, bytes: 17, bigint: 20, numeric: 1700 };

/** Another service holds the database. */
export class DatabaseHeld extends UnavailableError {
  override name = 'DatabaseHeld';
}

/**
 * The one connection of the service to its database. Transactions run one after the other, as in SQLite, and the session
 * holds a lock that no second service can take: a service that lost its connection cannot write before it has the lock.
 */
export class ServerConnection implements PostgresPool {
  readonly #address: PostgresAddress;
  readonly #seal: ColumnSeal;
  readonly #changes: CommittedChanges;
  readonly #pool: pg.Pool;
  readonly options = {};
  readonly #prepared = new WeakSet<pg.PoolClient>();
  #busy = false;
  /** A COMMIT was not answered, and the server could not be asked for its result. */
  #undecided = false;

  constructor(address: PostgresAddress, seal: ColumnSeal, changes: CommittedChanges) {
    this.#address = address;
    this.#seal = seal;
    this.#changes = changes;
    this.#pool = new pg.Pool({ ...configOf(address), max: 1, idleTimeoutMillis: 0, types: this.#types() });
    // The next query takes a new connection, and reports when there is none.
    this.#pool.on('error', () => undefined);
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#undecided)
      throw new UnavailableError(
        `The result of a transaction in ${this.#address.label} is unknown. Restart the service to read the database.`,
      );
    const client = await this.#attempt(() => this.#pool.connect());
    if (!this.#prepared.has(client)) await this.#prepare(client);
    this.#busy = true;
    return new Session(
      (text, parameters) => this.#execute(client, text, parameters),
      (destroy) => {
        this.#busy = false;
        client.release(destroy);
      },
    );
  }

  async #execute(
    client: pg.PoolClient,
    text: string,
    parameters: readonly unknown[],
  ): Promise<pg.QueryResult> {
    try {
      return await this.#attempt(() =>
        text === 'commit'
          ? this.#commit(client)
          : client.query(
              text,
              parameters.map((value) => this.#sealed(value)),
            ),
      );
    } finally {
      this.#changes.publish();
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /** Takes the lock of the service, and listens. */
  async #prepare(client: pg.PoolClient): Promise<void> {
    // The server may end the session between two statements of a transaction; the next statement reports it.
    client.on('error', () => undefined);
    try {
      const { rows } = await this.#attempt(() =>
        client.query<{ held: number }>(`select pg_try_advisory_lock(${LOCK}) as held`),
      );
      if (rows[0]?.held !== 1)
        throw new DatabaseHeld(
          `Another Vouch uses the database ${this.#address.label}. Stop it first, or use another database.`,
        );
      client.on('notification', ({ payload }) => {
        const change = readNotification(payload);
        if (change !== undefined) this.#changes.note(change.topic, change.company);
        if (!this.#busy) this.#changes.publish();
      });
      await this.#attempt(() => client.query(`listen ${CHANNEL}; set synchronous_commit = on`));
      this.#prepared.add(client);
    } catch (cause) {
      client.release(true);
      throw cause;
    }
  }

  /**
   * Commits, and learns the result also where the connection ends before the answer: otherwise the rows could be there
   * while the service believes that they are not.
   */
  async #commit(client: pg.PoolClient): Promise<pg.QueryResult> {
    const transaction = await idOf(client);
    try {
      return await client.query('commit');
    } catch (cause) {
      if (transaction === null || (cause instanceof pg.DatabaseError && !isEnd(cause))) throw cause;
      if (await this.#wasCommitted(transaction, cause))
        return { command: 'COMMIT', rowCount: null, oid: 0, fields: [], rows: [] };
      throw cause;
    }
  }

  async #wasCommitted(transaction: string, cause: unknown): Promise<boolean> {
    const until = performance.now() + COMMIT_QUESTION;
    while (performance.now() < until) {
      const status = await statusOf(this.#address, transaction);
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
      await sleep(RETRY_DELAY);
    }
    this.#undecided = true;
    throw new UnavailableError(
      `The database ${this.#address.label} did not answer whether a transaction was committed. Restart the service.`,
      { cause },
    );
  }

  /** Turns faults that can pass into `UnavailableError`. */
  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof UnavailableError) throw cause;
      const code = cause instanceof pg.DatabaseError ? (cause.code ?? '') : undefined;
      if (code !== undefined && !TRANSIENT.test(code)) throw cause;
      if (code === undefined && !isNetworkFault(cause)) throw cause;
      throw new UnavailableError(
        `The database ${this.#address.label} cannot be used (${code ?? networkCode(cause)}).`,
        { cause },
      );
    }
  }

  #sealed(value: unknown): unknown {
    return value instanceof Uint8Array ? this.#seal.seal(value) : value;
  }

  #types(): pg.CustomTypesConfig {
    const seal = this.#seal;
    const parsers = new Map<number, (text: string) => unknown>([
      [OID.boolean, (text) => (text === 't' ? 1 : 0)],
      [OID.bytes, (text) => seal.open(Buffer.from(text.slice(2), 'hex'))],
      [OID.bigint, Number],
      [OID.numeric, Number],
    ]);
    const parserOf = (oid: number, format?: 'text') =>
      parsers.get(oid) ?? (pg.types.getTypeParser(oid, format) as (text: string) => unknown);
    return { getTypeParser: parserOf as pg.CustomTypesConfig['getTypeParser'] };
  }
}

type Execute = (text: string, parameters: readonly unknown[]) => Promise<pg.QueryResult>;

/** The connection while a query or a transaction has it. */
class Session implements PostgresPoolClient {
  readonly #execute: Execute;
  readonly release: (destroy?: boolean) => void;

  constructor(execute: Execute, release: (destroy?: boolean) => void) {
    this.#execute = execute;
    this.release = release;
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    text: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): PostgresCursor<R> | Promise<PostgresQueryResult<R>> {
    // The dialect is given no cursors, so that it never asks for one.
    if (typeof text !== 'string') throw new TypeError('A result is read at once.');
    return this.#execute(text, parameters).then(({ command, rowCount, rows }) => ({
      command: command as PostgresQueryResult<R>['command'],
      rowCount: rowCount ?? 0,
      rows: rows as R[],
    }));
  }
}

/** Kysely's dialect, with the spelling of this store. */
export class ServerDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new PostgresCompiler();
  }
}

/** What every connection to the server is opened with. */
export function configOf({ host, port, database, user, password, tls }: PostgresAddress): pg.ClientConfig {
  return {
    ...{ host, port, database, user, password },
    ssl: tls,
    application_name: 'vouch',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT,
  };
}

/** The id of the running transaction; null: it has changed nothing, or it failed. */
async function idOf(client: pg.PoolClient): Promise<string | null> {
  try {
    const { rows } = await client.query<{ id: string | null }>(
      'select pg_current_xact_id_if_assigned()::text as id',
    );
    return rows[0]?.id ?? null;
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && cause.code === ABORTED) return null;
    throw cause;
  }
}

/** What became of a transaction; undefined: the server does not answer. */
async function statusOf(address: PostgresAddress, transaction: string): Promise<string | undefined> {
  const client = new pg.Client(configOf(address));
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ status: string }>('select pg_xact_status($1::xid8) as status', [
      transaction,
    ]);
    return rows[0]?.status;
  } catch {
    // The caller asks until its time has passed.
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The server ended the session. */
function isEnd({ code }: pg.DatabaseError): boolean {
  return code?.startsWith('57P0') === true || code?.startsWith('08') === true;
}

/** The driver gives an ended connection no code of its own. */
function isNetworkFault(cause: unknown): boolean {
  return networkCode(cause) !== undefined;
}

function networkCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if ('syscall' in cause || cause instanceof AggregateError)
    return 'code' in cause && typeof cause.code === 'string' ? cause.code : 'connection failed';
  return /^Connection terminated|timeout exceeded when trying to connect|^timeout expired|not queryable/.test(
    cause.message,
  )
    ? cause.message
    : undefined;
}
