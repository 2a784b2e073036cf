/** Rows of any table: read in the order of their key, written, and compared by digests. */
import { createHash } from 'node:crypto';
import { sql, type QueryExecutorProvider } from 'kysely';
import type { CopiedTable } from './tables.ts';

export type Row = Readonly<Record<string, string | number | Uint8Array | null>>;

/** Rows of one statement. The widest table has some 25 columns; SQLite takes 32,766 parameters. */
const PAGE = 500;

/** Count and digest of the rows of a table. The digest does not depend on the order, which differs for sealed columns. */
export interface Content {
  rows: number;
  digest: bigint;
}

export const NOTHING: Content = { rows: 0, digest: 0n };

/** Adds rows to the content: the digest is the sum of the rows' SHA-256, modulo 2^256. */
export function withRows(content: Content, table: CopiedTable, rows: readonly Row[]): Content {
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

/** Reads all rows of a table in pages. */
export async function* rowsOf(db: QueryExecutorProvider, table: CopiedTable): AsyncIterable<readonly Row[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ;) {
    const after =
      last === undefined
        ? sql``
        : sql` where (${key}) > (${sql.join(table.key.map((column) => last![column]))})`;
    const { rows } = await sql<Row>`
      select ${sql.join(table.columns.map((column) => sql.ref(column)))} from ${sql.table(table.name)}${after}
      order by ${key} limit ${sql.lit(PAGE)}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
}

export async function insertRows(
  db: QueryExecutorProvider,
  table: CopiedTable,
  rows: readonly Row[],
): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(table.columns.map((column) => row[column]))})`);
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
