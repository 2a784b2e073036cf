/** The keys by which people find records, as columns; see `core/contracts/searchKey.ts`. */
import { sql, type RawBuilder } from 'kysely';
import type { CompanyId } from '../../contracts/ids.ts';
import { FOLDING, searchKey, textsIn } from '../../contracts/searchKey.ts';
import { writing, type Database, type Transaction } from './database.ts';

/** The texts by which a record of each table is found. */
const FIELDS = {
  trust_validation: ['name', 'metadata'],
  person: ['name', 'external_id'],
  face: ['name'],
  upload_item: ['file_name'],
} as const;

type Searched = keyof typeof FIELDS;
type Texts<T extends Searched> = Readonly<Record<(typeof FIELDS)[T][number], string | null>>;

/** Rows whose keys are made again in one transaction. */
const PORTION = 1000;

/** The columns of a key. Every statement that writes one of the texts writes these too. */
export function keyOf<T extends Searched>(
  table: T,
  texts: Texts<T>,
): { search_key: string; search_folding: number } {
  const values = FIELDS[table].map((field: keyof Texts<T>) => texts[field]);
  const fields = table === 'trust_validation' ? [values[0], ...metadataTexts(values[1])] : values;
  return { search_key: searchKey(fields), search_folding: FOLDING };
}

function metadataTexts(metadata: string | null | undefined): string[] {
  return metadata == null ? [] : textsIn(JSON.parse(metadata));
}

/**
 * Makes the keys again that an earlier folding made, in portions: after a crash, the next start goes on with the rest. Each
 * portion is alone among all transactions, so that no other one writes a name between the reading and the key.
 */
export async function renewKeys(db: Database): Promise<void> {
  for (const table of Object.keys(FIELDS) as Searched[])
    while ((await outdated(db, table, 1)).length > 0)
      await writing(db, 'installation', async (trx) => {
        for (const row of await outdated(trx, table, PORTION)) await writeKey(trx, table, row);
      });
}

/** Makes the key of a row whose texts this transaction changed. */
export async function renewKey(
  trx: Transaction,
  table: Searched,
  company: CompanyId,
  id: number,
): Promise<void> {
  const { rows } = await sql<Row>`select id, ${textsOf(table)} from ${sql.table(table)}
    where company_id = ${company} and id = ${id}`.execute(trx);
  for (const row of rows) await writeKey(trx, table, row);
}

type Row = { id: number } & Texts<Searched>;

async function outdated(db: Database | Transaction, table: Searched, limit: number): Promise<Row[]> {
  const { rows } = await sql<Row>`select id, ${textsOf(table)} from ${sql.table(table)}
    where search_folding < ${FOLDING} limit ${limit}`.execute(db);
  return rows;
}

function textsOf(table: Searched): RawBuilder<unknown> {
  return sql.join(FIELDS[table].map((field) => sql.ref(field)));
}

async function writeKey(trx: Transaction, table: Searched, row: Row): Promise<void> {
  const { search_key: key } = keyOf(table, row);
  await sql`update ${sql.table(table)} set search_key = ${key}, search_folding = ${FOLDING}
    where id = ${row.id}`.execute(trx);
}
