import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf } from './keys.ts';

test('a letter of a layout without Latin letters is named by its place on the keyboard', () => {
  assert.equal(keyOf({ key: 'v', code: 'KeyV' }), 'v');
  assert.equal(keyOf({ key: 'ر', code: 'KeyV' }), 'v');
  assert.equal(keyOf({ key: 'ω', code: 'KeyV' }), 'v');
  // Another Latin layout (Dvorak, AZERTY) keeps the letter on the key.
  assert.equal(keyOf({ key: 'a', code: 'KeyQ' }), 'a');
  assert.equal(keyOf({ key: 'é', code: 'Digit2' }), 'é');
  assert.equal(keyOf({ key: 'ArrowDown', code: 'ArrowDown' }), 'ArrowDown');
  assert.equal(keyOf({ key: '?', code: 'Slash' }), '?');
});
