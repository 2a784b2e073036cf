import { test } from 'node:test';
import assert from 'node:assert/strict';
import { waitAfter, waitAfterAnywhere } from './attempts.ts';

test('the wait after failed attempts grows and never becomes for ever', () => {
  const waits = Array.from({ length: 60 }, (_, attempts) => waitAfter(attempts));
  assert.deepEqual(waits.slice(0, 8), [0, 0, 0, 0, 0, 30_000, 60_000, 120_000]);
  assert.deepEqual(
    waits,
    [...waits].sort((a, b) => a - b),
  );
  assert.equal(waits.at(-1), 3_600_000);
});

test('all addresses together may fail a hundred times before they wait', () => {
  assert.deepEqual([1, 5, 99, 100, 101, 1_000].map(waitAfterAnywhere), [0, 0, 0, 30_000, 60_000, 3_600_000]);
});
