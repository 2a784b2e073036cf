/** Bounds of what proven callers have under way, so that none of them shuts the others out. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Bounds } from '../../core/api/http/bounds.ts';
import { until } from '../support/until.ts';
import { addOperator, signIn } from './access/operators.ts';
import { openSite, type TestSite } from './site.ts';

const MATCH = '/api/v1/verification/signature/match';
const KIB = 1024;

function siteWithin(t: TestContext, bounds: Partial<Bounds>): Promise<TestSite> {
  return openSite(t, () => ({ bounds }));
}

/** A request whose body does not end. `sent` bytes of it are there. */
function begin(t: TestContext, site: TestSite, token: string, sent = 10) {
  const socket = connect(site.port, '127.0.0.1');
  t.after(() => socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  const head = [
    `POST ${MATCH} HTTP/1.1`,
    `Host: 127.0.0.1:${site.port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${sent + 1}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${' '.repeat(sent)}`);
  return { socket, heard: () => text };
}

async function openStream(t: TestContext, site: TestSite, cookie: string) {
  const abort = new AbortController();
  t.after(() => {
    abort.abort();
  });
  const { status, body } = await fetch(`${site.address}/api/dashboard/events`, {
    headers: { cookie },
    signal: abort.signal,
  });
  assert.equal(status, 200);
  const state = { ended: false };
  const read = async () => {
    for await (const _ of body!);
    state.ended = true;
  };
  read().catch(() => undefined);
  return state;
}

test('an operator has a bounded number of event streams: a new one ends the oldest', async (t) => {
  const site = await siteWithin(t, { eventStreams: 2 });
  await addOperator(site, 'Ada', 'auditor');
  await addOperator(site, 'Grace', 'auditor');
  const [ada, grace] = [await signIn(site, 'Ada'), await signIn(site, 'Grace')];
  const other = await openStream(t, site, grace);
  const streams: Awaited<ReturnType<typeof openStream>>[] = [];
  for (let count = 0; count < 4; count += 1) streams.push(await openStream(t, site, ada));
  await until(() => streams[0]!.ended && streams[1]!.ended);
  assert.deepEqual([streams[2]!.ended, streams[3]!.ended, other.ended], [false, false, false]);
});

test('requests under way are bounded per caller and company; other companies go on', async (t) => {
  const site = await siteWithin(t, { requestsPerCaller: 2, requestsPerCompany: 3 });
  const second = await site.newToken();
  const stranger = await site.newToken({ company: await site.newCompany() });
  const status = async (token: string) => (await site.call('/api/v3/persons', { token })).status;
  const held = [begin(t, site, site.token), begin(t, site, site.token)];
  await until(async () => (await status(site.token)) === 429);
  assert.equal(await status(second), 200);
  held.push(begin(t, site, second));
  await until(async () => (await status(second)) === 429);
  assert.equal(await status(stranger), 200);
  for (const { socket } of held) socket.destroy();
  await until(async () => (await status(site.token)) === 200);
});

test('bodies in memory are bounded: who holds most of them loses the largest', async (t) => {
  const site = await siteWithin(t, { bodyMemory: 512 * KIB });
  const honest = begin(t, site, await site.newToken(), 200 * KIB);
  const small = begin(t, site, site.token, 150 * KIB);
  const large = begin(t, site, site.token, 300 * KIB);
  await until(() => large.heard() !== '');
  assert.match(large.heard(), /^HTTP\/1\.1 429 [^]*TOO_MANY_ATTEMPTS/);
  assert.deepEqual([honest.heard(), small.heard()], ['', '']);
});

test('unfinished bodies of proven callers make room for a new connection', async (t) => {
  const site = await siteWithin(t, { connections: 4, unprovenConnections: 4, requestsPerCaller: 4 });
  for (let count = 0; count < 4; count += 1) begin(t, site, site.token);
  const headers = { host: '127.0.0.1', authorization: `Bearer ${site.token}` };
  // Asked without a connection.
  await until(async () => (await site.api.inject({ url: '/api/v3/persons', headers })).statusCode === 429);
  assert.equal((await site.call('/health', { token: null })).status, 200);
});

/** Sends a request on one connection, `times` at once, and leaves while its credential is looked up. */
async function leaveEarly(
  t: TestContext,
  site: TestSite,
  { path = '/api/v3/persons', credential = `Authorization: Bearer ${site.token}`, times = 1 },
): Promise<void> {
  const { apiTokens, sessions } = site.storage;
  const find = { token: apiTokens.findByHash.bind(apiTokens), session: sessions.find.bind(sessions) };
  const left = Promise.withResolvers<undefined>();
  const lookUps = [
    t.mock.method(apiTokens, 'findByHash', (hash: Uint8Array) => left.promise.then(() => find.token(hash)))
      .mock,
    t.mock.method(sessions, 'find', (hash: Uint8Array) => left.promise.then(() => find.session(hash))).mock,
  ];
  const socket = connect(site.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\n${credential}\r\n\r\n`;
  socket.write(head.repeat(times));
  await until(() => lookUps.some((lookUp) => lookUp.callCount() === times));
  const count = promisify(site.api.server.getConnections.bind(site.api.server));
  const before = await count();
  socket.destroy();
  await until(async () => (await count()) < before);
  left.resolve(undefined);
  for (const lookUp of lookUps) lookUp.restore();
}

test('a request whose caller left during the look-up of its credential counts as ended', async (t) => {
  const site = await siteWithin(t, { requestsPerCaller: 2 });
  for (let count = 0; count < 2; count += 1) await leaveEarly(t, site, {});
  assert.equal((await site.call('/api/v3/persons')).status, 200);
});

test('a request that waited behind another one on a connection counts as ended', async (t) => {
  const site = await siteWithin(t, { requestsPerCaller: 3 });
  await leaveEarly(t, site, { times: 4 });
  assert.equal((await site.call('/api/v3/persons')).status, 200);
});

test('a page that was left before its events begin ends none that are open', async (t) => {
  const site = await siteWithin(t, { eventStreams: 1 });
  await addOperator(site, 'Ada', 'auditor');
  const cookie = await signIn(site, 'Ada');
  const stream = await openStream(t, site, cookie);
  await leaveEarly(t, site, { path: '/api/dashboard/events', credential: `Cookie: ${cookie}` });
  assert.equal((await site.call('/api/v3/persons')).status, 200);
  assert.equal(stream.ended, false);
});
