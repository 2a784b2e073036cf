import assert from 'node:assert/strict';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { test } from 'node:test';
import { Turns } from './open.ts';

/** Turns with a clock of the test, and a comparison that counts. */
function counted() {
  let [now, comparisons] = [0, 0];
  const turns = new Turns(() => now);
  return {
    turns,
    comparisons: () => comparisons,
    use: () =>
      turns.compared(async () => {
        comparisons += 1;
        await turnOfLoop();
      }),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

/** Runs work within a turn. */
function within(turn: ReturnType<Turns['begin']>, work: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    turn.run(() => {
      work().then(resolve, reject);
    });
  });
}

test('a request compares once, however often and wherever it reads', async () => {
  const { turns, comparisons, use } = counted();
  const turn = turns.begin();
  await within(turn, async () => {
    await Promise.all([use(), use()]);
    await turnOfLoop();
    await use();
  });
  assert.equal(comparisons(), 1);
  // A body arrives outside of the turn, and its handler enters it again.
  await within(turn, use);
  assert.equal(comparisons(), 1);
});

test('each request and each use outside of one compare for themselves', async () => {
  const { turns, comparisons, use } = counted();
  await within(turns.begin(), use);
  await within(turns.begin(), use);
  await use();
  await use();
  assert.equal(comparisons(), 4);
});

test('a request that takes long compares again, and so does work that outlives it', async () => {
  const { turns, comparisons, use, pass } = counted();
  const turn = turns.begin();
  await within(turn, async () => {
    await use();
    pass(999);
    await use();
    assert.equal(comparisons(), 1);
    pass(1);
    await use();
    assert.equal(comparisons(), 2);
    turn.end();
    await use();
    await use();
  });
  assert.equal(comparisons(), 4);
});

test('a comparison that failed is made again within the same request', async () => {
  const turns = new Turns();
  let fails = true;
  const use = () =>
    turns.compared(() => (fails ? Promise.reject(new Error('no answer')) : Promise.resolve()));
  await within(turns.begin(), async () => {
    await assert.rejects(use(), /no answer/);
    fails = false;
    await use();
  });
});
