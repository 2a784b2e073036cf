import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasMoreValues } from './fieldForm.ts';

/** The largest bound that the text exceeds, plus one. */
function valuesIn(text: string): number {
  let count = 0;
  while (hasMoreValues(text, count)) count += 1;
  return count;
}

test('lists, objects, texts and commas are counted, and not what is inside a text', () => {
  assert.equal(valuesIn('1'), 0);
  assert.equal(valuesIn('[1,2,3]'), 3);
  assert.equal(valuesIn('[[[]]]'), 3);
  assert.equal(valuesIn('{"a":{}}'), 3);
  assert.equal(valuesIn('"[{,"'), 1);
  assert.equal(valuesIn(String.raw`["a\",[","\\",1]`), 5);
  assert.equal(valuesIn(String.raw`["\\\",",1]`), 3);
  assert.equal(valuesIn('"without an end, ['), 1);
});
