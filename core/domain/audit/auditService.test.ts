import { test } from 'node:test';
import assert from 'node:assert/strict';
import { ViewAuditDeduplicator } from './auditService.ts';

const MINUTE = 60_000;

test('an open page is one view; a later one or one by another operator is a new one', async () => {
  let now = 0;
  const looks = new ViewAuditDeduplicator({ now: () => new Date(now) });
  let recorded = 0;
  const look = async (by: 'operator:1' | 'operator:2', object: string) => {
    const before = recorded;
    await looks.once(by, object, async () => {
      recorded += 1;
      await Promise.resolve();
    });
    return recorded > before;
  };
  assert.equal(await look('operator:1', 'validation:1'), true);
  now = 9 * MINUTE;
  assert.equal(await look('operator:1', 'validation:1'), false);
  assert.equal(await look('operator:2', 'validation:1'), true);
  assert.equal(await look('operator:1', 'validation:2'), true);
  now = 10 * MINUTE;
  assert.equal(
    await look('operator:1', 'validation:1'),
    true,
    'counted from the last entry, not from the last refresh',
  );
  now = -MINUTE;
  assert.equal(await look('operator:1', 'validation:1'), true, 'a clock that was set back hides no look');
});

test('a view that could not be recorded is tried again', async () => {
  const looks = new ViewAuditDeduplicator({ now: () => new Date(0) });
  await assert.rejects(
    looks.once('operator:1', 'validation:1', () => Promise.reject(new Error('disk full'))),
  );
  let recorded = false;
  await looks.once('operator:1', 'validation:1', async () => {
    recorded = true;
    await Promise.resolve();
  });
  assert.ok(recorded);
});
