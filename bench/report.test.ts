import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from './report.ts';

test('a table whose rows do not fit its head is refused', () => {
  assert.equal(table(['N', 'seconds'], [['100', 1]]), '| N | seconds |\n| --- | ---: |\n| 100 | 1 |');
  assert.throws(() => table(['N', 'seconds'], [['100', 0.4, 1]]), RangeError);
});
