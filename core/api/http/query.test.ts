import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Readable } from 'node:stream';
import { fieldWithNul } from './query.ts';

test('a NUL character is found in any text or key, and in nothing that is not parsed', () => {
  assert.equal(fieldWithNul({ name: 'Ann\0' }), 'name');
  assert.equal(fieldWithNul({ persons: [{ name: 'Ann' }, { note: '\0' }] }), 'persons.1.note');
  assert.equal(fieldWithNul({ 'a\0b': 1 }), 'a␀b');
  assert.equal(fieldWithNul({ name: 'Ann', age: 3, photo: null }), undefined);
  assert.equal(fieldWithNul(Readable.from(['\0'])), undefined);
  assert.equal(fieldWithNul(Buffer.from('\0')), undefined);
});
