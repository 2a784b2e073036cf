import pg from 'pg';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import type { ChangeFeed } from '../changes.ts';
import { type PostgresAddress, configOf } from './address.ts';
import { CHANNEL, readNotification } from './changeTriggers.ts';
import { attempt } from './faults.ts';
import { SERVICE_LOCK } from './scopes.ts';

/** Milliseconds between two attempts to connect. */
const RETRY_DELAY = 500;
/** Milliseconds between two questions whether the server still answers, and that an answer may take. */
const PING_INTERVAL = 5000;
const PING_TIMEOUT = 10_000;

/** The database is held in a way that excludes this process. */
export class DatabaseHeld extends UnavailableError {
  override name = 'DatabaseHeld';
}

/** How a process uses the database: beside other services, or alone. */
export type Use = 'shared' | 'alone';

/**
 * The connection by which a process is known to the others: it holds the lock of a service, and hears what all services commit.
 * A shared one that breaks is opened again. One that is alone is not, because another process may have changed rows meanwhile.
 */
export class ServicePresence {
  readonly #address: PostgresAddress;
  readonly #changes: ChangeFeed;
  readonly #use: Use;
  #client: pg.Client | undefined;
  #isClosed = false;
  #whenSilent: () => void = () => undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(address: PostgresAddress, changes: ChangeFeed, use: Use) {
    this.#address = address;
    this.#changes = changes;
    this.#use = use;
  }

  /** @throws {DatabaseHeld} another process excludes this one. @throws {UnavailableError} the server does not answer */
  async open(): Promise<void> {
    const { label } = this.#address;
    const client = new pg.Client({ ...configOf(this.#address), query_timeout: PING_TIMEOUT });
    client.on('error', () => undefined);
    try {
      await attempt(label, () => client.connect());
      const take = this.#use === 'alone' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
      const held = await attempt(label, () =>
        client.query<{ held: boolean }>(`select ${take}(${SERVICE_LOCK}) as held`),
      );
      if (held.rows[0]?.held !== true) throw new DatabaseHeld(this.#refusal());
      client.on('notification', ({ payload }) => {
        const change = readNotification(payload);
        if (change === undefined) return;
        this.#changes.note(change.topic, change.company);
        this.#changes.publishSoon();
      });
      await attempt(label, () => client.query(`listen ${CHANNEL}`));
      // It was closed while it connected.
      if (this.#isClosed) throw new UnavailableError(`The database ${label} was closed.`);
    } catch (cause) {
      await client.end().catch(() => undefined);
      throw cause;
    }
    this.#follow(client);
  }

  /** @param listener is called when the server has not answered for 10 seconds although the connection to it stands */
  whenSilent(listener: () => void): void {
    this.#whenSilent = listener;
  }

  /** Whether this process still holds the database alone; undefined: it shares the database. */
  get isAlone(): boolean | undefined {
    return this.#use === 'shared' ? undefined : this.#client !== undefined;
  }

  /**
   * Takes a lock that at most one service has, until its connection breaks or it ends.
   * @param key two numbers that name the lock @returns whether this service has it
   */
  async tryLock(key: readonly [number, number]): Promise<boolean> {
    const client = this.#client;
    if (client === undefined) return false;
    // The lock counts how often a session took it, so a session that has it must not take it again.
    const { rows } = await attempt(this.#address.label, () =>
      client.query<{ held: boolean }>(
        `select exists (select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted
           and database = (select oid from pg_database where datname = current_database())
           and classid = $1::integer::oid and objid = $2::integer::oid and objsubid = 2)
           or pg_try_advisory_lock($1::integer, $2::integer) as held`,
        [...key],
      ),
    );
    return rows[0]?.held === true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #follow(client: pg.Client): void {
    this.#client = client;
    let isAnswered = true;
    const ping = setInterval(() => {
      if (!isAnswered) return;
      isAnswered = false;
      // A connection that the network dropped silently would be heard of after minutes.
      client.query('select 1').then(
        () => {
          isAnswered = true;
        },
        (cause: unknown) => {
          if (cause instanceof Error && cause.message === 'Query read timeout') this.#whenSilent();
          return client.end();
        },
      );
    }, PING_INTERVAL).unref();
    client.once('end', () => {
      clearInterval(ping);
      if (this.#client !== client) return;
      this.#client = undefined;
      if (!this.#isClosed && this.#use === 'shared') this.#reopenSoon();
    });
  }

  #reopenSoon(): void {
    this.#retry = setTimeout(() => {
      this.open().then(
        () => {
          // Changes that were committed meanwhile were not heard of.
          this.#changes.publishAll();
        },
        () => {
          if (!this.#isClosed) this.#reopenSoon();
        },
      );
    }, RETRY_DELAY).unref();
  }

  #refusal(): string {
    const { label } = this.#address;
    return this.#use === 'alone'
      ? `Another Vouch uses the database ${label}. Stop every service of it first, or use another database.`
      : `A command of Vouch uses the database ${label} alone. Start the service when the command has ended.`;
  }
}
