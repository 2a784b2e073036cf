/** Callers who take their time: heads and bodies that come slowly, half, or never. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileHead, multipart, requestBytes } from './rawRequest.ts';
import { until } from '../support/until.ts';
import { ScriptedSignatures } from '../support/fakes.ts';
import { FACES, JPEG, openSite, PNG, type TestSite } from './site.ts';

/** As the product's own limits, but much quicker; long enough that a busy machine still looks in between. */
const TIMEOUTS_MS = { idle: 1_500, head: 1_000, request: 2_500 };
const BOUNDARY = 'slow';

function slowSite(t: Parameters<typeof openSite>[0]): Promise<TestSite> {
  return openSite(t, () => ({ bounds: TIMEOUTS_MS }));
}

interface Slow {
  socket: Socket;
  heard: () => string;
  closed: Promise<void>;
}

function begin(site: TestSite, bytes: string | Uint8Array): Slow {
  const socket = connect(site.port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, heard: () => text, closed };
}

function uploadOf(site: TestSite): Buffer {
  const body = multipart(BOUNDARY, [
    { head: fileHead('images[]'), content: JPEG },
    { head: fileHead('images[]'), content: Buffer.concat([JPEG, Buffer.alloc(500_000)]) },
  ]);
  return requestBytes('POST', FACES, body, {
    Host: `127.0.0.1:${site.port}`,
    Authorization: `Bearer ${site.token}`,
    'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
  });
}

/** Sends a byte from time to time until the other side has had enough. */
async function drip({ socket }: Slow, bytes: Uint8Array, pause: number): Promise<void> {
  for (let at = 0; !socket.destroyed && at < bytes.length; at += 1) {
    socket.write(bytes.subarray(at, at + 1));
    await wait(pause);
  }
}

test('an endless slow head is answered 408 and closed while others are served', async (t) => {
  const site = await slowSite(t);
  const slow = Array.from({ length: 50 }, () => begin(site, `GET /health HTTP/1.1\r\nHost: x\r\n`));
  const dripping = slow.map((one) => drip(one, Buffer.from('X-A: '.padEnd(100, 'a')), 50));
  assert.equal((await site.call('/health', { token: null })).status, 200);
  await Promise.all(slow.map(({ closed }) => closed));
  await Promise.all(dripping);
  for (const { heard } of slow)
    assert.match(heard(), /^HTTP\/1\.1 408 Request Timeout\r\n[^]*REQUEST_TIMEOUT/);
});

test('a stalled body is abandoned and nothing of it is kept', async (t) => {
  const site = await slowSite(t);
  const bytes = uploadOf(site);
  const { closed } = begin(site, bytes.subarray(0, bytes.length / 2));
  await until(async () => (await site.imageFiles()).length > 0);
  await closed;
  await until(async () => (await site.imageFiles()).length === 0);
  assert.equal(await site.storage.queue.waiting(), 0);
  assert.deepEqual(
    site.lines.filter(({ level }) => level === 'error'),
    [],
  );
});

test('an endless slow body is abandoned after the time for a whole request', async (t) => {
  const site = await slowSite(t);
  const bytes = uploadOf(site);
  const head = bytes.indexOf('\r\n\r\n') + 4;
  const slow = begin(site, bytes.subarray(0, head + 400));
  const started = performance.now();
  await drip(slow, bytes.subarray(head + 400), 50);
  assert.ok(performance.now() - started >= TIMEOUTS_MS.request - 100, 'not before its time');
  await until(async () => (await site.imageFiles()).length === 0);
  assert.equal(await site.storage.queue.waiting(), 0);
});

test('a silent connection is closed', async (t) => {
  const site = await slowSite(t);
  await begin(site, '').closed;
  const kept = begin(site, `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\n\r\n`);
  await kept.closed;
  assert.match(kept.heard(), /^HTTP\/1\.1 200/);
});

test('a request that waits too long is answered 503, and a late result is dropped', async (t) => {
  const signatures = new ScriptedSignatures();
  const waiting = Promise.withResolvers<null>();
  const compare = signatures.compare.bind(signatures);
  signatures.compare = (image1, image2) => waiting.promise.then(() => compare(image1, image2));
  const site = await openSite(t, () => ({ bounds: TIMEOUTS_MS, signatures }));
  const image = `data:image/png;base64,${Buffer.concat([PNG.subarray(0, 8), Buffer.from('90')]).toString('base64')}`;
  const body = { template_id: 'accounts', verification_id: 'v-1', image1: image, image2: image };
  const answer = await site.call('/api/v1/verification/signature/match', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.deepEqual([answer.status, answer.body.code], [503, 'OUTCOME_UNKNOWN']);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  waiting.resolve(null);
  await until(async () => (await site.storage.comparisons.count(site.company.id, {})) === 1);
  assert.equal((await site.call('/health', { token: null })).status, 200);
  assert.deepEqual(
    site.lines.filter(({ level }) => level === 'error'),
    [],
  );
});
