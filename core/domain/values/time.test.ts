import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLOCK_SLACK, hasPassed } from './time.ts';

test('a span has passed at its end, and when it began in the future', () => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  const since = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  assert.equal(hasPassed(since(999), 1000, now), false);
  assert.equal(hasPassed(since(1000), 1000, now), true);
  assert.equal(hasPassed(since(-CLOCK_SLACK), 1000, now), false, 'clocks of machines differ a little');
  assert.equal(hasPassed(since(-CLOCK_SLACK - 1), 1000, now), true);
});
