import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { plainBytes, plainCell } from '../../../test/support/cells.ts';
import { trusted, type PipelineId } from '../../contracts/ids.ts';
import { ErasableKeys } from './erasableKeys.ts';
import { Cells, RowDamaged } from './cells.ts';
import { CODED, PLACES, SEARCHED } from './cellTables.ts';
import type { Table } from './migrations/table.ts';
import { BASELINE_TABLES } from './migrations/0001_baseline/index.ts';

const KEY = randomBytes(32);
const ERASABLE = ErasableKeys.fresh();
const PLACE = {
  company_id: trusted.company(1),
  face_id: trusted.face(7),
  pipeline_id: 'one' as PipelineId,
};

function cellsWith(keys: ErasableKeys): Cells {
  const cells = new Cells(KEY);
  cells.useErasable(keys);
  return cells;
}

test('a cell opens in its place alone, with its key alone, and only unchanged', () => {
  const cells = cellsWith(ERASABLE);
  for (const plain of [randomBytes(1), randomBytes(512)]) {
    const cell = cells.seal('template', 'vector', PLACE, plain);
    assert.deepEqual(cells.open('template', 'vector', { ...PLACE, vector: cell }), new Uint8Array(plain));
    for (const other of [
      { ...PLACE, company_id: trusted.company(2) },
      { ...PLACE, face_id: trusted.face(8) },
      { ...PLACE, pipeline_id: 'two' as PipelineId },
    ])
      assert.equal(cells.opened('template', 'vector', { ...other, vector: cell }), undefined);
    assert.equal(cells.opened('face_thumbnail', 'jpeg', { ...PLACE, jpeg: cell }), undefined);
    assert.equal(
      cellsWith(ErasableKeys.fresh()).opened('template', 'vector', { ...PLACE, vector: cell }),
      undefined,
    );
    for (const at of [0, 12, plainBytes(cell).length - 1]) {
      const changed = Buffer.from(plainBytes(cell));
      changed[at]! ^= 1;
      const row = { ...PLACE, vector: plainCell(changed) };
      assert.throws(() => cells.open('template', 'vector', row), RowDamaged);
    }
    const again = cells.seal('template', 'vector', PLACE, plain);
    assert.notDeepEqual(plainBytes(again), plainBytes(cell), 'equal values cannot be recognised');
  }
  const short = { ...PLACE, vector: plainCell(new Uint8Array(27)) };
  assert.equal(cells.opened('template', 'vector', short), undefined);
});

test('a value that is searched has one cell in a column, and others elsewhere', () => {
  const value = randomBytes(32);
  const cell = new Cells(KEY).searched('api_token', 'hash', value);
  assert.deepEqual(new Cells(KEY).searched('api_token', 'hash', value), cell);
  assert.deepEqual(new Cells(KEY).found('api_token', 'hash', { hash: cell }), new Uint8Array(value));
  assert.notDeepEqual(new Cells(KEY).searched('operator_session', 'hash', value), cell);
  assert.notDeepEqual(new Cells(randomBytes(32)).searched('api_token', 'hash', value), cell);
  assert.throws(() => new Cells(KEY).found('operator_session', 'hash', { hash: cell }), RowDamaged);
});

test('opened bytes have memory of their own, which a template can be read from', () => {
  const cells = cellsWith(ERASABLE);
  const vector = new Float32Array([0.5, -1, 0.25]);
  const cell = cells.seal('template', 'vector', PLACE, new Uint8Array(vector.buffer));
  const opened = cells.open('template', 'vector', { ...PLACE, vector: cell });
  assert.equal(opened.byteOffset, 0);
  assert.equal(opened.buffer.byteLength, opened.byteLength);
  assert.deepEqual(new Float32Array(opened.buffer as ArrayBuffer), vector);
});

test('a row with a code is taken as it was written, and in no other way', () => {
  const cells = new Cells(KEY);
  const row = { id: trusted.company(1), name: 'Acme', storage_folder: null, settings: '{}' };
  const code = cells.code('company', row);
  assert.equal(cells.checked('company', { ...row, code }).name, 'Acme');
  for (const changed of [
    { ...row, code: null },
    { ...row, id: trusted.company(2), code },
    { ...row, settings: '{"a":1}', code },
    { ...row, storage_folder: '', code },
  ])
    assert.throws(() => cells.checked('company', changed), /table company .* vouch doctor/);
  assert.throws(() => new Cells(randomBytes(32)).checked('company', { ...row, code }), RowDamaged);
});

test('in SQLite cells are plain and rows have no code', () => {
  const cells = new Cells();
  const plain = randomBytes(32);
  assert.equal(plainBytes(cells.seal('template', 'vector', PLACE, plain)), plain);
  assert.equal(plainBytes(cells.searched('api_token', 'hash', plain)), plain);
  assert.equal(
    cells.code('company', { id: trusted.company(1), name: '', storage_folder: null, settings: '' }),
    null,
  );
});

test('every column of bytes is searched, or bound to its row and company', () => {
  const tables: Record<string, Table> = BASELINE_TABLES;
  for (const [table, { columns, constraints }] of Object.entries(tables)) {
    const names = Object.keys(columns);
    const places = new Map<string, readonly string[]>(Object.entries(PLACES)).get(table);
    const searched = new Map<string, readonly string[]>(Object.entries(SEARCHED)).get(table) ?? [];
    const coded = table in CODED;
    assert.equal(names.includes('code'), coded, `${table}.code`);
    const cells = Object.entries(columns).filter(
      ([name, { sql }]) => sql.startsWith('blob') && name !== 'code' && !searched.includes(name),
    );
    if (cells.length === 0) continue;
    assert.ok(places !== undefined, table);
    const own = Object.entries(columns).find(([, { sql }]) => sql.includes('primary key'))?.[0];
    const joint = constraints
      .find((text) => text.startsWith('primary key'))
      ?.match(/\w+/g)
      ?.slice(2);
    const named = own === undefined ? joint! : [own];
    const isUnique =
      named.every((column) => places.includes(column)) || places.some((one) => UNIQUE.has(`${table}.${one}`));
    assert.ok(isUnique, `${table}: ${places.join(', ')} name no row`);
    if (names.includes('company_id')) assert.ok(places.includes('company_id'), table);
  }
});

/** Columns that name a row before it has its id. Of an installation that is trusted, its code binds both keys to it. */
const UNIQUE = new Set(['operator.name_key', 'hmac_key.user_id', 'trusted_installation.company_id']);
