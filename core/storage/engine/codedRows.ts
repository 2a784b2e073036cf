/**
 * Writes rows that have a code, and keeps how many of them each company has, with the sum of their codes, sealed in the table
 * `row_total` of PostgreSQL. Who deletes such a row on the server, or puts an earlier one in its place, cannot write the total
 * that fits: the self-diagnosis compares them. A total that is put back with its rows lacks the last writes of some process,
 * which each process remembers: see {@link putBackTotals}. SQLite has no codes, and needs no total.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { CompanyId } from '../../contracts/ids.ts';
import { namesOf } from '../../contracts/namesOf.ts';
import { CODED, type CodedRow, type CodedTable, type Values } from './cellTables.ts';
import { cellsOf } from './cells.ts';
import { ask, beforeCommit, onceCommitted, send, type Database, type Transaction } from './database.ts';
import { isPostgres } from './dialect.ts';
import type { Sealed } from './migrations/table.ts';
import { addRows, changeRows, rowsWith } from './rows.ts';

type CountedTable = Exclude<CodedTable, 'installation_settings'>;
/** The tables whose rows are counted: those of a company. */
export const COUNTED = namesOf(CODED).filter(isCounted);

type CountedRow = { readonly code: Sealed | null } & (
  | { readonly company_id: CompanyId }
  | { readonly id: CompanyId }
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

/** A process, the number of its last write of the total, and when that was, in milliseconds since 1970. */
const writer = z.tuple([z.string(), z.number(), z.number()]);
type Writers = readonly z.infer<typeof writer>[];
const stored = z.object({ tables: totals, writers: z.array(writer) });
type Stored = z.infer<typeof stored>;

/** Milliseconds. A process that has not written a total for longer is forgotten by the next writer. */
const FORGOTTEN_AFTER = 24 * 60 * 60_000;

/** The knowledge of a process about the totals of an open database. */
interface Known {
  /** This process among the writers. */
  self: string;
  /** How many totals it has written. */
  written: number;
  /** The writers of each total. */
  seen: Map<CompanyId, Writers>;
}

/** By the adapter that a database shares with its transactions. */
const KNOWN = new WeakMap<object, Known>();

/** Changes of the total of a company by a transaction. */
interface Noted {
  totals: Totals;
  /** The writers that this process knew before it asked for the row. */
  seen: Writers;
  /** Answers with the row of the total, locked, once it is needed. */
  kept: () => Promise<{ content: Sealed }[]>;
}

const NOTED = new WeakMap<Transaction, Map<CompanyId, Noted>>();

/** Begins the total of a company that has no rows yet. */
export async function beginTotal(trx: Transaction, company: CompanyId): Promise<void> {
  if (isPostgres(trx)) await send(trx, trx.insertInto('row_total').values(newTotal(trx, company, {})));
}

/** Writes the totals of the rows that are there, after a migration wrote them. */
export async function beginTotals(trx: Transaction): Promise<void> {
  if (!isPostgres(trx)) return;
  const { counted } = await present(trx);
  for (const { id: company } of await trx.selectFrom('company').select('id').execute())
    await addRows(trx, 'row_total', newTotal(trx, company, counted.get(company) ?? {}));
}

/** Makes totals those of the rows that are there, although they differ. Other services see that they follow from the present ones. */
export async function acceptTotals(trx: Transaction, companies: readonly CompanyId[]): Promise<void> {
  const known = await trx.selectFrom('row_total').selectAll().forUpdate().execute();
  const { counted } = await present(trx);
  for (const { id: company } of await trx
    .selectFrom('company')
    .select('id')
    .where('id', 'in', companies)
    .execute()) {
    const row = known.find((one) => one.company_id === company);
    const writers = new Map(
      ((row && openedTotal(trx, company, row.content)?.writers) ?? []).map((one) => [one[0], one]),
    );
    for (const one of seenOf(trx).get(company) ?? [])
      if (one[1] > (writers.get(one[0])?.[1] ?? 0)) writers.set(one[0], one);
    const accepted = newTotal(trx, company, counted.get(company) ?? {}, [...writers.values()]);
    await trx
      .insertInto('row_total')
      .values(accepted)
      .onConflict((conflict) => conflict.column('company_id').doUpdateSet(accepted))
      .execute();
  }
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
    const kept = ask(trx, rowsWith(trx, 'row_total', { company_id: company }).select('content').forUpdate());
    companies.set(company, (noted = { totals: {}, seen: seenOf(trx).get(company) ?? [], kept }));
    beforeCommit(trx, () => keep(trx, company, companies));
  }
  return noted;
}

async function keep(
  trx: Transaction,
  company: CompanyId,
  companies: ReadonlyMap<CompanyId, Noted>,
): Promise<void> {
  const { totals: noted, seen, kept } = companies.get(company)!;
  const [row] = await kept();
  const before = row && openedTotal(trx, company, row.content);
  // A total that was changed, deleted or put back on the server stays so: the diagnosis names it.
  if (before === undefined || isBehind(before.writers, seen)) return;
  const after: Totals = { ...before.tables };
  for (const table of COUNTED) if (noted[table]) after[table] = plus(after[table], noted[table]);
  await send(
    trx,
    changeRows(trx, 'row_total', { company_id: company }).set(newTotal(trx, company, after, before.writers)),
  );
}

