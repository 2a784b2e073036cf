/** The tables that a migration between the databases copies, as SQLite describes them. Both databases have the same columns. */
import { sql } from 'kysely';
import { TOPICS_OF_TABLES } from '../engine/changes.ts';
import type { Database } from '../engine/database.ts';

/** Rows that the service computes from others. */
const DERIVED: ReadonlySet<string> = new Set(['gallery_snapshot']);

/** The names of the tables, in no particular order. */
export const COPIED_TABLES: readonly string[] = Object.keys(TOPICS_OF_TABLES).filter(
  (name) => !DERIVED.has(name),
);

export interface CopiedTable {
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
