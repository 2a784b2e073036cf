/** Moves the rows of an installation from the SQLite file to a PostgreSQL database, or back. */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import { AuditAnchors } from '../audit/auditAnchors.ts';
import { AuditLog } from '../audit/auditLog.ts';
import { finishRestore } from '../backup/restore.ts';
import type { Database } from '../engine/database.ts';
import { openKeysOf } from '../erasure/keyFile.ts';
import { syncFolder, writeDurably } from '../engine/fsync.ts';
import { lockHome, readKeyFile, type Home } from '../engine/home.ts';
import { parseAddress, keptAddress } from '../engine/postgres/address.ts';
import { openDatabase, truncateWal } from '../engine/sqliteFile.ts';
import { Installation } from '../settings/companies.ts';
import {
  copyStore,
  isCopy,
  isEmptyStore,
  type Copying,
  countRows,
  copiedTables,
  COPIED_TABLES,
} from './copyStore.ts';
import { sql } from 'kysely';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { Template } from '../../contracts/faces.ts';
import type { Watchlist } from '../../domain/ports/gallery.ts';
import { Faces } from '../faces/faces.ts';
import { personsWithFaces } from '../persons/personRows.ts';
import type { Persons } from '../persons/persons.ts';
import { GallerySnapshots } from '../faces/gallerySnapshots.ts';
import { comparable } from '../faces/templates.ts';
import { rowsWith } from '../engine/rows.ts';

// The store that the installation used before a migration. It stays in the home, as a copy that each erasure names.

/** The file that becomes the database of SQLite. */
const UNFINISHED_FILE = 'migrating.db';
/** Holds the address of the server while a migration fills its database. An erasure names it as a copy. */
const UNFINISHED_ADDRESS = 'migrating.url';

function unfinishedFile({ folder }: Pick<Home, 'folder'>): string {
  return join(folder, UNFINISHED_FILE);
}

/** Notes the address of a database before the rows are copied to it, so that no copy is unknown. */
async function noteUnfinished({ folder }: Pick<Home, 'folder'>, address: string): Promise<void> {
  await writeDurably(join(folder, UNFINISHED_ADDRESS), `${address}\n`);
}

/** @param kind `db`: a file of SQLite; `url`: the address of a PostgreSQL database */
function formerName(at: Date, kind: 'db' | 'url'): string {
  return `before-migration-${at.toISOString().replaceAll(/[:.]/g, '-')}.${kind}`;
}

/**
 * Finishes or removes what a migration left in the files of the home: removes an unfinished file of SQLite, and renames the
 * file of SQLite of a home that uses PostgreSQL. Needs the lock of the home.
 */
export async function setAside({ database, databaseAddress, folder }: Home, now: Date): Promise<void> {
  for (const suffix of ['', '-wal', '-shm'])
    await rm(join(folder, UNFINISHED_FILE + suffix), { force: true });
  if (!existsSync(databaseAddress)) return;
  await rm(join(folder, UNFINISHED_ADDRESS), { force: true });
  if (!existsSync(database)) return;
  const former = join(folder, formerName(now, 'db'));
  await rm(`${database}-shm`, { force: true });
  if (existsSync(`${database}-wal`)) await rename(`${database}-wal`, `${former}-wal`);
  await rename(database, former);
  await syncFolder(folder);
}

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
  return from === undefined ? openDatabase(home.database, key) : openServerAlone(home, from, key);
}

function openTarget({ home, to, key }: Direction): Promise<Database> {
  return to === undefined ? openDatabase(unfinishedFile(home), key) : openServerAlone(home, to, key);
}

async function openServerAlone(home: Home, address: string, key: Uint8Array): Promise<Database> {
  const { openPostgres } = await import('../engine/postgres/open.ts');
  const db = await openPostgres(address, key, { use: 'alone' });
  try {
    await openKeysOf(home, db);
    return db;
  } catch (cause) {
    await db.destroy();
    throw cause;
  }
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
  const { databaseAddress, database, folder, rowTotals } = home;
  if (to !== undefined) {
    await writeDurably(databaseAddress, `${to}\n`);
    await setAside(home, now);
    return formerName(now, 'db');
  }
  await rename(unfinishedFile(home), database);
  await syncFolder(folder);
  const former = formerName(now, 'url');
  await rename(databaseAddress, join(folder, former));
  await rm(rowTotals, { force: true });
  await syncFolder(folder);
  return former;
}

// The parts of a database by which searches on two databases are compared.

export interface SearchedStore {
  companies: { list(): Promise<readonly { id: CompanyId }[]> };
  faces: Faces;
  gallerySnapshots: GallerySnapshots;
  persons: Pick<Persons, 'withAllFaces'>;
  /** The pipeline of each company. */
  serving(): Promise<Map<CompanyId, PipelineId>>;
  /** All lists that a search of the company can name. */
  watchlists(company: CompanyId): Promise<Watchlist[]>;
  /** Templates of random faces, of the pipelines that serve their companies. */
  samples(count: number): Promise<{ company: CompanyId; template: Template }[]>;
}

function searchedStore(db: Database): SearchedStore {
  return {
    companies: { list: () => db.selectFrom('company').select('id').execute() },
    faces: new Faces(db),
    gallerySnapshots: new GallerySnapshots(db),
    persons: { withAllFaces: personsWithFaces.bind(undefined, db) },
    async serving() {
      const rows = await db.selectFrom('active_pipeline').select(['company_id', 'pipeline_id']).execute();
      return new Map(rows.map((row) => [row.company_id, row.pipeline_id]));
    },
    async watchlists(company) {
      const lists = await rowsWith(db, 'blacklist', { company_id: company }).select('id').execute();
      return [
        { kind: 'duplicate' },
        ...lists.map(({ id }) => ({ kind: 'blacklist' as const, blacklistId: id })),
      ];
    },
    async samples(count) {
      const rows = await db
        .selectFrom('template')
        .innerJoin('active_pipeline', (joined) =>
          joined
            .onRef('active_pipeline.company_id', '=', 'template.company_id')
            .onRef('active_pipeline.pipeline_id', '=', 'template.pipeline_id'),
        )
        .selectAll('template')
        .orderBy(sql`random()`)
        .limit(count)
        .execute();
      const samples = [];
      for (const row of rows) {
        const template = await comparable(db, row);
        if (template !== null) samples.push({ company: row.company_id, template });
      }
      return samples;
    },
  };
}
