import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rounds } from './turns.ts';

/** Keeps the function that is to be called later. */
function manualTimer() {
  const due = new Set<() => void>();
  return {
    due,
    after(_milliseconds: number, work: () => void) {
      due.add(work);
      return () => due.delete(work);
    },
  };
}

/** Rounds that each wait until the test ends them. */
function heldRounds() {
  const ends: (() => void)[] = [];
  const timer = manualTimer();
  const rounds = new Rounds(timer, () => new Promise((resolve) => ends.push(resolve)));
  return { rounds, ends, timer };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test('wakes during a round cause one more round, after it', async () => {
  const { rounds, ends } = heldRounds();
  rounds.wake();
  await soon();
  assert.equal(ends.length, 0, 'before the start nothing happens');
  rounds.start();
  await soon();
  rounds.wake();
  rounds.wake();
  await soon();
  assert.equal(ends.length, 1, 'rounds do not run side by side');
  ends[0]!();
  await soon();
  assert.equal(ends.length, 2);
  ends[1]!();
  await rounds.idle();
  await soon();
  assert.equal(ends.length, 2);
});

test('a round is repeated later once, and not after the stop', async () => {
  const { rounds, ends, timer } = heldRounds();
  rounds.start();
  await soon();
  rounds.wakeLater();
  rounds.wakeLater();
  assert.equal(timer.due.size, 1);
  ends[0]!();
  const stopped = rounds.stop();
  assert.equal(timer.due.size, 0);
  await stopped;
  rounds.wakeLater();
  rounds.wake();
  await soon();
  assert.equal(timer.due.size, 0);
  assert.equal(ends.length, 1);
});
