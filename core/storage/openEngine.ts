/** Opens the database of a home: the SQLite file in it, or the PostgreSQL server that it names. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Database } from './engine/database.ts';
import { renewKeys } from './engine/searchKeys.ts';
import { openDatabase } from './engine/sqliteFile.ts';
import { ServerNodes } from './engine/postgres/nodes.ts';
import { nodeName } from './home/nodeName.ts';
import type { ServerGalleryFeed } from './engine/postgres/galleryFeed.ts';
import { ColumnSeal } from './engine/postgres/sealing.ts';
import { RequestCounts } from './credentials/requestCounts.ts';
import { GallerySnapshots } from './faces/gallerySnapshots.ts';
import { SnapshotFiles } from './faces/snapshotFiles.ts';
import type { Home } from './engine/home.ts';
import { keptImages } from './images/keptImages.ts';
import { ServerHealth } from './diagnostics/serverHealth.ts';
import { SqliteStoreHealth } from './diagnostics/storeHealth.ts';
import type { StoreHealth } from '../domain/ports/diagnostics.ts';
import type { Nodes } from '../domain/ports/nodes.ts';

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
  const galleryFeed = new ServerGalleryFeed(address, new ColumnSeal(key));
  const db = await openPostgres(address, key);
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
