/** Moves the rows of an installation from the SQLite file to a PostgreSQL database, or back. */
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import { AuditAnchors } from '../audit/auditAnchors.ts';
import { AuditLog } from '../audit/auditLog.ts';
import { finishRestore } from '../backup/activateRestore.ts';
import type { Database } from '../engine/database.ts';
import { syncFolder, writeDurably } from '../engine/fsync.ts';
import { lockHome, readKeyFile, type Home } from '../engine/home.ts';
import { parseAddress } from '../engine/postgres/address.ts';
import { keptAddress } from '../engine/postgres/keptAddress.ts';
import { openDatabase, truncateWal } from '../engine/sqliteFile.ts';
import { Installation } from '../settings/companies.ts';
import { copyStore, isCopy, isEmptyStore, type Copying } from './copyStore.ts';
import { formerName, noteUnfinished, setAside, unfinishedFile } from './formerStore.ts';
import { countRows } from './rows.ts';
import { searchedStore, type SearchedStore } from './searchedStore.ts';
import { copiedTables, COPIED_TABLES } from './tables.ts';

/** The source, the destination and the extent of a planned migration. */
export interface MigrationPlan {
  /** The file, or host, port and name of the database. */
  from: string;
  to: string;
  tables: number;
  rows: number;
}

export interface MigrationSteps {
  /** Asked before anything is written. @returns whether the migration begins */
  confirm(plan: MigrationPlan): Promise<boolean>;
  /** @param done rows that were copied, and rows that were compared @param total of both */
  progress(done: number, total: number): void;
  /** Compares the answers of both sides. @returns how many searches were compared @throws they differ */
  compareSearches(source: SearchedStore, target: SearchedStore): Promise<number>;
}

export interface Migrated extends MigrationPlan {
  searches: number;
  /** The name in the home of what the installation used before. */
  former: string;
}

/**
 * Copies the rows, compares them, and then makes the copy the database of the home. Until that last step the old database
 * counts: a migration that was cut off can be started again, and a service that is started instead continues where it was.
 * @param to the address of a PostgreSQL database, or `sqlite` @returns undefined: it was not confirmed
 * @throws {HomeLocked} a service runs. @throws {CodedError} the other database is in use, or the copy differs; nothing was changed
 */
export async function migrateStore(
  home: Home,
  to: string,
  clock: Clock,
  steps: MigrationSteps,
): Promise<Migrated | undefined> {
  const lock = lockHome(home);
  try {
    await finishRestore(home);
    await setAside(home, clock.now());
    return await run(directionOf(home, to), clock, steps);
  } finally {
    lock.release();
  }
}

/** A migration whose direction was checked. */
interface Direction {
  home: Home;
  /** The address of the present database; undefined: the file of SQLite. */
  from: string | undefined;
  /** The address of the next one; undefined: the file of SQLite. */
  to: string | undefined;
  key: Uint8Array;
}

function directionOf(home: Home, wanted: string): Direction {
  const from = keptAddress(home);
  const to = wanted === 'sqlite' ? undefined : wanted;
  if (from === undefined && !existsSync(home.database))
    throw new CodedError(problem('MIGRATION_NOTHING', { folder: home.folder }));
  if ((from === undefined) === (to === undefined))
    throw new CodedError(
      problem('MIGRATION_SAME_KIND', { kind: from === undefined ? 'SQLite' : 'PostgreSQL' }),
    );
  return { home, from, to, key: readKeyFile(home.keyFile, true) };
}

async function run(direction: Direction, clock: Clock, steps: MigrationSteps): Promise<Migrated | undefined> {
  const { home, from, to } = direction;
  const done = await withDatabase(openSource(direction), async (source) => {
    const plan = { from: labelOf(home, from), to: labelOf(home, to), ...(await countAll(source)) };
    if (!(await steps.confirm(plan))) return undefined;
    return withDatabase(openTarget(direction), async (target) => {
      await fill(direction, { source, target }, plan, { clock, steps });
      const searches = await steps.compareSearches(searchedStore(source), searchedStore(target));
      // The file of SQLite is then whole without its log.
      await truncateWal(to === undefined ? target : source);
      return { ...plan, searches };
    });
  });
  return done && { ...done, former: await switchTo(direction, clock.now()) };
}

async function withDatabase<T>(opening: Promise<Database>, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await opening;
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

function openSource({ home, from, key }: Direction): Promise<Database> {
  return from === undefined ? openDatabase(home.database, key) : openServerAlone(from, key);
}

function openTarget({ home, to, key }: Direction): Promise<Database> {
  return to === undefined ? openDatabase(unfinishedFile(home), key) : openServerAlone(to, key);
}

async function openServerAlone(address: string, key: Uint8Array): Promise<Database> {
  const { openPostgres } = await import('../engine/postgres/open.ts');
  return openPostgres(address, key, { use: 'alone' });
}

function labelOf(home: Home, address: string | undefined): string {
  return address === undefined ? home.database : parseAddress(address).label;
}

async function countAll(db: Database): Promise<Pick<MigrationPlan, 'tables' | 'rows'>> {
  let rows = 0;
  for (const name of COPIED_TABLES) rows += await countRows(db, name);
  return { tables: COPIED_TABLES.length, rows };
}

async function fill(
  { home, from, to }: Direction,
  { source, target }: Pick<Copying, 'source' | 'target'>,
  { rows }: MigrationPlan,
  { clock, steps }: { clock: Clock; steps: MigrationSteps },
): Promise<void> {
  const installation = new Installation(source, new AuditLog(source));
  const anchors = new AuditAnchors(
    home.auditAnchors,
    async () => (await installation.settings()).externalAnchorFile,
  );
  let done = 0;
  const copying: Copying = {
    source,
    target,
    tables: await copiedTables(from === undefined ? source : target),
    anchors: (await anchors.read()).kept,
    act: { by: 'local-admin', at: clock.now() },
    progress: (more) => {
      done += more;
      steps.progress(done, 2 * rows);
    },
  };
  if (await isEmptyStore(target)) {
    if (to !== undefined) await noteUnfinished(home, to);
    await copyStore(copying);
  } else if (!(await isCopy(copying)))
    throw new CodedError(problem('MIGRATION_TARGET_USED', { label: labelOf(home, to) }));
}

/** Makes the copy the database of the home. @returns the name in the home of what it used before */
async function switchTo({ home, to }: Direction, now: Date): Promise<string> {
  const { databaseAddress, database, folder } = home;
  if (to !== undefined) {
    await writeDurably(databaseAddress, `${to}\n`);
    await setAside(home, now);
    return formerName(now, 'db');
  }
  await rename(unfinishedFile(home), database);
  await syncFolder(folder);
  const former = formerName(now, 'url');
  await rename(databaseAddress, join(folder, former));
  await syncFolder(folder);
  return former;
}