/** A difference between the counted rows of a company and those that Vouch wrote. */
export interface ChangedRows {
  company: CompanyId;
  table: CountedTable | 'row_total';
  /** How many rows Vouch wrote, and how many are there; none: the total itself was changed. */
  counts: readonly number[];
  /** The table, and in brackets its company and what is wrong with it. */
  rows: string;
}

/** Tables of companies whose rows are not those that Vouch wrote: some were deleted, or earlier ones were put back. */
export async function changedTotals(db: Database | Transaction): Promise<ChangedRows[]> {
  if (!isPostgres(db)) return [];
  const putBack = await putBackTotals(db);
  const { counted, kept } = await present(db);
  return [...counted.keys(), ...kept.keys(), ...putBack]
    .filter((company, index, all) => all.indexOf(company) === index)
    .toSorted((one, other) => one - other)
    .flatMap((company) => differencesOf(db, company, { counted, kept, putBack }));
}

function differencesOf(
  db: Database | Transaction,
  company: CompanyId,
  { counted, kept, putBack }: Awaited<ReturnType<typeof present>> & { putBack: readonly CompanyId[] },
): ChangedRows[] {
  const different = (table: ChangedRows['table'], what: string, counts: readonly number[] = []) => ({
    ...{ company, table, counts },
    rows: `${table} (company_id ${company}${what})`,
  });
  const cell = kept.get(company);
  if (cell === undefined) return [different('row_total', ', missing')];
  const opened = openedTotal(db, company, cell);
  if (opened === undefined) return [different('row_total', '')];
  const differing = COUNTED.flatMap((table) => {
    const [expected, found] = [opened.tables[table] ?? NONE, counted.get(company)?.[table] ?? NONE];
    const isSame =
      expected.rows === found.rows && expected.sums.every((sum, lane) => sum === found.sums[lane]);
    if (isSame) return [];
    const [one, other] = [expected.rows, found.rows];
    return [different(table, `, rows written ${one}, found ${other}`, [one, other])];
  });
  return putBack.includes(company) ? [different('row_total', ', put back'), ...differing] : differing;
}

/**
 * Companies whose total lacks a write that this process has seen: it was put back, or deleted, or changed. What is found otherwise
 * is remembered.
 */
export async function putBackTotals(db: Database | Transaction): Promise<CompanyId[]> {
  // A total that is committed while the rows are read is in none of them.
  const before = [...seenOf(db)];
  const rows = await db.selectFrom('row_total').selectAll().execute();
  const found = new Map(
    rows.map((row) => [row.company_id, openedTotal(db, row.company_id, row.content)?.writers ?? []]),
  );
  for (const [company, writers] of found) see(db, company, writers);
  return before
    .filter(([company, seen]) => isBehind(found.get(company) ?? [], seen))
    .map(([company]) => company);
}

/** The writers of each total that a process knows: JSON for a file outside the database. */
const seenTotals = z.array(z.tuple([z.custom<CompanyId>((id) => Number.isSafeInteger(id)), z.array(writer)]));

/** @returns what this process knows */
export function exportSeen(db: Database): string {
  return JSON.stringify([...seenOf(db)]);
}

/** Replaces what this process knows. @throws {Error} it is no text of {@link exportSeen} */
export function importSeen(db: Database, text: string): void {
  const seen = seenOf(db);
  const known = seenTotals.parse(JSON.parse(text));
  seen.clear();
  for (const [company, writers] of known) seen.set(company, writers);
}

function knownOf(db: Database | Transaction): Known {
  const { adapter } = db.getExecutor();
  let known = KNOWN.get(adapter);
  if (known === undefined)
    KNOWN.set(
      adapter,
      (known = { self: randomBytes(6).toString('hex'), written: 0, seen: new Map<CompanyId, Writers>() }),
    );
  return known;
}

function seenOf(db: Database | Transaction): Map<CompanyId, Writers> {
  return knownOf(db).seen;
}

function see(db: Database | Transaction, company: CompanyId, writers: Writers): void {
  const seen = seenOf(db);
  if (!isBehind(writers, seen.get(company) ?? [])) seen.set(company, writers);
}

/** Whether a total lacks a write that was seen. A writer is missing rightly where another one wrote a day after its last write. */
function isBehind(found: Writers, seen: Writers): boolean {
  const newest = found.reduce((most, [, , at]) => Math.max(most, at), 0);
  return seen.some(([name, count, at]) => {
    const now = found.find(([other]) => other === name);
    return now === undefined ? newest < at + FORGOTTEN_AFTER : now[1] < count;
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

/** A total that this process writes next, sealed. @param before the writers of the present one */
function newTotal(trx: Transaction, company: CompanyId, tables: Totals, before: Writers = []) {
  const at = Date.now();
  const known = knownOf(trx);
  const others = before.filter(([name, , last]) => name !== known.self && last + FORGOTTEN_AFTER > at);
  known.written += 1;
  const writers: Writers = [...others, [known.self, known.written, at]];
  onceCommitted(trx, () => {
    see(trx, company, writers);
  });
  const place = { company_id: company };
  const text = JSON.stringify({ tables, writers }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return { ...place, content: cellsOf(trx).seal('row_total', 'content', place, Buffer.from(text)) };
}

function openedTotal(db: Database | Transaction, company: CompanyId, cell: Sealed): Stored | undefined {
  const place = { company_id: company, content: cell };
  const plain = cellsOf(db).opened('row_total', 'content', place);
  return plain && stored.parse(JSON.parse(Buffer.from(plain).toString()));
}
