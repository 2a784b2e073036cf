/** Callers without a credential, many at once: what they may take, and that others are served beside them. */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { NetworkListenerServer } from '../../core/api/http/networkListener.ts';
import { issueCertificate } from '../../core/platform/certificate.ts';
import { networkAccessRequest } from '../../core/contracts/network.ts';
import { NetworkAccessService } from '../../core/domain/network/networkAccessService.ts';
import { addOperator, ask, PASSPHRASE, signIn } from '../api/access/operators.ts';
import { fileHead, multipart, requestBytes, sendRaw } from '../api/rawRequest.ts';
import { until } from '../support/until.ts';
import { newSigner, signatureHeaders, type Signer } from '../api/signing.ts';
import { FACES, formOf, JPEG, openSite, type TestSite } from '../api/site.ts';
import { TEST_ACT } from '../support/act.ts';
import { askOverTls, freePort } from '../support/network.ts';
import { PLATFORM } from '../../core/platform/platform.ts';

const BOUNDARY = 'siege';
/** The time of a fresh site, Unix seconds. */
const NOW = Date.parse('2026-03-01T12:00:00Z') / 1000;
const VERIFY = '/api/v3/verifications/biometrics-verification';

interface Attacker {
  socket: Socket;
  heard: () => string;
}

function attack(t: TestContext, port: number, bytes: Uint8Array | string = ''): Attacker {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk));
  socket.on('error', () => undefined);
  if (bytes.length > 0) socket.write(bytes);
  t.after(() => socket.destroy());
  return { socket, heard: () => heard };
}

/** A sign-in whose body is announced and never complete. */
function slowSignIn(site: TestSite, announced = 1000): string {
  return [
    'POST /api/dashboard/session HTTP/1.1',
    `Host: 127.0.0.1:${site.port}`,
    `Origin: ${site.address}`,
    'Content-Type: application/json',
    `Content-Length: ${announced}`,
    '',
    '{',
  ].join('\r\n');
}

/** A request with a well-formed but wrong signature, in front of the holder of the key. */
function forged(site: TestSite, { key }: Signer, target: string, body: Uint8Array, type: string): Buffer {
  return requestBytes('POST', target, body, {
    Host: `127.0.0.1:${site.port}`,
    'Content-Type': type,
    'X-USER-ID': key.userId,
    'X-TIMESTAMP': String(NOW),
    'X-HMAC-SIGNATURE': '0'.repeat(64),
  });
}

function statusOf({ heard }: Attacker): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(heard())?.[1] ?? 0);
}

