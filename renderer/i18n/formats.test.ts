import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatsOf } from './formats.ts';

test('sizes are counted in 1024 and named so, in both languages', () => {
  const bytes = 68.5 * 1024 ** 3;
  assert.deepEqual(
    [formatsOf('en').bytes(bytes), formatsOf('ar').bytes(bytes)],
    ['68.5 GiB', '68.5 جيبيبايت'],
  );
  assert.deepEqual([0, 1023, 1024, 1536 * 1024].map(formatsOf('en').bytes), [
    '0 bytes',
    '1,023 bytes',
    '1 KiB',
    '1.5 MiB',
  ]);
});

test('names that hold a comma are told apart by another sign', () => {
  const { list } = formatsOf('en');
  assert.equal(list(['Sara Haddad', 'Omar']), 'Sara Haddad, Omar');
  assert.equal(list(['Haddad, Sara', 'Omar']), 'Haddad, Sara · Omar');
});
