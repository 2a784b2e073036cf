import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXPORT_LIMIT } from './attempts.ts';
import { RecentExports } from './signInService.ts';

const CONFIRMED = new Date('2026-03-01T12:00:00.000Z');
const SESSION = new Uint8Array([1]);
const after = (milliseconds: number) => new Date(CONFIRMED.getTime() + milliseconds);

test('a series of exports asks for the passphrase once, until it pauses', () => {
  const exports = new RecentExports();
  const step = EXPORT_LIMIT - 1;
  for (const at of [step, 2 * step, 3 * step])
    assert.equal(exports.allow(SESSION, CONFIRMED, after(at)), true);
  assert.equal(exports.allow(SESSION, CONFIRMED, after(3 * step + EXPORT_LIMIT)), false);
});

test('the exports of one session allow none of another', () => {
  const exports = new RecentExports();
  const late = EXPORT_LIMIT - 1;
  assert.equal(exports.allow(SESSION, CONFIRMED, after(late)), true);
  assert.equal(exports.allow(new Uint8Array([2]), CONFIRMED, after(late + 1)), false);
});

test('exports and confirmations in the future allow none', () => {
  const exports = new RecentExports();
  const DAY = 86_400_000;
  assert.equal(exports.allow(SESSION, after(DAY), after(0)), false);
  assert.equal(exports.allow(SESSION, after(DAY), after(DAY)), true);
  assert.equal(exports.allow(SESSION, after(-DAY), after(0)), false, 'the export of a clock that was ahead');
});