/** Keeps one connection, as a program with a token does. */
async function pollOver(agent: Agent, site: TestSite): Promise<IncomingMessage> {
  const request = get({
    agent,
    host: '127.0.0.1',
    port: site.port,
    path: '/api/v3/biometric-blacklists',
    headers: { host: `127.0.0.1:${site.port}`, authorization: `Bearer ${site.token}` },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

test('slow connections beyond the bound close the oldest of their own', async (t) => {
  const bounds = { connections: 24, unprovenConnections: 16 };
  const site = await openSite(t, () => ({ bounds }));
  await addOperator(site, 'Ana', 'admin');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  let sockets = 0;
  assert.equal((await pollOver(agent, site)).statusCode, 200);
  agent.on('free', () => (sockets += 1));
  const slow = Array.from({ length: 40 }, (_, index) =>
    attack(t, site.port, index % 2 === 0 ? slowSignIn(site) : ''),
  );
  await until(() => slow.filter(({ socket }) => socket.destroyed).length >= 24);
  assert.equal((await site.call('/health', { token: null })).status, 200);
  assert.equal((await site.upload(formOf(JPEG))).status, 202);
  assert.equal(
    (await ask(site, 'POST', '/session', { body: { operator: 'Ana', passphrase: PASSPHRASE } })).status,
    204,
  );
  const kept = await pollOver(agent, site);
  assert.equal(kept.statusCode, 200);
  assert.equal(kept.headers.connection, 'keep-alive');
  assert.ok(sockets <= 1, 'the program kept its connection');
});

test('the unproven connection that idled longest closes first, a busy one last', async (t) => {
  const site = await openSite(t, () => ({ bounds: { unprovenConnections: 4 } }));
  const receiving = attack(t, site.port, slowSignIn(site));
  await once(receiving.socket, 'connect');
  const idle: Attacker[] = [];
  for (let index = 0; index < 3; index += 1) {
    const one = attack(t, site.port, `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\n\r\n`);
    await until(() => statusOf(one) === 200);
    idle.push(one);
  }
  // Younger connections might still bring their request.
  await wait(1_100);
  attack(t, site.port);
  await until(() => idle[0]!.socket.destroyed);
  assert.deepEqual(
    [receiving, ...idle].map(({ socket }) => socket.destroyed),
    [false, true, false, false],
  );
});

test('the network listener bounds the unproven connections of one address', async (t) => {
  const networkListener = new NetworkListenerServer();
  const bounds = { unprovenPerAddress: 3, handshake: 60_000 };
  const site = await openSite(t, () => ({ networkListener, bounds }));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const clock = { now: () => new Date() };
  const service = new NetworkAccessService({
    ...PLATFORM,
    ...site.storage,
    networkSocket: networkListener,
    issueCertificate,
    clock,
    log,
  });
  const [name, port] = ['vouch.test.lan', await freePort()];
  const state = await service.open(
    networkAccessRequest.parse({ names: [name], address: '127.0.0.1', port }),
    undefined,
    TEST_ACT,
  );
  const silent = Array.from({ length: 8 }, () => attack(t, port));
  await until(() => silent.filter(({ socket }) => socket.destroyed).length === 5);
  const answer = await askOverTls({ name, port, ca: state.listener!.certificate });
  assert.equal(answer.status, 200, 'the next caller closes one of them');
});

test('a TLS handshake that does not come is given up', async (t) => {
  const networkListener = new NetworkListenerServer();
  const site = await openSite(t, () => ({ networkListener, bounds: { handshake: 200 } }));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const clock = { now: () => new Date() };
  const service = new NetworkAccessService({
    ...PLATFORM,
    ...site.storage,
    networkSocket: networkListener,
    issueCertificate,
    clock,
    log,
  });
  const port = await freePort();
  await service.open(
    networkAccessRequest.parse({ names: ['a.lan'], address: '127.0.0.1', port }),
    undefined,
    TEST_ACT,
  );
  const { socket } = attack(t, port);
  await once(socket, 'close');
});

test('a body below the least rate is answered 408 and closed, one that keeps it is not', async (t) => {
  const site = await openSite(t, () => ({ bounds: { bodyGrace: 1_000, bodyRate: 200 } }));
  const body = multipart(BOUNDARY, [{ head: fileHead('images[]'), content: JPEG }]);
  const whole = requestBytes('POST', FACES, Buffer.concat([body, Buffer.alloc(3_000)]), {
    Host: `127.0.0.1:${site.port}`,
    Authorization: `Bearer ${site.token}`,
    'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
  });
  const stalled = attack(t, site.port, whole.subarray(0, whole.indexOf(JPEG)));
  const steady = attack(t, site.port, whole.subarray(0, whole.indexOf(JPEG)));
  const rest = whole.subarray(whole.indexOf(JPEG));
  let at = 0;
  const drip = setInterval(() => {
    steady.socket.write(rest.subarray(at, (at += 500)));
    if (at >= rest.length) clearInterval(drip);
  }, 400);
  t.after(() => {
    clearInterval(drip);
  });
  await Promise.all([once(stalled.socket, 'close'), until(() => statusOf(steady) !== 0)]);
  assert.match(stalled.heard(), /^HTTP\/1\.1 408 [^]*REQUEST_TIMEOUT/);
  assert.equal(statusOf(steady), 202, steady.heard());
});

test('a body without credential or after refusal has a short total time', async (t) => {
  const site = await openSite(t, () => ({ bounds: { openBody: 500 } }));
  const open = attack(t, site.port, slowSignIn(site));
  const refused = attack(t, site.port, slowSignIn(site).replace('/session ', '/session/confirm '));
  const unknown = attack(t, site.port, slowSignIn(site).replace('/session ', '/no-such-route '));
  await Promise.all([open, refused, unknown].map(({ socket }) => once(socket, 'close')));
  assert.deepEqual([open, refused, unknown].map(statusOf), [408, 401, 408]);
});

test('a client sending after its refusal is closed in time, however fast it sends', async (t) => {
  const site = await openSite(t, () => ({ bounds: { openBody: 500 } }));
  const endless = attack(
    t,
    site.port,
    `POST ${FACES} HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const piece = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
  const send = () => {
    while (!endless.socket.destroyed && endless.socket.write(piece));
  };
  endless.socket.on('drain', send);
  send();
  await until(() => endless.socket.destroyed);
  assert.equal(statusOf(endless), 401);
});

test('a body that needs no credential is small', async (t) => {
  const site = await openSite(t);
  const body = { operator: 'Ana', passphrase: 'x'.repeat(17_000) };
  assert.equal((await ask(site, 'POST', '/session', { body })).status, 413);
  const streamed = attack(
    t,
    site.port,
    slowSignIn(site).replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked'),
  );
  streamed.socket.write(`4e20\r\n${'x'.repeat(20_000)}\r\n0\r\n\r\n`);
  await until(() => statusOf(streamed) !== 0);
  assert.ok([400, 413].includes(statusOf(streamed)), streamed.heard());
});

test('unproven bodies share memory and disk: the largest yields, a small one passes', async (t) => {
  const KIB = 1024;
  const bounds = { unprovenMemory: 256 * KIB, unprovenDisk: 256 * KIB };
  const site = await openSite(t, () => ({ bounds }));
  const signer = await newSigner(site);
  const json = Buffer.from(JSON.stringify({ image: 'x'.repeat(120 * KIB) }));
  const form = multipart(BOUNDARY, [
    { head: fileHead('images[]'), content: Buffer.concat([JPEG, Buffer.alloc(120 * KIB)]) },
  ]);
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  for (const bytes of [
    forged(site, signer, VERIFY, json, 'application/json'),
    forged(site, signer, FACES, form, type),
  ]) {
    const flood = Array.from({ length: 6 }, () => attack(t, site.port, bytes.subarray(0, -1)));
    await until(() => flood.filter((one) => statusOf(one) === 429).length >= 4);
    const small = multipart(BOUNDARY, [{ head: fileHead('images[]'), content: JPEG }]);
    const at = NOW + (bytes.includes('json') ? 1 : 2);
    const honest = await sendRaw(
      site.port,
      requestBytes('POST', FACES, small, {
        Host: `127.0.0.1:${site.port}`,
        'Content-Type': type,
        ...signatureHeaders(signer, { method: 'POST', target: FACES, body: small, at }),
      }),
    );
    assert.equal(honest.status, 202, honest.body);
    for (const { socket } of flood) socket.destroy();
  }
  const alone = multipart(BOUNDARY, [
    { head: fileHead('images[]'), content: Buffer.concat([JPEG, Buffer.alloc(600 * KIB)]) },
  ]);
  const large = await sendRaw(
    site.port,
    requestBytes('POST', FACES, alone, {
      Host: `127.0.0.1:${site.port}`,
      'Content-Type': type,
      ...signatureHeaders(signer, { method: 'POST', target: FACES, body: alone, at: NOW + 3 }),
    }),
  );
  assert.equal(large.status, 202, 'alone, a body may be larger than the bound');
});

test('free space is checked while a body is written; at the floor nothing is kept', async (t) => {
  const MIB = 1024 * 1024;
  let looks = 0;
  const site = await openSite(t, (storage) => ({
    images: {
      write: (...given) => storage.images.write(...given),
      receive: (...given) => storage.images.receive(...given),
      read: (...given) => storage.images.read(...given),
      discard: (...given) => storage.images.discard(...given),
      settled: (ids) => {
        storage.images.settled(ids);
      },
      freeBytes: () => Promise.resolve((looks += 1) < 3 ? 100 * MIB : 10 * MIB),
    },
  }));
  await site.storage.installation.update({ minFreeBytes: 50 * MIB }, TEST_ACT);
  const photo = Buffer.concat([JPEG, Buffer.alloc(9 * MIB)]);
  const answer = await site.upload(formOf(photo, photo, photo, photo, photo));
  assert.deepEqual([answer.status, answer.body.code], [503, 'DISK_FULL']);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  await until(async () => (await site.imageFiles()).length === 0);
});

test('slow connections, forged bodies and sign-in floods leave others served', async (t) => {
  const bounds = { unprovenConnections: 40, connections: 80 };
  const site = await openSite(t, () => ({ bounds }));
  await addOperator(site, 'Ana', 'admin');
  const cookie = await signIn(site, 'Ana');
  const signer = await newSigner(site);
  for (let index = 0; index < 30; index += 1) attack(t, site.port, slowSignIn(site));
  const body = Buffer.from(JSON.stringify({ image: 'x'.repeat(100_000) }));
  for (let index = 0; index < 8; index += 1)
    attack(t, site.port, forged(site, signer, VERIFY, body, 'application/json').subarray(0, -1));
  const flood = Array.from({ length: 20 }, (_, index) =>
    ask(site, 'POST', '/session', { body: { operator: `Nobody ${index}`, passphrase: PASSPHRASE } }).catch(
      () => undefined,
    ),
  );
  const host = { Host: `127.0.0.1:${site.port}` };
  const form = multipart(BOUNDARY, [{ head: fileHead('images[]'), content: JPEG }]);
  const passphrase = Buffer.from(JSON.stringify({ operator: 'Ana', passphrase: PASSPHRASE }));
  const origin = { ...host, Origin: site.address };
  // Each over a connection of its own: a pool may take one that is being closed at this moment.
  const [health, upload, again, session] = await Promise.all(
    [
      requestBytes('GET', '/health', Buffer.alloc(0), host),
      requestBytes('POST', FACES, form, {
        ...host,
        Authorization: `Bearer ${site.token}`,
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      }),
      requestBytes('POST', '/api/dashboard/session', passphrase, {
        ...origin,
        'Content-Type': 'application/json',
      }),
      requestBytes('GET', '/api/dashboard/session', Buffer.alloc(0), { ...origin, Cookie: cookie }),
    ].map((bytes) => sendRaw(site.port, bytes)),
  );
  assert.deepEqual([health?.status, upload?.status, again?.status, session?.status], [200, 202, 204, 200]);
  await Promise.all(flood);
  assert.deepEqual(
    site.lines.filter(({ level }) => level === 'error'),
    [],
  );
});
