import { test } from 'node:test';
import assert from 'node:assert/strict';
import { ProgressBar, progressLine } from './report.ts';

const state = (enrolled: number, failed = 0) => ({ total: 10, enrolled, failed, before: 0 });

test('the rate and the time left are those of this run alone', () => {
  assert.match(
    progressLine({ total: 100, enrolled: 55, failed: 5, before: 40 }, 10),
    / 60\/100 {2}55 enrolled, 5 failed {2}2\.0\/s {2}20 s left$/,
  );
  assert.match(progressLine(state(0), 0), /0\/10 .* – left$/);
});

test('a log that is no terminal holds the first state and the last', () => {
  const lines: string[] = [];
  const bar = new ProgressBar({ isTTY: false, write: (text) => lines.push(text) > 0 });
  bar.update(state(0));
  bar.update(state(4));
  bar.update(state(9, 1));
  bar.end();
  assert.equal(lines.length, 2);
  assert.match(lines.join(''), /0\/10 .*\n.*10\/10 {2}9 enrolled, 1 failed.*\n$/);
});
