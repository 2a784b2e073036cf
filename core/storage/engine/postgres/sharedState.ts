import { sql } from 'kysely';
import type { Database, SharedState } from '../database.ts';
import { Turns } from './turns.ts';
import { SharedRuns } from '../../../domain/work/turns.ts';
import type { RequestTurn } from '../../../domain/ports/machine.ts';

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
export class ServerState implements SharedState {
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
