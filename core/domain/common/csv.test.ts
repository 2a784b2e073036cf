import { test } from 'node:test';
import assert from 'node:assert/strict';
import { csvLine } from '../../contracts/csv.ts';

test('a cell that needs quotes is quoted, and a formula becomes text', () => {
  assert.equal(csvLine(['a', 'b,c', 'say "so"', 'two\nlines', '']), 'a,"b,c","say ""so""","two\nlines",\r\n');
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])
    assert.match(csvLine([formula]), /^"?'/, JSON.stringify(formula));
});
