import { Socket } from 'node:net';
import pg from 'pg';
import {
  PostgresDialect,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type QueryCompiler,
} from 'kysely';
import { PostgresCompiler } from '../dialect.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { type PostgresAddress, configOf } from './address.ts';
import { commit, TIMELINE } from './commit.ts';
import { attempt, connecting, isOutdatedPlan } from './faults.ts';
import { TRANSACTION_ID } from './scopes.ts';
import { createHash } from 'node:crypto';

/** Statements that each connection prepares at most: more than the product has, but for lists of ids of every length. */
const MAX_STATEMENTS = 250;
/** Uses from which a statement is worth preparing. */
const OFTEN = 3;
/** Statements whose uses are counted at most. */
const COUNTED = 2000;

/**
 * Names statements that are used often, so that the server parses and plans them once for each connection. Measured: 0.3 to 0.7
 * of the time of a statement without a name.
 */
class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #uses = new Map<string, number>();

  /** @returns undefined: the statement is not prepared */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size === MAX_STATEMENTS) return known;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < OFTEN) {
      if (this.#uses.size === COUNTED) this.#uses.clear();
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    this.#names.set(text, name);
    return name;
  }
}

/** The parsers, by their OIDs, of the types that the driver would answer in another form than SQLite. */
const PARSERS = new Map<number, (text: string) => unknown>([
  // boolean
  [16, (text) => (text === 't' ? 1 : 0)],
  // bytea
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  // bigint, numeric
  [20, Number],
  [1700, Number],
]);
const parserOf = (oid: number, format?: 'text') =>
  PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, format) as (text: string) => unknown);
