import { test } from 'node:test';
import assert from 'node:assert/strict';
import { RejectionLogThrottle } from './signInService.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 1, 12, minutes));

test('ten thousand refusals of one kind in an hour are 28 entries, which say how many', () => {
  const counts = new RejectionLogThrottle();
  const recorded = Array.from({ length: 10_000 }, () => counts.count('a', at(0))).filter(
    (count) => count !== undefined,
  );
  assert.deepEqual(recorded.slice(0, 21), [...Array.from({ length: 20 }, (_, index) => index + 1), 40]);
  assert.equal(recorded.length, 28);
  assert.equal(recorded.at(-1), 5120);
  assert.equal(counts.count('b', at(0)), 1, 'another kind has its own count');
  assert.equal(counts.count('a', at(59)), undefined);
  assert.equal(counts.count('a', at(60)), 1);
  assert.equal(counts.count('a', at(0)), 1, 'a clock that was set back begins a new hour');
});
