/**
 * Writes rows that have a code, and keeps how many of them each company has, with the sum of their codes, sealed in the table
 * `row_total` of PostgreSQL. Who deletes such a row on the server, or puts an earlier one in its place, cannot write the total
 * that fits: the self-diagnosis compares them. SQLite has no codes, and needs no total.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import type { CompanyId } from '../../contracts/ids.ts';
import { namesOf } from '../../contracts/namesOf.ts';
import { CODED, type CodedRow, type CodedTable, type Values } from './cellTables.ts';
import { cellsOf } from './cells.ts';
import { ask, beforeCommit, send, type Database, type Transaction } from './database.ts';
import { isPostgres } from './dialect.ts';
import type { Sealed } from './migrations/table.ts';

type CountedTable = Exclude<CodedTable, 'installation_settings'>;
/** The tables whose rows are counted: those of a company. */
export const COUNTED = namesOf(CODED).filter(isCounted);

type CountedRow = { readonly code: Sealed | null } & (
  { readonly company_id: CompanyId } | { readonly id: CompanyId }
);

/** The bytes of a code that are added as one number. */
const LANE = 8;
const LANES = [0, 1, 2, 3];
const NONE: Total = { rows: 0, sums: LANES.map(() => 0n) };

/** `sums`: of each lane of the codes, as numbers with a sign. */
interface Total {
  rows: number;
  sums: bigint[];
}

const total = z.object({ rows: z.number(), sums: z.array(z.string().transform(BigInt)) });
/** The content of a row of `row_total`, by table; an absent table has no row. */
const totals = z.partialRecord(z.enum(COUNTED), total);
type Totals = z.infer<typeof totals>;

/** Changes of the total of a company by a transaction. */
interface Noted {
  totals: Totals;
  /** Answers with the row of the total, locked, once it is needed. */
  kept: () => Promise<{ content: Sealed }[]>;
}

const NOTED = new WeakMap<Transaction, Map<CompanyId, Noted>>();

/** Begins the total of a company that has no rows yet. */
export async function beginTotal(trx: Transaction, company: CompanyId): Promise<void> {
  if (isPostgres(trx)) await send(trx, trx.insertInto('row_total').values(sealedTotal(trx, company, {})));
}

/** Writes the totals of the rows that are there, after a migration wrote them. */
export async function beginTotals(trx: Transaction): Promise<void> {
  if (!isPostgres(trx)) return;
  const { counted } = await present(trx);
  for (const { id: company } of await trx.selectFrom('company').select('id').execute())
    await trx
      .insertInto('row_total')
      .values(sealedTotal(trx, company, counted.get(company) ?? {}))
      .execute();
}

/**
 * Gives rows their code that this transaction has inserted, which nobody else sees before it ends. See {@link recoded} for
 * a change. @param which values of columns that the rows have
 */
