import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  SqliteAdapter,
  SqliteIntrospector,
  sql,
} from 'kysely';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { Schema } from './schema.ts';
import { openDatabase } from './sqliteFile.ts';
import { PostgresCompiler, SqliteCompiler, contains, listed, listedTexts, tableOf } from './dialect.ts';

const sqlite = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  },
});
const postgres = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresCompiler(),
  },
});

test('each database gets its own spelling, with the parameters of that spelling alone', () => {
  const query = (db: Kysely<Schema>) =>
    db
      .selectFrom('person')
      .select('id')
      .where(contains(sql.ref('name'), '5%'))
      .compile();
  assert.match(query(sqlite).sql, /"name" like \? escape '\\'/);
  assert.match(query(postgres).sql, /"name" ilike \$1$/);
  assert.deepEqual(query(postgres).parameters, ['%5\\%%']);
  assert.deepEqual(query(sqlite).parameters, query(postgres).parameters);
});

test('PostgreSQL compares listed values in the type of their column', () => {
  const ids = listed([1, 2]);
  assert.match(ids.compile(postgres).sql, /value::bigint/);
  for (const texts of [['a'], []]) assert.match(listedTexts(texts).compile(postgres).sql, /value::text/);
  assert.deepEqual(ids.compile(sqlite).parameters, ['[1,2]']);
  const table = tableOf({ face: 'bigint', distance: 'double precision' }, [[1, 0.5]]);
  assert.match(table.compile(postgres).sql, /\(value ->> 1\)::double precision as distance/);
  assert.match(table.compile(sqlite).sql, /value ->> 1 as distance/);
});

test('SQLite reads rows of numbers once, and finds the named rows by their ids', async (t) => {
  const db = await openDatabase(join(temporaryFolder(t), 'vouch.db'), randomBytes(32));
  t.after(() => db.destroy());
  const pairs = tableOf({ first: 'bigint', second: 'bigint' }, [[1, 2]]);
  const sizes = tableOf({ item: 'bigint', width: 'bigint' }, [[1, 640]]);
  const company = sql.lit(1);
  for (const query of [
    sql`select chosen.first from ${pairs} as chosen
      join face as one on one.id = chosen.first join face as other on other.id = chosen.second
      where one.company_id = ${company} and other.company_id = ${company}`,
    sql`update image set width = sized.width from ${sizes} as sized
      join upload_item on upload_item.id = sized.item
      where image.company_id = ${company} and upload_item.company_id = ${company}
        and image.id = upload_item.image_id`,
  ]) {
    const { rows } = await sql<{ detail: string }>`explain query plan ${query}`.execute(db);
    const steps = rows.map(({ detail }) => detail).join('\n');
    assert.match(steps, /^(MATERIALIZE|CO-ROUTINE) (chosen|sized)\nSCAN json_each/, steps);
    assert.doesNotMatch(steps, /company_id=\?\)/, 'no table is read from end to end');
  }
});

test('PostgreSQL finds no row in an empty list, and every row outside of one', () => {
  const query = (operator: 'in' | 'not in') =>
    postgres.selectFrom('company').select('id').where('name', operator, []).compile().sql;
  assert.match(query('in'), /where false$/);
  assert.match(query('not in'), /where true$/);
});