/** Reads values as SQLite gives them. */
export const TYPES: pg.CustomTypesConfig = {
  getTypeParser: parserOf as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * Settings of each session. Locks and statements rely on READ COMMITTED: what was committed before a lock was got is seen after it.
 * SERIALIZABLE promises more, so a server that demands it keeps it.
 */
const SESSION = `set synchronous_commit = on; select set_config('default_transaction_isolation',
  case current_setting('default_transaction_isolation') when 'serializable' then 'serializable' else 'read committed' end, false)`;

/**
 * A socket that sends what is written before the process waits again at once: the driver writes each statement by itself, and each
 * write of a socket costs this process and the server a call of the system.
 */
export class GatheringSocket extends Socket {
  #gathers = false;

  override cork(): void {
    if (!this.#gathers) {
      this.#gathers = true;
      super.cork();
      process.nextTick(() => {
        this.#gathers = false;
        super.uncork();
      });
    }
    super.cork();
  }
}

/** Several statements at once cannot be prepared. */
const ONE_QUERY = /^\s*select [^;]*$/;

/** The connections of a service to its database. */
export class ServerPool implements PostgresPool {
  readonly #address: PostgresAddress;
  readonly #pool: pg.Pool;
  readonly #names = new StatementNames();
  /** Connections with statements that were prepared before another version of the program changed a table. */
  readonly #outdated = new WeakSet<pg.PoolClient>();
  /** Of the connections whose session was set up, the timeline of their server. */
  readonly #timelines = new WeakMap<pg.PoolClient, string>();
  readonly #sockets = new Set<Socket>();
  readonly options = {};

  constructor(address: PostgresAddress) {
    this.#address = address;
    this.#pool = new pg.Pool({
      ...configOf(address),
      max: address.connections,
      // Statements that were sent without waiting for the answers before them.
      pipeline: true,
      idleTimeoutMillis: 0,
      types: TYPES,
      stream: () => this.#newSocket(),
    });
    // The next query takes a new connection, and reports when there is none.
    this.#pool.on('error', () => undefined);
    // The server may end the session at any time; the next statement reports it. An event of a session that was just opened
    // can come before the caller of `connect` runs.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async connect(): Promise<PostgresPoolClient> {
    const { label } = this.#address;
    const client = await connecting(label, () => this.#pool.connect());
    const timeline = this.#timelines.get(client) ?? (await this.#prepare(client));
    return new Session({
      release: (destroy) => {
        client.release(destroy === true || this.#outdated.has(client));
      },
      query: (text, parameters) => attempt(label, () => this.#query(client, text, parameters)),
      commit: (transaction) => attempt(label, () => commit(this.#address, { client, timeline }, transaction)),
    });
  }

  async #query(
    client: pg.PoolClient,
    text: string,
    parameters: readonly unknown[],
  ): Promise<pg.QueryResult | pg.QueryResult[]> {
    if (parameters.length === 0 && !ONE_QUERY.test(text)) {
      return client.query(text);
    }
    const name = this.#outdated.has(client) ? undefined : this.#names.of(text);
    const values = [...parameters];
    try {
      return await client.query({ text, values, ...(name !== undefined && { name }) });
    } catch (cause) {
      if (isOutdatedPlan(cause)) this.#outdated.add(client);
      throw cause;
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /** Ends all connections, because the network to the server no longer carries their bytes. Their statements fail. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #newSocket(): Socket {
    const socket = new GatheringSocket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  /** Sets up a new session. @returns the timeline of the server @throws {UnavailableError} it is a standby, which answers late */
  async #prepare(client: pg.PoolClient): Promise<string> {
    const { label } = this.#address;
    try {
      await attempt(label, () => client.query(SESSION));
      const { rows } = await attempt(label, () =>
        client.query<{ timeline: string | null }>(`select ${TIMELINE} as timeline`),
      );
      const timeline = rows[0]?.timeline ?? null;
      if (timeline === null)
        throw new UnavailableError(`The database ${label} is a standby. Connect to the primary server.`);
      this.#timelines.set(client, timeline);
      return timeline;
    } catch (cause) {
      client.release(true);
      throw cause;
    }
  }
}

interface Uses {
  release(destroy: boolean | undefined): void;
  query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult | pg.QueryResult[]>;
  /** @returns false: a statement before it failed, so all was rolled back */
  commit(transaction: string | undefined): Promise<boolean>;
}

/** A connection while a query or a transaction has it. */
class Session implements PostgresPoolClient {
  readonly #uses: Uses;
  /** BEGIN was asked for. It is sent with the first statement, which saves a round trip to the server. */
  #isBeginning = false;
  /** A transaction runs; its id is known from the answer to its first statement. */
  #transaction: { id?: string | undefined } | undefined;
  /** Why the transaction failed. The statements behind that one were sent already, and tell only that it did. */
  #failure: Error | undefined;

  constructor(uses: Uses) {
    this.#uses = uses;
  }

  release(destroy?: boolean): void {
    this.#uses.release(destroy);
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    text: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): PostgresCursor<R> | Promise<PostgresQueryResult<R>> {
    // The dialect is given no cursors, so that it never asks for one.
    if (typeof text !== 'string') throw new TypeError('A result is read at once.');
    return this.#run<R>(text, parameters);
  }

  async #run<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const isBeginning = this.#isBeginning;
    this.#isBeginning = text === 'begin';
    if (text === 'begin' || (isBeginning && (text === 'commit' || text === 'rollback'))) return answer([]);
    if (text === 'commit') {
      if (!(await this.#uses.commit(this.#transaction?.id)))
        throw this.#failure ?? new Error('The server rolled a transaction back.');
      return answer([]);
    }
    const transaction = isBeginning ? (this.#transaction = {}) : this.#transaction;
    // Several statements at once take no parameters.
    if (isBeginning && parameters.length > 0) await this.#uses.query('begin', []);
    const sent = isBeginning && parameters.length === 0 ? `begin; ${text}` : text;
    const results = await this.#uses.query(sent, parameters).catch((cause: unknown) => {
      if (transaction === undefined || !(cause instanceof Error)) throw cause;
      this.#failure ??= cause;
      throw this.#failure;
    });
    const result = Array.isArray(results) ? results.at(-1)! : results;
    const rows = result.rows as R[];
    if (isBeginning && transaction !== undefined) transaction.id = idIn(rows[0]);
    return answer(rows, result);
  }
}

/** The id of its transaction, which the statement of the locks answers. */
function idIn(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null || !(TRANSACTION_ID in row)) return undefined;
  const id = row[TRANSACTION_ID];
  return typeof id === 'string' ? id : undefined;
}

function answer<R>(rows: R[], result?: pg.QueryResult): PostgresQueryResult<R> {
  return {
    // Of COMMIT and the like the dialect reads nothing.
    command: (result?.command ?? 'SELECT') as PostgresQueryResult<R>['command'],
    rowCount: result?.rowCount ?? 0,
    rows,
  };
}

/** Kysely's dialect, with the spelling of this store. */
export class ServerDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new PostgresCompiler();
  }
}
