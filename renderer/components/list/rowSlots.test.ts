import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignSlots } from './columns.ts';

test('a row that stays keeps its element; a new row takes that of the one it replaces', () => {
  const rows = (keys: string, first = 0) => keys.split('').map((key, at) => ({ index: first + at, key }));
  const of = (slots: ReturnType<typeof assignSlots>) => [...slots.values()].map(({ slot }) => slot);
  const before = assignSlots(new Map(), rows('abcd'));
  assert.deepEqual(of(before), [0, 1, 2, 3]);
  assert.deepEqual(of(assignSlots(before, rows('wxyz'))), [0, 1, 2, 3], 'a filter');
  assert.deepEqual(of(assignSlots(before, rows('cdef', 2))), [2, 3, 4, 5], 'scrolled');
  assert.deepEqual(of(assignSlots(before, rows('nabc'))), [4, 0, 1, 2], 'one came above');
  assert.deepEqual(of(assignSlots(before, rows('acxy'))), [0, 2, 4, 3], 'one went, none is used twice');
});
