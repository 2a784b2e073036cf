import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';

/** Ended windows are deleted with the first request of so many. */
const CLEAN_EVERY = 1000;

/** Milliseconds, by the clock of the server. */
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Counts the requests of all services that share a PostgreSQL database. */
export class RequestCounts {
  readonly #db: Database;
  #counted = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Counts one request.
   * @param key names whose request it is @param window milliseconds from the first request that is counted
   * @returns the requests in the window, this one included, and the milliseconds until it ends
   * @throws {UnavailableError} the store cannot be used
   */
  async count(key: string, window: number): Promise<{ count: number; remaining: number }> {
    if (this.#counted++ % CLEAN_EVERY === 0)
      await sql`delete from request_count where ends_at <= ${NOW}`.execute(this.#db);
    const { rows } = await sql<{ count: number; remaining: number }>`
      insert into request_count as known (key, ends_at, count) values (${key}, ${NOW} + ${window}::bigint, 1)
      on conflict (key) do update set
        count = case when known.ends_at <= ${NOW} then 1 else known.count + 1 end,
        ends_at = case when known.ends_at <= ${NOW} then excluded.ends_at else known.ends_at end
      returning count, ends_at - ${NOW} as remaining`.execute(this.#db);
    const { count, remaining } = rows[0]!;
    return { count, remaining };
  }
}
