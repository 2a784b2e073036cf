/** Copies all rows of one database into an empty one, in one transaction, and compares them before it is committed. */
import { sql, type QueryExecutorProvider } from 'kysely';
import { CodedError, sentenceOf, problem } from '../../contracts/errors/problem.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { KeptAnchors } from '../../domain/ports/auditEntry.ts';
import { AuditLog } from '../audit/auditLog.ts';
import { cellsOf } from '../engine/cells.ts';
import { beginTotals } from '../engine/codedRows.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { choose, isPostgres } from '../engine/dialect.ts';
import { createHash } from 'node:crypto';
import { TOPICS_OF_TABLES } from '../engine/changes.ts';

// The tables that a migration between the databases copies, as SQLite describes them. Both databases have the same columns.

/** Rows that the service computes from others. */
const DERIVED: ReadonlySet<string> = new Set(['gallery_snapshot', 'row_total']);

/** The names of the tables, in no particular order. */
export const COPIED_TABLES: readonly string[] = Object.keys(TOPICS_OF_TABLES).filter(
  (name) => !DERIVED.has(name),
);

interface CopiedTable {
  name: string;
  columns: readonly string[];
  /** The columns of the primary key, in its order. */
  key: readonly string[];
  /** The database numbers its rows, and never gives a number twice. */
  isNumbered: boolean;
}

/** @param sqlite a database of SQLite with the schema of this version @returns each table after those that it refers to */
export async function copiedTables(sqlite: Database): Promise<CopiedTable[]> {
  const parents = new Map<string, ReadonlySet<string>>();
  for (const name of COPIED_TABLES) parents.set(name, await parentsOf(sqlite, name));
  const ordered: string[] = [];
  while (ordered.length < COPIED_TABLES.length) {
    const ready = COPIED_TABLES.filter(
      (name) =>
        !ordered.includes(name) && [...parents.get(name)!].every((parent) => ordered.includes(parent)),
    );
    if (ready.length === 0) throw new Error('Tables refer to each other in a circle.');
    ordered.push(...ready);
  }
  return Promise.all(ordered.map((name) => describe(sqlite, name)));
}

/** A row that refers to its own table refers to an earlier row. */
async function parentsOf(sqlite: Database, name: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ parent: string }>`
    select "table" as parent from pragma_foreign_key_list(${name})`.execute(sqlite);
  return new Set(rows.map(({ parent }) => parent).filter((parent) => parent !== name));
}

async function describe(sqlite: Database, name: string): Promise<CopiedTable> {
  const { rows } = await sql<{ name: string; pk: number }>`
    select name, pk from pragma_table_info(${name}) order by cid`.execute(sqlite);
  const key = rows.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  if (key.length === 0) throw new Error(`The table ${name} has no primary key.`);
  const numbered = await sql`
    select 1 from sqlite_master where name = ${name} and sql like '%autoincrement%'`.execute(sqlite);
  return {
    name,
    columns: rows.map((row) => row.name),
    key: key.map((row) => row.name),
    isNumbered: numbered.rows.length > 0,
  };
}

// Rows of any table: read in the order of their key, written, and compared by digests.

export type Row = Readonly<Record<string, string | number | Uint8Array | null>>;

/** Rows of one statement. The widest table has some 25 columns; SQLite takes 32,766 parameters. */
const PAGE = 500;

/** Count and digest of the rows of a table. The digest does not depend on the order, which differs for sealed columns. */
export interface Content {
  rows: number;
  digest: bigint;
}

const NOTHING: Content = { rows: 0, digest: 0n };

/** Adds rows to the content: the digest is the sum of the rows' SHA-256, modulo 2^256. */
function withRows(content: Content, table: CopiedTable, rows: readonly Row[]): Content {
  let { digest } = content;
  for (const row of rows) {
    const values = table.columns.map((column) => canonical(row[column] ?? null));
    const hash = createHash('sha256').update(JSON.stringify(values)).digest('hex');
    digest = BigInt.asUintN(256, digest + BigInt(`0x${hash}`));
  }
  return { rows: content.rows + rows.length, digest };
}

/** A value that JSON writes without a loss. Bytes and texts have different forms. */
function canonical(value: Row[string]): string | number | null | { bytes: string } {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
}

/** Reads all rows of a table in pages. Their cells are opened, and have no codes. */
async function* rowsOf(db: QueryExecutorProvider, table: CopiedTable): AsyncIterable<readonly Row[]> {
  const cells = cellsOf(db);
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ;) {
    const after =
      last === undefined
        ? sql``
        : sql` where (${key}) > (${sql.join(table.key.map((column) => last![column]))})`;
    const { rows } = await sql<Row>`
      select ${sql.join(table.columns.map((column) => sql.ref(column)))} from ${sql.table(table.name)}${after}
      order by ${key} limit ${sql.lit(PAGE)}`.execute(db);
    if (rows.length > 0) yield rows.map((row) => cells.plainRow(table.name, row));
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
}

