import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { SILENT_LOG } from '../../test/support/fakes.ts';
import { EndOverdue, Ending } from './ending.ts';

const POLL_INTERVAL_MS = 250;

/** An end whose event loop waits for others as long as the test says. */
function slowEnd(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let idle = 0;
  const ending = new Ending(() => idle);
  const lines: string[] = [];
  ending.log = {
    ...SILENT_LOG,
    info: (_facts, text) => lines.push(text),
    error: (facts, text) => lines.push(`${text} ${JSON.stringify(facts)}`),
  };
  const step = Promise.withResolvers<undefined>();
  ending.add('the store', () => Promise.resolve(lines.push('closed')));
  ending.add('photos in progress', () => step.promise);
  return {
    ending,
    lines,
    finish: () => {
      step.resolve(undefined);
    },
    /** Lets time go by, of which this process waits for others so long. */
    pass: async (milliseconds: number, waiting: number) => {
      for (let passed = 0; passed < milliseconds; passed += POLL_INTERVAL_MS) {
        idle += (POLL_INTERVAL_MS * waiting) / milliseconds;
        t.mock.timers.tick(POLL_INTERVAL_MS);
        await later();
      }
    },
  };
}

test('an end that the processors delay is waited for, however long it takes', async (t) => {
  const { ending, lines, finish, pass } = slowEnd(t);
  const ended = ending.run();
  await pass(600_000, 7_000);
  assert.deepEqual(lines, []);
  finish();
  await ended;
  assert.deepEqual(lines, ['closed']);
});

test('work that others hold up is given up, and the end goes on', async (t) => {
  const { ending, lines, finish, pass } = slowEnd(t);
  ending.whenLate(3_000, 'given up', finish);
  const ended = ending.run();
  await pass(3_500, 3_500);
  await ended;
  assert.deepEqual(lines, ['given up', 'closed']);
});

test('the end fails and names the step that waits for others eight seconds', async (t) => {
  const { ending, lines, pass } = slowEnd(t);
  const ended = assert.rejects(ending.run(), (error) => {
    assert.ok(error instanceof EndOverdue);
    assert.match(error.message, /^8 seconds went by without an answer from photos in progress$/);
    return true;
  });
  await pass(8_500, 8_500);
  await ended;
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /photos in progress/);
});

test('the waits of all steps count together', async (t) => {
  const { ending, pass } = slowEnd(t);
  const drained = Promise.withResolvers<undefined>();
  const drain = ending.waitFor('the other services', () => drained.promise);
  await pass(6_000, 6_000);
  drained.resolve(undefined);
  await drain;
  const ended = assert.rejects(ending.run(), EndOverdue);
  await pass(2_500, 2_500);
  await ended;
});
