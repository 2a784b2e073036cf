import assert from 'node:assert/strict';
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
import type { Schema } from './schema.ts';
import { contains, listed, PostgresCompiler, SqliteCompiler, tableOf } from './dialect.ts';

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
  assert.match(listed(['a']).compile(postgres).sql, /value::text/);
  assert.deepEqual(ids.compile(sqlite).parameters, ['[1,2]']);
  const table = tableOf({ face: 'bigint', distance: 'double precision' }, [[1, 0.5]]);
  assert.match(table.compile(postgres).sql, /\(value ->> 1\)::double precision as distance/);
  assert.match(table.compile(sqlite).sql, /value ->> 1 as distance/);
});

test('PostgreSQL finds no row in an empty list, and every row outside of one', () => {
  const query = (operator: 'in' | 'not in') =>
    postgres.selectFrom('company').select('id').where('name', operator, []).compile().sql;
  assert.match(query('in'), /where false$/);
  assert.match(query('not in'), /where true$/);
});
