import { test } from 'node:test';
import assert from 'node:assert/strict';
import { makeRoom } from './keptRuns.ts';

test('the holder of most entries loses its oldest; among equals the oldest goes', () => {
  const kept = new Map([
    ['a1', 'a'],
    ['b1', 'b'],
    ['b2', 'b'],
    ['b3', 'b'],
  ]);
  makeRoom(kept, 2, (holder) => holder);
  assert.deepEqual([...kept.keys()], ['a1', 'b3']);
  makeRoom(kept, 1, (holder) => holder);
  assert.deepEqual([...kept.keys()], ['b3']);
});
