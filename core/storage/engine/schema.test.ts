/** The declared tables agree with the database that the migrations create. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { temporaryFolder } from '../../../test/support/site.ts';
import { BASELINE_TABLES } from './migrations/0001_baseline/index.ts';
import { openDatabase } from './sqliteFile.ts';

/** Tables of kysely, of SQLite and of its full-text index. */
const FOREIGN = /^(kysely|sqlite|trust_validation_name|person_name)(_|$)/;

test('each table has exactly the columns that its declaration types', async (t) => {
  const db = await openDatabase(join(temporaryFolder(t), 'schema.db'), randomBytes(32));
  t.after(() => db.destroy());
  const { rows } = await sql<{ table: string; name: string }>`
    select m.name as "table", c.name from sqlite_master m join pragma_table_info(m.name) c
    where m.type = 'table'`.execute(db);
  const stored = rows
    .filter(({ table }) => !FOREIGN.test(table))
    .map(({ table, name }) => `${table}.${name}`);
  const declared = Object.entries(BASELINE_TABLES).flatMap(([table, { columns }]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  assert.ok(declared.length > 300);
  assert.deepEqual(stored.toSorted(), declared.toSorted());
});