/** @param rows with plain cells and without codes */
export async function insertRows(
  db: QueryExecutorProvider,
  table: CopiedTable,
  rows: readonly Row[],
): Promise<void> {
  const cells = cellsOf(db);
  const stored = rows.map((row) => cells.sealedRow(table.name, row));
  const values = stored.map((row) => sql`(${sql.join(table.columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(table.name)} (${sql.join(table.columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(db);
}

/** @returns count and digest of all rows of a table */
export async function contentOf(
  db: QueryExecutorProvider,
  table: CopiedTable,
  read: (rows: number) => void = () => undefined,
): Promise<Content> {
  let content = NOTHING;
  for await (const rows of rowsOf(db, table)) {
    content = withRows(content, table, rows);
    read(rows.length);
  }
  return content;
}

export async function countRows(db: QueryExecutorProvider, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Tables in which the migration itself writes an entry on the new side. */
const LOG: ReadonlySet<string> = new Set(['audit_entry', 'audit_head']);
/** The trigger that refuses to delete the key of a new database, which gives way to that of the installation. */
const KEY_GUARD = 'audit_key_no_delete';

export interface Copying {
  source: Database;
  target: Database;
  tables: readonly CopiedTable[];
  anchors: readonly KeptAnchors[];
  act: AuditContext;
  /** Receives the number of rows copied or compared since the last call. */
  progress: (rows: number) => void;
}

/**
 * Copies the rows and appends an entry to the audit log of the target. A crash or an error leaves the target empty.
 * @throws {CodedError} a table of the target differs from its source, or the audit log of the target is not whole
 */
export async function copyStore(copying: Copying): Promise<void> {
  const { source, target, tables, anchors, act, progress } = copying;
  await writing(target, 'installation', async (trx) => {
    await removeInitialRows(trx);
    const copied = new Map<string, Content>();
    for (const table of tables) {
      let content = NOTHING;
      for await (const rows of rowsOf(source, table)) {
        await insertRows(trx, table, rows);
        content = withRows(content, table, rows);
        progress(rows.length);
      }
      if (table.isNumbered) await copyNumbering(source, trx, table);
      copied.set(table.name, content);
    }
    if (isPostgres(target)) await sql`delete from gallery_change`.execute(trx);
    await beginTotals(trx);
    for (const table of tables)
      requireEqual(table, copied.get(table.name)!, await contentOf(trx, table, progress));
    await requireWhole(trx, anchors);
    new AuditLog(target).append(trx, act, {
      company: null,
      action: 'installation.changed',
      object: null,
      details: { database: isPostgres(target) ? 'postgresql' : 'sqlite' },
    });
  });
}

/**
 * Whether the target is the result of {@link copyStore} from this source, which has not changed since. A migration that ended
 * after the copy leaves such a target.
 */
export async function isCopy({ source, target, tables, anchors, act, progress }: Copying): Promise<boolean> {
  for (const table of tables) {
    if (LOG.has(table.name)) continue;
    const [from, to] = [await contentOf(source, table, progress), await contentOf(target, table, progress)];
    if (from.rows !== to.rows || from.digest !== to.digest) return false;
  }
  const head = (db: Database) => new AuditLog(db).head(act.at);
  const [before, after] = [await head(source), await head(target)];
  if ((after?.sequence ?? 0) !== (before?.sequence ?? 0) + 1) return false;
  if (before !== undefined) {
    const hash = await new AuditLog(target).hashOf(before.sequence);
    if (hash !== before.hash) return false;
  }
  await requireWhole(target, anchors);
  return true;
}

/** Whether no installation has used the database yet. */
export async function isEmptyStore(db: Database): Promise<boolean> {
  const used = await sql`select 1 from company union all select 1 from audit_head`.execute(db);
  return used.rows.length === 0;
}

async function removeInitialRows(trx: Transaction): Promise<void> {
  await trx.deleteFrom('installation_settings').execute();
  // The guard is off within this transaction alone, which also holds its removal on SQLite.
  if (isPostgres(trx)) {
    await sql.raw(`alter table audit_key disable trigger ${KEY_GUARD}`).execute(trx);
    await trx.deleteFrom('audit_key').execute();
    await sql.raw(`alter table audit_key enable trigger ${KEY_GUARD}`).execute(trx);
    return;
  }
  const guard = await sql<{ sql: string }>`select sql from sqlite_master where name = ${KEY_GUARD}`.execute(
    trx,
  );
  await sql.raw(`drop trigger ${KEY_GUARD}`).execute(trx);
  await trx.deleteFrom('audit_key').execute();
  await sql.raw(guard.rows[0]!.sql).execute(trx);
}

/** The next id of a table: also ids of rows that were deleted are not given again. */
async function copyNumbering(
  source: QueryExecutorProvider,
  target: QueryExecutorProvider,
  { name }: CopiedTable,
): Promise<void> {
  const { rows } = await choose({
    sqlite: sql`select seq as last from sqlite_sequence where name = ${name}`,
    postgres: sql`select last_value as last from ${sql.table(`${name}_id_seq`)} where is_called`,
  })
    .$castTo<{ last: number }>()
    .execute(source);
  const last = rows[0]?.last ?? 0;
  if (last === 0) return;
  if (isPostgres(target)) {
    await sql`select setval(${`${name}_id_seq`}, ${last})`.execute(target);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${name}`.execute(target);
  await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`.execute(target);
}

function requireEqual(table: CopiedTable, from: Content, to: Content): void {
  if (from.rows === to.rows && from.digest === to.digest) return;
  throw new CodedError(problem('MIGRATION_DIFFERS', { table: table.name, rows: from.rows, copied: to.rows }));
}

async function requireWhole(db: Database, anchors: readonly KeptAnchors[]): Promise<void> {
  const { firstBad } = await new AuditLog(db).verify(anchors);
  if (firstBad !== null)
    throw new CodedError(
      problem('MIGRATION_LOG_DAMAGED', { sequence: firstBad.sequence, why: sentenceOf(firstBad.problem) }),
    );
}
