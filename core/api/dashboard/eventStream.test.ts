import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import type { CompanyId } from '../../contracts/ids.ts';
import type { ChangeTopic, ChangeFeed } from '../../storage/engine/changes.ts';
import { EVENT_GAP, HEARTBEAT, reportChanges } from './events.ts';

const COMPANY = 1 as CompanyId;

/** @param reads whether the reader takes what is written; otherwise `take` takes it */
function openStream(t: TestContext, reads = true) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const listeners = new Set<(topics: ReadonlySet<ChangeTopic>) => void>();
  const changes: Pick<ChangeFeed, 'subscribe'> = {
    subscribe(_company, listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
  let text = '';
  let take: () => void = () => undefined;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      text += String(chunk);
      if (reads) done();
      else take = done;
    },
  });
  const session = { isOpen: true };
  const recheck = () => (session.isOpen ? Promise.resolve() : Promise.reject(new Error('It has ended.')));
  const stop = reportChanges(stream, changes, COMPANY, recheck);
  t.after(stop);
  return {
    stream,
    stop,
    listeners,
    session,
    change: (...topics: ChangeTopic[]) => {
      for (const listener of listeners) listener(new Set(topics));
    },
    pass: (ms: number) => {
      t.mock.timers.tick(ms);
    },
    take: () => {
      take();
    },
    /** The text that was written since the last call. */
    written: () => {
      const written = text;
      text = '';
      return written;
    },
  };
}

test('changes of a quarter of a second become one event, without a poll in between', (t) => {
  const { change, pass, written } = openStream(t);
  pass(10 * EVENT_GAP);
  assert.equal(written(), '');
  change('uploads');
  change('queue', 'uploads');
  pass(EVENT_GAP - 1);
  assert.equal(written(), '');
  change('validations');
  pass(1);
  assert.equal(written(), 'data: {"topics":["queue","uploads","validations"]}\n\n');
  pass(10 * EVENT_GAP);
  assert.equal(written(), '');
});

test('a reader that takes no data is sent the topics once it reads again', async (t) => {
  const { stream, change, pass, take, written } = openStream(t, false);
  change('flows');
  pass(EVENT_GAP);
  for (let i = 0; i < 1_000; i++) {
    change('queue', 'blacklists');
    pass(1);
  }
  assert.ok(stream.writableLength < 200, 'one event is waiting, not a thousand');
  assert.equal(written(), 'data: {"topics":["flows"]}\n\n');
  take();
  await new Promise(setImmediate);
  assert.equal(written(), 'data: {"topics":["queue","blacklists"]}\n\n');
});

test('a heartbeat keeps the stream open and cuts off a reader that took nothing since', (t) => {
  const { stream, change, pass, written, take } = openStream(t, false);
  pass(HEARTBEAT);
  assert.equal(written(), ':\n\n');
  take();
  change('flows');
  pass(EVENT_GAP);
  pass(HEARTBEAT);
  assert.ok(stream.destroyed);
});

for (const cause of ['change', 'time'] as const)
  test(`a stream ends with its session, which ended by ${cause}; no event follows`, async (t) => {
    const { stream, change, pass, listeners, session, stop, written } = openStream(t);
    change('access');
    pass(HEARTBEAT);
    await new Promise(setImmediate);
    assert.equal(stream.writableEnded, false);
    session.isOpen = false;
    if (cause === 'change') change('access');
    else pass(HEARTBEAT);
    await new Promise(setImmediate);
    assert.ok(stream.writableEnded);
    assert.ok(!written().includes('data'), 'pages follow no sessions');
    change('flows');
    pass(EVENT_GAP);
    assert.equal(written(), '');
    stop();
    assert.equal(listeners.size, 0);
  });
