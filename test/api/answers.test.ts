/** Envelopes and errors of the interface, and content that no answer and no log line may have. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { FACES, JPEG, UPLOADS, formOf, openSite } from './site.ts';
import { requestBytes, sendRaw } from './rawRequest.ts';
import { until } from '../support/until.ts';
import { TEST_ACT } from '../support/act.ts';

const HOUR = 3_600_000;

test('401 has one text for every cause, and says nothing of which it was', async (t) => {
  const site = await openSite(t);
  const expired = await site.newToken({ expiresAt: new Date('2026-03-01T12:00:00Z') });
  const revoked = await site.newToken();
  const [last] = (await site.storage.apiTokens.list(site.company.id)).slice(-1);
  await site.storage.apiTokens.revoke(site.company.id, last?.id ?? 0, TEST_ACT);
  const causes: Record<string, string | undefined> = {
    missing: undefined,
    empty: '',
    'another scheme': `Basic ${Buffer.from('a:b').toString('base64')}`,
    'no token': 'Bearer ',
    'an unknown token': `Bearer vouch_${'A'.repeat(43)}`,
    'a cut token': `Bearer ${site.token.slice(0, -1)}`,
    'a token with more': `Bearer ${site.token}a`,
    expired: `Bearer ${expired}`,
    revoked: `Bearer ${revoked}`,
  };
  for (const [cause, authorization] of Object.entries(causes)) {
    const answer = await site.call(FACES, {
      token: null,
      method: 'POST',
      body: formOf(JPEG),
      ...(authorization !== undefined && { headers: { authorization } }),
    });
    assert.equal(answer.status, 401, cause);
    assert.deepEqual(answer.body, { success: false, message: 'Unauthenticated.', code: 'UNAUTHENTICATED' });
  }
  assert.deepEqual(await site.imageFiles(), []);
});

test('a token works until the moment it expires', async (t) => {
  const site = await openSite(t);
  const expiresAt = new Date('2026-03-01T13:00:00.000Z');
  const token = await site.newToken({ expiresAt });
  site.setTime(new Date(expiresAt.getTime() - 1));
  assert.equal((await site.upload(formOf(JPEG), { token })).status, 202);
  site.setTime(expiresAt);
  assert.equal((await site.upload(formOf(JPEG), { token })).status, 401);
});

test('the last use of a token is recorded, at most once a minute', async (t) => {
  const site = await openSite(t);
  const lastUse = async () =>
    (await site.storage.apiTokens.list(site.company.id))[0]?.lastUsedAt?.toISOString();
  const use = async (time: string) => {
    site.setTime(new Date(time));
    await site.call(`${UPLOADS}/${crypto.randomUUID()}`);
    return lastUse();
  };
  assert.equal(await lastUse(), undefined);
  assert.equal(await use('2026-03-01T12:00:00.000Z'), '2026-03-01T12:00:00.000Z');
  assert.equal(await use('2026-03-01T12:00:59.999Z'), '2026-03-01T12:00:00.000Z');
  assert.equal(await use('2026-03-01T12:01:00.000Z'), '2026-03-01T12:01:00.000Z');
});

test('405 names the methods there are, with or without a credential', async (t) => {
  const site = await openSite(t);
  const wrong: [string, string, string][] = [
    ['GET', FACES, 'POST'],
    ['PUT', FACES, 'POST'],
    ['DELETE', `${UPLOADS}/${crypto.randomUUID()}`, 'GET, HEAD'],
    ['POST', '/health', 'GET, HEAD'],
    ['PROPFIND', '/health/?x=1', 'GET, HEAD'],
    ['GET', '/api//v3/duplicate-detection/faces/', 'POST'],
  ];
  for (const [method, path, allow] of wrong) {
    const answer = await site.call(path, { method, token: null });
    assert.equal(answer.status, 405, `${method} ${path}`);
    assert.equal(answer.headers.get('allow'), allow);
    assert.deepEqual(answer.body, {
      success: false,
      message: 'Method not allowed.',
      code: 'METHOD_NOT_ALLOWED',
    });
  }
  const routes = () =>
    site.lines.flatMap(({ text, facts }) => (text === 'answered' && 'route' in facts ? [facts.route] : []));
  await until(() => routes().length === wrong.length, 'a line of the log for each answer');
  const health = '/health';
  assert.deepEqual(routes(), [FACES, FACES, `${UPLOADS}/:uploadId`, health, health, FACES]);
});

test('404 for a path that does not exist, in the envelope of its version', async (t) => {
  const site = await openSite(t);
  const v3 = await site.call('/api/v3/nothing');
  assert.deepEqual([v3.status, v3.body], [404, { success: false, message: 'Not found.', code: 'NOT_FOUND' }]);
  const v1 = await site.call('/api/v1/nothing');
  assert.deepEqual([v1.status, v1.body], [404, { status: false, message: 'Not found.', code: 'NOT_FOUND' }]);
});

test("429 beyond one credential's requests per minute, with headers; others go on", async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ requestsPerMinute: 3 }, TEST_ACT);
  const other = await site.newToken();
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await site.call(`${UPLOADS}/${crypto.randomUUID()}`)).status);
  assert.deepEqual(statuses, [404, 404, 404]);
  const limited = await site.upload(formOf(JPEG));
  assert.equal(limited.status, 429);
  assert.deepEqual(limited.body, {
    success: false,
    message: 'Too Many Attempts.',
    code: 'TOO_MANY_ATTEMPTS',
  });
  assert.ok(Number(limited.headers.get('retry-after')) > 0);
  assert.equal(limited.headers.get('x-ratelimit-limit'), '3');
  assert.equal(limited.headers.get('x-ratelimit-remaining'), '0');
  assert.deepEqual(await site.imageFiles(), []);
  assert.equal((await site.upload(formOf(JPEG), { token: other })).status, 202);
});

test('every answer carries its own X-Request-Id, even to what is not HTTP', async (t) => {
  const site = await openSite(t);
  const ids = new Set<string | null>();
  const answers = [
    await site.upload(formOf(JPEG)),
    await site.upload(formOf()),
    await site.call(FACES, { token: null, method: 'POST' }),
    await site.call('/nothing'),
    await site.call('/api/v3/%E0%A4%A'),
    await site.call(`/${'x'.repeat(5_000)}`),
    await site.call('/health'),
    await site.call(FACES, { method: 'PATCH' }),
  ];
  for (const { headers } of answers) ids.add(headers.get('x-request-id'));
  assert.equal(ids.size, answers.length);
  assert.ok(!ids.has(null));
  for (const request of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`]) {
    const answer = await sendRaw(site.port, request);
    assert.ok(answer.status >= 400 && answer.status < 500);
    assert.match(answer.head, /^x-request-id: [\da-f-]{36}$/im);
  }
});

test('an unknown expectation is no reason to refuse, and its answer has its id', async (t) => {
  const site = await openSite(t);
  const head = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nExpect: the-best\r\n\r\n`;
  const answer = await sendRaw(site.port, head);
  assert.equal(answer.status, 200);
  assert.match(answer.head, /^x-request-id: [\da-f-]{36}/im);
});

test('a client that sends first and reads later gets the answer to a refused body', async (t) => {
  const site = await openSite(t);
  const body = Buffer.alloc(24 * 1024 * 1024, 'x');
  for (const [type, token, status] of [
    ['application/json', 'nobody', 401],
    ['multipart/form-data; boundary=b', 'nobody', 401],
    ['text/plain', site.token, 415],
  ] as const) {
    const headers = {
      Host: `127.0.0.1:${site.port}`,
      'Content-Type': type,
      Authorization: `Bearer ${token}`,
    };
    const request = requestBytes('POST', FACES, body, { ...headers, Connection: 'close' });
    const answer = await sendAllThenRead(site.port, request);
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), type);
  }
});

/** As the simplest clients do: not a byte is read before all was written. */
async function sendAllThenRead(port: number, request: Uint8Array): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause();
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(request, (error) => (error ? reject(error) : resolve()));
  });
  const heard = once(socket, 'data') as Promise<[Buffer]>;
  socket.resume();
  const [chunk] = await heard;
  socket.destroy();
  return chunk.toString('latin1');
}

