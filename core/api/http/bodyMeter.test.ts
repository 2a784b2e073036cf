import assert from 'node:assert/strict';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { meterBodies, Turns } from './bodyMeter.ts';
import { ApiError } from './errors.ts';

test('of pieces that wait, one is done in each turn of the event loop, in their order', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  turns.take(() => {
    done.push('first');
    turns.take(() => done.push('asked for by the first'));
  });
  turns.take(() => done.push('second'));
  assert.deepEqual(done, []);
  const seen: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await turn();
    seen.push(done.length);
  }
  assert.deepEqual(done, ['first', 'second', 'asked for by the first']);
  assert.deepEqual(seen, [1, 2, 3, 3]);
});

test('a body whose sender left before its first reader fails at once', { timeout: 10_000 }, async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  const failed = Promise.withResolvers<unknown>();
  const began = Promise.withResolvers<undefined>();
  app.addHook('onRequest', async ({ raw }) => {
    began.resolve(undefined);
    await new Promise((resolve) => raw.once('close', resolve));
  });
  meterBodies(app, { openBodyBytes: 100 });
  app.addHook('onError', (_request, _reply, error, done) => {
    failed.resolve(error);
    done();
  });
  app.post('/', () => 'read');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\na');
  await began.promise;
  socket.destroy();
  const error = await failed.promise;
  assert.ok(error instanceof ApiError);
  assert.equal(error.problem.code, 'MALFORMED_REQUEST');
});
