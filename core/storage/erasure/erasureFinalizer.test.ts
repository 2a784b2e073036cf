import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from './erasureFinalizer.ts';

test('what is searched for after a long run is spread over all of it', () => {
  const all = Array.from({ length: 1000 }, (_, i) => i);
  assert.deepEqual(sample(all, 4), [0, 250, 500, 750]);
  assert.equal(new Set(sample(all, 999)).size, 999);
  assert.deepEqual(sample(all.slice(0, 4), 4), [0, 1, 2, 3]);
});