test('GET /health answers 200 without a credential', async (t) => {
  const site = await openSite(t);
  const answer = await site.call('/health', { token: null });
  assert.deepEqual([answer.status, answer.body], [200, { status: 'ok', paused: false }]);
});

test('GET /health/live and /health/ready answer without a credential', async (t) => {
  const checks = { store: true, gallery: true, workers: true, accepting: true };
  let isReady = true;
  const site = await openSite(t, () => ({
    readiness: () => Promise.resolve({ ready: isReady, checks: { ...checks, accepting: isReady } }),
  }));
  const live = await site.call('/health/live', { token: null });
  assert.deepEqual([live.status, live.body], [200, { status: 'ok' }]);
  const ready = await site.call('/health/ready', { token: null });
  assert.deepEqual([ready.status, ready.body], [200, { ready: true, checks }]);
  isReady = false;
  const stopping = await site.call('/health/ready', { token: null });
  assert.deepEqual(
    [stopping.status, stopping.body],
    [503, { ready: false, checks: { ...checks, accepting: false } }],
  );
});

test('no log line holds a token, a file name or a byte of an image', async (t) => {
  const site = await openSite(t);
  const content = Buffer.concat([JPEG, Buffer.from('canary-of-the-image')]);
  const name = 'canary-of-the-name.jpg';
  await site.upload(formOf({ name, content }));
  await site.upload(formOf({ name, content: Buffer.from('canary-of-the-image') }));
  await site.call('/nothing?who=canary-of-the-query');
  site.setTime(new Date(Date.now() + HOUR));
  await site.storage.installation.update({ paused: true }, TEST_ACT);
  await site.upload(formOf({ name, content }));
  const log = JSON.stringify(site.lines);
  assert.ok(site.lines.length >= 4);
  assert.ok(!log.includes('canary'));
  assert.ok(!log.includes(site.token));
});
