import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './bodyMeter.ts';

test('of pieces that wait, one is done in each turn of the event loop, in their order', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  turns.take(() => {
    done.push('first');
    turns.take(() => done.push('asked for by the first'));
  });
  turns.take(() => done.push('second'));
  assert.deepEqual(done, []);
  const seen: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await turn();
    seen.push(done.length);
  }
  assert.deepEqual(done, ['first', 'second', 'asked for by the first']);
  assert.deepEqual(seen, [1, 2, 3, 3]);
});
