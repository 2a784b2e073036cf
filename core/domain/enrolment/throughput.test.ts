import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ThroughputMeter } from './dispatcher.ts';

test('the rate is of the last five minutes, and of less when less has passed', () => {
  const pace = new ThroughputMeter();
  const at = (seconds: number) => new Date(seconds * 1000);
  assert.equal(pace.perMinute(at(0)), null);
  for (let second = 0; second < 600; second += 1) pace.answered(at(second));
  assert.equal(pace.lastProcessedAt?.getTime(), 599_000);
  assert.ok(Math.abs((pace.perMinute(at(600)) ?? 0) - 60) < 2);
  assert.equal(pace.perMinute(at(3600)), null);
  const young = new ThroughputMeter();
  for (let second = 0; second < 30; second += 1) young.answered(at(second));
  assert.equal(young.perMinute(at(30)), 60);
});
