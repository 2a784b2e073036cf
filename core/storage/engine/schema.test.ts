/** The typed tables agree with the database that the migrations create. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import ts from 'typescript';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { Database } from './database.ts';
import { openDatabase } from './sqliteFile.ts';

const TABLES = join(import.meta.dirname, 'tables');
/** Tables of kysely, of SQLite and of its full-text index. */
const FOREIGN = /^(kysely|sqlite|trust_validation_name|person_name)_/;

async function newDatabase(t: TestContext): Promise<Database> {
  const db = await openDatabase(join(temporaryFolder(t), 'schema.db'), randomBytes(32));
  t.after(() => db.destroy());
  return db;
}

test('each table is typed with exactly its columns', async (t) => {
  const stored = await storedColumns(await newDatabase(t));
  const typed = typedColumns();
  assert.deepEqual([...typed.keys()].toSorted(), [...stored.keys()].toSorted());
  for (const [column, type] of typed) {
    const expected = stored.get(column)!;
    assert.deepEqual({ column, ...expected, ...type }, { column, ...expected });
  }
});

interface Column {
  kind: 'number' | 'string' | 'Uint8Array';
  nullable: boolean;
  /** An insert may leave it out. */
  generated: boolean;
}

const KINDS: Record<string, Column['kind']> = {
  INTEGER: 'number',
  REAL: 'number',
  TEXT: 'string',
  BLOB: 'Uint8Array',
};

/** By `table.column`. */
async function storedColumns(db: Database): Promise<Map<string, Column>> {
  const { rows } = await sql<{
    table: string;
    name: string;
    type: string;
    required: number;
    generated: number;
  }>`
    select m.name as "table", c.name, c.type,
      c."notnull" or c.pk > 0 as required,
      c.dflt_value is not null or (c.pk > 0 and m.sql like '%autoincrement%') as generated
    from sqlite_master m join pragma_table_info(m.name) c
    where m.type = 'table' and m.name not in ('trust_validation_name', 'person_name')`.execute(db);
  return new Map(
    rows.flatMap(({ table, name, type, required, generated }) => {
      const column = { kind: KINDS[type]!, nullable: required === 0, generated: generated === 1 };
      return FOREIGN.test(table) ? [] : [[`${table}.${name}`, column]];
    }),
  );
}

/** A type that another file declares has no `kind`: it is a number or a text. */
type TypedColumn = Partial<Pick<Column, 'kind'>> & Omit<Column, 'kind'>;

/** Reads the interfaces of `tables/`. */
function typedColumns(): Map<string, TypedColumn> {
  const columns = new Map<string, TypedColumn>();
  for (const file of readdirSync(TABLES)) {
    const text = readFileSync(join(TABLES, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    const rows = new Map(
      source.statements
        .filter(ts.isInterfaceDeclaration)
        .map((node) => [node.name.text, node.members.filter(ts.isPropertySignature)]),
    );
    for (const [name, tables] of rows)
      for (const table of name.endsWith('Tables') ? tables : [])
        for (const column of rows.get(table.type!.getText(source))!) {
          const key = `${table.name.getText(source)}.${column.name.getText(source)}`;
          columns.set(key, typedColumn(column.type!.getText(source)));
        }
  }
  return columns;
}

/** @param text the type of a property, e.g. `Generated<FaceId | null>` */
function typedColumn(text: string): TypedColumn {
  const inner = /^Generated<(.*)>$/.exec(text)?.[1];
  const members = (inner ?? text).split(' | ');
  const [first = ''] = members;
  const kind = first.startsWith("'") ? 'string' : Object.values(KINDS).find((each) => each === first);
  return {
    ...(kind !== undefined && { kind }),
    nullable: members.includes('null'),
    generated: inner !== undefined,
  };
}
