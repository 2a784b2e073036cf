import { sql } from 'kysely';
import { ITEM_STATUS } from '../../../contracts/codes.ts';
import type { NodeRole, NodeState } from '../../../contracts/nodes.ts';
import { lead, writing, type Database } from '../database.ts';
import { CLOCK_SLACK } from '../../../domain/values/time.ts';

/** A service that has not reported for so long does not count as alive, milliseconds. */
export const ALIVE_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;
/** A service that has not reported for so long is no longer listed, milliseconds. */
const LISTED_MS = DAY_MS;
/** A service that has not reported for so long is forgotten, with the keys of its gallery files, milliseconds. */
export const KEPT_MS = 30 * DAY_MS;

/** Milliseconds since 1970 by the clock of the database: the clocks of the machines may differ. */
const NOW = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

interface Row {
  name: string;
  role: NodeRole;
  version: string;
  address: string | null;
  started_at: number;
  seen_at: number;
  alive: number;
  draining: number;
  leads: number;
  answered: number;
  leases: number;
}

/** The services of a PostgreSQL database, in its table `node`. */
export class ServerNodes implements Nodes {
  readonly name: string;
  readonly #db: Database;
  /** By the clock of the database. */
  #startedAt: number | undefined;

  constructor(db: Database, name: string) {
    this.#db = db;
    this.name = name;
  }

  async report({ role, version, address, draining, leads, answered }: NodeReport): Promise<void> {
    await writing(this.#db, 'unlocked', async (trx) => {
      const { rows } = await sql<{ started_at: number }>`
        insert into node (name, role, version, address, started_at, seen_at, draining, leads,
          answered)
        values (${this.name}, ${role}, ${version}, ${address}, coalesce(${this.#startedAt ?? null}, ${NOW}), ${NOW},
          ${Number(draining)}, ${Number(leads)}, ${answered})
        on conflict (name) do update set role = excluded.role, version = excluded.version, address = excluded.address,
          started_at = excluded.started_at, seen_at = excluded.seen_at, draining = excluded.draining,
          leads = excluded.leads, answered = excluded.answered, stopped = 0
        returning started_at`.execute(trx);
      this.#startedAt = rows[0]?.started_at;
      await sql`
        with forgotten as (delete from node where seen_at < ${NOW} - ${KEPT_MS} returning name)
        delete from gallery_snapshot where node in (select name from forgotten)`.execute(trx);
    });
  }

  async leave(): Promise<void> {
    await writing(this.#db, 'unlocked', (trx) =>
      sql`update node set stopped = 1, leads = 0 where name = ${this.name}`.execute(trx),
    );
  }

  async list(): Promise<NodeState[]> {
    const { rows } = await sql<Row>`
      select n.*, cast(n.seen_at between ${NOW} - ${ALIVE_MS} and ${NOW} + ${CLOCK_SLACK} as integer) as alive,
        (select count(*) from upload_item i where i.leased_by = n.name and i.status = ${ITEM_STATUS.Pending}
          and i.leased_until > ${NOW}) as leases
      from node n where n.stopped = 0 and n.seen_at > ${NOW} - ${LISTED_MS} order by n.name`.execute(
      this.#db,
    );
    return rows.map((row) => ({
      name: row.name,
      role: row.role,
      version: row.version,
      address: row.address,
      startedAt: new Date(row.started_at).toISOString(),
      seenAt: new Date(row.seen_at).toISOString(),
      alive: row.alive === 1,
      draining: row.draining === 1,
      leads: row.alive === 1 && row.leads === 1,
      answered: row.answered,
      leases: row.leases,
    }));
  }

  lead(): Promise<boolean> {
    return lead(this.#db);
  }
}

// The services that share one database. SQLite has one service, and no implementation of this port.

/** The facts that a service reports about itself. */
export interface NodeReport {
  role: NodeRole;
  /** The version of the program. */
  version: string;
  /** Null: it listens on no port. */
  address: string | null;
  draining: boolean;
  /** Photos that it has enrolled or rejected since its start. */
  answered: number;
  leads: boolean;
}

export interface Nodes {
  /** The name of this service; the same after a restart. */
  readonly name: string;
  /** Records that this service runs. It counts as alive for 30 seconds. */
  report(report: NodeReport): Promise<void>;
  /** Removes this service, which ends, from the list. */
  leave(): Promise<void>;
  /** All services that have reported within the last day and did not stop, by name. */
  list(): Promise<NodeState[]>;
  /**
   * Tries to become the one service that does the work for all. It stays that until it ends or loses its connection.
   * @returns whether it is
   */
  lead(): Promise<boolean>;
}