export async function encode<T extends CodedTable>(
  trx: Transaction,
  table: T,
  which: Partial<Values<T>>,
): Promise<void> {
  if (!isPostgres(trx)) return;
  const columns: readonly string[] = CODED[table];
  const [key = 'id'] = columns;
  const conditions = Object.entries(which).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const { rows } = await sql<Record<string, unknown> & Values<T>>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
    where ${sql.join(conditions, sql` and `)}`.execute(trx);
  for (const row of rows)
    await sql`update ${sql.table(table)} set code = ${newCode(trx, table, row)}
      where ${sql.ref(key)} = ${row[key]}`.execute(trx);
}

/** @returns the code of a row that this transaction inserts; null: the store needs none */
export function newCode<T extends CodedTable>(trx: Transaction, table: T, row: Values<T>): Sealed | null {
  const code = cellsOf(trx).code(table, row);
  note(trx, table, 1, { ...row, code });
  return code;
}

/** As `Cells.recoded`: the columns that a change writes, with the new code of the row. @throws {RowDamaged} as it does */
export function recoded<T extends CodedTable, C extends Partial<Values<T>>>(
  trx: Transaction,
  table: T,
  before: CodedRow<T>,
  change: C,
): C & { code: Sealed | null } {
  const changed = cellsOf(trx).recoded(table, before, change);
  note(trx, table, -1, before);
  note(trx, table, 1, { ...before, ...changed });
  return changed;
}

/** Rows that this transaction has deleted. */
export function uncount(trx: Transaction, table: CountedTable, rows: readonly CountedRow[]): void {
  for (const row of rows) note(trx, table, -1, row);
}

/** Adds a row to the total, or takes it away. */
function note(trx: Transaction, table: CodedTable, sign: 1 | -1, row: object): void {
  if (!isPostgres(trx) || !isCounted(table)) return;
  const { code, ...place } = row as CountedRow;
  const noted = notedOf(trx, 'company_id' in place ? place.company_id : place.id);
  noted.totals[table] = plus(noted.totals[table], { rows: sign, sums: lanesOf(code, sign) });
}

function notedOf(trx: Transaction, company: CompanyId): Noted {
  let companies = NOTED.get(trx);
  if (companies === undefined) NOTED.set(trx, (companies = new Map<CompanyId, Noted>()));
  let noted = companies.get(company);
  if (noted === undefined) {
    // The lock comes before that of the audit log, in every transaction.
    const kept = ask(
      trx,
      trx.selectFrom('row_total').select('content').where('company_id', '=', company).forUpdate(),
    );
    companies.set(company, (noted = { totals: {}, kept }));
    beforeCommit(trx, () => keep(trx, company, companies));
  }
  return noted;
}

async function keep(
  trx: Transaction,
  company: CompanyId,
  companies: ReadonlyMap<CompanyId, Noted>,
): Promise<void> {
  const { totals: noted, kept } = companies.get(company)!;
  const [row] = await kept();
  const before = row && openedTotal(trx, company, row.content);
  // A total that was changed or deleted on the server stays so: the diagnosis names it.
  if (before === undefined) return;
  const after: Totals = { ...before };
  for (const table of COUNTED) if (noted[table]) after[table] = plus(before[table], noted[table]);
  await send(
    trx,
    trx
      .updateTable('row_total')
      .set(sealedTotal(trx, company, after))
      .where('company_id', '=', company),
  );
}

/** Tables of companies whose rows are not those that Vouch wrote: some were deleted, or earlier ones were put back. */
export async function changedTotals(db: Database): Promise<string[]> {
  const { counted, kept } = await present(db);
  return [...counted.keys(), ...kept.keys()]
    .filter((company, index, all) => all.indexOf(company) === index)
    .toSorted((one, other) => one - other)
    .flatMap((company) => {
      const content = kept.get(company);
      // One that is there and damaged is named as a row.
      if (content === undefined) return [`row_total (company_id ${company}, missing)`];
      const written = openedTotal(db, company, content) ?? counted.get(company) ?? {};
      return COUNTED.flatMap((table) => {
        const [expected, found] = [written[table] ?? NONE, counted.get(company)?.[table] ?? NONE];
        const isSame =
          expected.rows === found.rows && expected.sums.every((sum, lane) => sum === found.sums[lane]);
        return isSame
          ? []
          : [`${table} (company_id ${company}, rows written ${expected.rows}, found ${found.rows})`];
      });
    });
}

/** The totals of the rows that are there, and the stored ones. One statement: other services write meanwhile. */
async function present(
  db: Database | Transaction,
): Promise<{ counted: Map<CompanyId, Totals>; kept: Map<CompanyId, Sealed> }> {
  const sums = LANES.map(
    (lane) => sql`coalesce(sum(
      ('x' || encode(substring(code from ${sql.lit(LANE * lane + 1)} for ${sql.lit(LANE)}), 'hex'))::bit(64)::bigint::numeric
    ), 0)::text`,
  );
  const each = COUNTED.map(
    (
      table,
    ) => sql`select ${sql.lit(table)} as name, ${sql.ref(table === 'company' ? 'id' : 'company_id')} as company_id, count(*) as rows, array[${sql.join(sums)}] as sums,
      null::bytea as content from ${sql.table(table)} group by 2`,
  );
  const { rows } = await sql<{
    name: CountedTable | null;
    company_id: CompanyId;
    rows: number;
    sums: string[];
    content: Sealed;
  }>`
    ${sql.join(each, sql` union all `)}
    union all select null, company_id, 0, array[]::text[], content from row_total`.execute(db);
  const counted = new Map<CompanyId, Totals>();
  const kept = new Map<CompanyId, Sealed>();
  for (const { name, company_id: company, content, ...found } of rows)
    if (name === null) kept.set(company, content);
    else counted.set(company, { ...counted.get(company), [name]: total.parse(found) });
  return { counted, kept };
}

function isCounted(table: CodedTable): table is CountedTable {
  return table !== 'installation_settings';
}

function plus(one: Total = NONE, other: Total = NONE): Total {
  return { rows: one.rows + other.rows, sums: one.sums.map((sum, lane) => sum + (other.sums[lane] ?? 0n)) };
}

function lanesOf(code: Sealed | null, sign: 1 | -1): bigint[] {
  if (code === null) return NONE.sums;
  const bytes: unknown = code;
  const view = Buffer.from(bytes as Uint8Array);
  return LANES.map((lane) => BigInt(sign) * view.readBigInt64BE(LANE * lane));
}

function sealedTotal(trx: Transaction, company: CompanyId, content: Totals) {
  const place = { company_id: company };
  const text = JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return { ...place, content: cellsOf(trx).seal('row_total', 'content', place, Buffer.from(text)) };
}

function openedTotal(db: Database | Transaction, company: CompanyId, content: Sealed): Totals | undefined {
  const plain = cellsOf(db).opened('row_total', 'content', { company_id: company, content });
  return plain && totals.parse(JSON.parse(Buffer.from(plain).toString()));
}
