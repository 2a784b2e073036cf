/** Opens the database of a home: the SQLite file in it, or the PostgreSQL server that it names. */
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Database } from './engine/database.ts';
import { renewKeys } from './engine/searchKeys.ts';
import { openDatabase } from './engine/sqliteFile.ts';
import { ServerNodes, type Nodes } from './engine/postgres/nodes.ts';
import type { ServerGalleryFeed } from './engine/postgres/galleryFeed.ts';
import { cellsOf } from './engine/cells.ts';
import { GallerySnapshots, SnapshotFiles } from './faces/gallerySnapshots.ts';
import type { Home } from './engine/home.ts';
import { keptImages } from './images/places/imagePlaces.ts';
import { ServerHealth } from './diagnostics/serverHealth.ts';
import { SqliteStoreHealth } from './diagnostics/storeHealth.ts';
import type { StoreHealth } from '../domain/ports/diagnostics.ts';
import { randomBytes } from 'node:crypto';
import { writeDurably } from './engine/fsync.ts';
import { sql } from 'kysely';
import { Rows } from './engine/rows.ts';

/** Ended windows are deleted with the first request of so many. */
const CLEAN_EVERY = 1000;

/** Milliseconds, by the clock of the server. */
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Counts the requests of all services that share a PostgreSQL database. */
export class RequestCounts extends Rows {
  #counted = 0;

  /**
   * Counts one request.
   * @param key names whose request it is @param window milliseconds from the first request that is counted
   * @returns the requests in the window, this one included, and the milliseconds until it ends
   * @throws {UnavailableError} the store cannot be used
   */
  async count(key: string, window: number): Promise<{ count: number; remaining: number }> {
    if (this.#counted++ % CLEAN_EVERY === 0)
      await sql`delete from request_count where ends_at <= ${NOW}`.execute(this.db);
    const { rows } = await sql<{ count: number; remaining: number }>`
      insert into request_count as known (key, ends_at, count) values (${key}, ${NOW} + ${window}::bigint, 1)
      on conflict (key) do update set
        count = case when known.ends_at <= ${NOW} then 1 else known.count + 1 end,
        ends_at = case when known.ends_at <= ${NOW} then excluded.ends_at else known.ends_at end
      returning count, ends_at - ${NOW} as remaining`.execute(this.db);
    const { count, remaining } = rows[0]!;
    return { count, remaining };
  }
}

/** Whether there is a database that a new store key could not open. */
export async function hasRows(home: Home, address: string | undefined): Promise<boolean> {
  if (address === undefined) return existsSync(home.database);
  const { isPrepared } = await import('./engine/postgres/open.ts');
  return isPrepared(address);
}

/** The open database, and the ports that depend on its kind. */
export interface Engine {
  db: Database;
  /** Undefined: this process is the only service, and counts in memory. */
  requestCounts: RequestCounts | undefined;
  /** Of PostgreSQL, which other services may use. */
  nodes: Nodes | undefined;
  storeHealth: StoreHealth;
  /** Stays empty on PostgreSQL. */
  gallerySnapshots: GallerySnapshots;
  /** Of PostgreSQL, which other services may change. */
  galleryFeed: ServerGalleryFeed | undefined;
  /** The name of this service among those of its database. */
  name: string;
}

/** Opens the database of a home. The driver of PostgreSQL is loaded only where the home names a server. */
export async function openEngine(home: Home, key: Uint8Array, address: string | undefined): Promise<Engine> {
  const name = await nodeName(home);
  if (address === undefined) {
    // Of a server that the installation has left: the keys of these files stayed there.
    await rm(home.gallerySnapshots, { recursive: true, force: true });
    await rm(home.rowTotals, { force: true });
    const db = await openDatabase(home.database, key);
    await renewKeys(db);
    return {
      db,
      name,
      gallerySnapshots: new GallerySnapshots(db),
      requestCounts: undefined,
      galleryFeed: undefined,
      nodes: undefined,
      storeHealth: new SqliteStoreHealth(db, home.database, key),
    };
  }
  const { openPostgres } = await import('./engine/postgres/open.ts');
  const { ServerGalleryFeed } = await import('./engine/postgres/galleryFeed.ts');
  const db = await openPostgres(address, key);
  const galleryFeed = new ServerGalleryFeed(address, cellsOf(db));
  await renewKeys(db);
  return {
    db,
    name,
    requestCounts: new RequestCounts(db),
    galleryFeed,
    nodes: new ServerNodes(db, name),
    gallerySnapshots: new GallerySnapshots(db, new SnapshotFiles(name, home.gallerySnapshots)),
    storeHealth: new ServerHealth(db, keptImages(home) !== undefined),
  };
}

/** The name of the service of a home: random, and kept in a file from the first start on. */
async function nodeName({ nodeName: file }: Pick<Home, 'nodeName'>): Promise<string> {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const name = randomBytes(6).toString('hex');
  await writeDurably(file, `${name}\n`);
  return name;
}
