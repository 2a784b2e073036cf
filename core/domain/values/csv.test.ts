import { test } from 'node:test';
import assert from 'node:assert/strict';
import { csvLine } from '../../contracts/csv.ts';

test('a cell that needs quotes is quoted, and a formula becomes text', () => {
  assert.equal(csvLine(['a', 'b,c', 'say "so"', 'two\nlines', '']), 'a,"b,c","say ""so""","two\nlines",\r\n');
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])
    assert.match(csvLine([formula]), /^"?'/, JSON.stringify(formula));
});

test('a formula inside a cell is text where semicolons separate lists', () => {
  assert.equal(csvLine(['a;=1+1;b', 'x;-y', 'a\n=1', 'b;c']), "a;'=1+1;b,x;'-y,\"a\n'=1\",b;c\r\n");
  for (const wide of ['\uff1d1+1', '\uff0b1', '\uff0d1', '\uff20SUM(A1)'])
    assert.equal(csvLine([wide]), `'${wide}\r\n`);
});

test('a formula behind characters of no width is made text', () => {
  for (const unseen of ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e\u200c'])
    assert.equal(csvLine([`${unseen}=1+1`]), `'${unseen}=1+1\r\n`);
  assert.equal(csvLine(['\u200cنام']), '\u200cنام\r\n');
});
