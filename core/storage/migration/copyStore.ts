/** Copies all rows of one database into an empty one, in one transaction, and compares them before it is committed. */
import { sql, type QueryExecutorProvider } from 'kysely';
import { CodedError, sentenceOf, problem } from '../../contracts/errors/problem.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { KeptAnchors } from '../../domain/ports/audit.ts';
import { AuditLog } from '../audit/auditLog.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { choose, isPostgres } from '../engine/dialect.ts';
import { contentOf, insertRows, NOTHING, rowsOf, withRows, type Content } from './rows.ts';
import type { CopiedTable } from './tables.ts';

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
export async function isCopy({ source, target, tables, anchors, progress }: Copying): Promise<boolean> {
  for (const table of tables) {
    if (LOG.has(table.name)) continue;
    const [from, to] = [await contentOf(source, table, progress), await contentOf(target, table, progress)];
    if (from.rows !== to.rows || from.digest !== to.digest) return false;
  }
  const head = (db: Database) => db.selectFrom('audit_head').select(['sequence', 'hash']).executeTakeFirst();
  const [before, after] = [await head(source), await head(target)];
  if ((after?.sequence ?? 0) !== (before?.sequence ?? 0) + 1) return false;
  if (before !== undefined) {
    const hash = await new AuditLog(target).hashOf(before.sequence);
    if (hash !== Buffer.from(before.hash).toString('hex')) return false;
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
