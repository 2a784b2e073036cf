import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { collectWhenIdle, IdleCollector } from './idleMemory.ts';

const MIB = 1024 * 1024;

test('an idle process collects garbage twice after a burst, a busy one never', () => {
  let held = 50 * MIB;
  let collections = 0;
  const collector = new IdleCollector(
    () => held,
    () => {
      collections += 1;
      held = 50 * MIB;
    },
  );
  const after = (utilizations: readonly number[]) => {
    collections = 0;
    for (const utilization of utilizations) collector.look(utilization);
    return collections;
  };
  assert.equal(after([0, 0, 0, 0]), 2, 'what the start left');
  held = 300 * MIB;
  assert.equal(after([1, 0.5, 0.2]), 0, 'busy');
  assert.equal(after([0.01, 0.9, 0.01, 0.01, 0.01]), 2);
  held = 70 * MIB;
  assert.equal(after([0, 0]), 0, 'little more than before');
});

test('an idle process returns the buffers that it no longer uses', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const end = collectWhenIdle();
  const burst = Array.from({ length: 64 }, () => new ArrayBuffer(4 * MIB));
  assert.ok(process.memoryUsage().arrayBuffers >= 256 * MIB);
  burst.length = 0;
  const isReturned = () => process.memoryUsage().arrayBuffers < 64 * MIB;
  // On a machine with other programs, an idle process can look busy for as short a time as this.
  for (let look = 0; look < 100 && !isReturned(); look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    t.mock.timers.tick(15_000);
  }
  assert.ok(isReturned());
  await end();
});

test('an idle process that cannot read its size from the system goes on', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  t.mock.method(process, 'memoryUsage', () => {
    throw new Error('ENOENT: no such file or directory, uv_resident_set_memory');
  });
  const end = collectWhenIdle();
  t.mock.timers.tick(15_000);
  await end();
});
