/** Signed requests. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { fileHead, multipart, requestBytes, sendAndHangUp, sendRaw } from './rawRequest.ts';
import { until } from '../support/until.ts';
import { newSigner, signatureHeaders, signedUpload, type Signer } from './signing.ts';
import { FACES, JPEG, PNG, UPLOADS, openSite, type TestSite } from './site.ts';
import { TEST_ACT } from '../support/act.ts';

const BOUNDARY = 'signed';
/** The time of a fresh site, Unix seconds. */
const NOW = Date.parse('2026-03-01T12:00:00Z') / 1000;
const FORM = multipart(BOUNDARY, [
  { head: fileHead('images[]', 'one.jpg'), content: JPEG },
  { head: fileHead('images[]', 'two.png'), content: PNG },
]);
const UNKNOWN = `${UPLOADS}/${crypto.randomUUID()}`;

function upload(site: TestSite, signer: Signer, at = NOW, body: Uint8Array = FORM) {
  return sendRaw(site.port, signedUpload(site, signer, { boundary: BOUNDARY, body }, at));
}

/** Polls an upload that does not exist: 404 once the signature is accepted. */
function poll(site: TestSite, signer: Signer, at: number, change: Record<string, string> = {}) {
  const headers = signatureHeaders(signer, { method: 'GET', target: UNKNOWN, at });
  return site.call(UNKNOWN, { token: null, headers: { ...headers, ...change } });
}

async function nothingIsKept(site: TestSite): Promise<void> {
  await until(async () => (await site.imageFiles()).length === 0);
  assert.equal(await site.storage.queue.waiting(), 0);
}

test('a signed upload and a signed poll are accepted', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  const accepted = await upload(site, signer);
  assert.equal(accepted.status, 202, accepted.body);
  const { uploadId } = (JSON.parse(accepted.body) as { data: { uploadId: string } }).data;
  const target = `${UPLOADS}/${uploadId}?a=1&b=%20`;
  const headers = signatureHeaders(signer, { method: 'GET', target, at: NOW });
  const answer = await site.call(target, { token: null, headers });
  assert.equal(answer.status, 200, answer.text);
});

test('the window is 300 seconds, both edges in it', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  for (const [offset, status] of [
    [-301, 401],
    [-300, 404],
    [-299, 404],
    [0, 404],
    [299, 404],
    [300, 404],
    [301, 401],
  ] as const)
    assert.equal((await poll(site, signer, NOW + offset)).status, status, `${offset} s`);
  site.setTime(new Date(1000 * NOW + 1));
  assert.equal((await poll(site, signer, NOW - 300, {})).status, 401, 'a millisecond beyond the edge');
});

test('the window is a setting of the site', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  await site.storage.installation.update({ signatureWindowSeconds: 30 }, TEST_ACT);
  assert.equal((await poll(site, signer, NOW - 31)).status, 401);
  assert.equal((await poll(site, signer, NOW - 30)).status, 404);
});

test('a changing request is accepted once, across restarts and wider windows', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  assert.equal((await upload(site, signer, NOW)).status, 202);
  assert.equal((await upload(site, signer, NOW)).status, 401);
  await site.restart();
  assert.equal((await upload(site, signer, NOW)).status, 401);
  assert.equal((await upload(site, signer, NOW + 1)).status, 202);
  site.setTime(new Date(1000 * (NOW + 3_000)));
  await upload(site, signer, NOW + 3_000);
  await site.storage.installation.update({ signatureWindowSeconds: 3_600 }, TEST_ACT);
  assert.equal((await upload(site, signer, NOW)).status, 401);
  assert.equal((await upload(site, signer, NOW + 2)).status, 202);
});

test('GET and HEAD may be repeated within the window, also across a restart', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  for (let turn = 0; turn < 3; turn += 1) assert.equal((await poll(site, signer, NOW)).status, 404);
  await site.restart();
  assert.equal((await poll(site, signer, NOW)).status, 404);
  const headers = signatureHeaders(signer, { method: 'HEAD', target: UNKNOWN, at: NOW });
  for (let turn = 0; turn < 2; turn += 1)
    assert.equal((await fetch(site.address + UNKNOWN, { method: 'HEAD', headers })).status, 404);
  site.setTime(new Date(1000 * (NOW + 301)));
  assert.equal((await poll(site, signer, NOW)).status, 401, 'outside the window');
});

test('of many copies of one signed upload at once exactly one is accepted', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  const answers = await Promise.all(Array.from({ length: 8 }, () => upload(site, signer)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    202,
    ...Array.from({ length: 7 }, () => 401),
  ]);
  assert.equal(await site.storage.queue.waiting(), 2);
  assert.equal((await site.imageFiles()).length, 2);
});

test('a flipped bit at any signed byte is refused, and nothing is kept', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ requestsPerMinute: 1_000_000 }, TEST_ACT);
  const signer = await newSigner(site);
  const bytes = signedUpload(site, signer, { boundary: BOUNDARY, body: FORM }, NOW);
  const head = bytes.toString('latin1').indexOf('\r\n\r\n') + 4;
  const carried = [
    'POST',
    FACES,
    ...Object.values(signatureHeaders(signer, { method: 'POST', target: FACES, body: FORM, at: NOW })),
  ];
  const places = carried.flatMap((text) => {
    const start = bytes.indexOf(text);
    return Array.from(text, (_, index) => start + index);
  });
  for (let at = head; at < bytes.length; at += 1) places.push(at);
  for (const [turn, place] of places.entries()) {
    const flipped = Buffer.from(bytes);
    flipped[place] = flipped[place]! ^ (1 << (turn % 8));
    const { status } = await sendRaw(site.port, flipped);
    assert.ok(status >= 400 && status < 500, `byte ${place}, bit ${turn % 8}: ${status}`);
  }
  await nothingIsKept(site);
  assert.equal((await sendRaw(site.port, bytes)).status, 202, 'the request itself is a good one');
});

test('a wrong signature is 401 with one text, whatever else is wrong', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site, { scopes: ['verify'] });
  await site.storage.installation.update({ paused: true }, TEST_ACT);
  const good = signatureHeaders(signer, { method: 'POST', target: FACES, body: FORM, at: NOW });
  const wrong: Record<string, Record<string, string>> = {
    'a wrong signature': { 'x-hmac-signature': '0'.repeat(64) },
    'an upper-case signature': { 'x-hmac-signature': good['x-hmac-signature'].toUpperCase() },
    'an empty signature': { 'x-hmac-signature': '' },
    'a long signature': { 'x-hmac-signature': `${good['x-hmac-signature']}00` },
    'an unknown user': { 'x-user-id': 'user_nobody' },
    'no timestamp': { 'x-timestamp': '' },
    'a timestamp with a sign': { 'x-timestamp': `+${NOW}` },
    'a timestamp with a fraction': { 'x-timestamp': `${NOW}.0` },
    'another content type': { 'x-hmac-signature': '1'.repeat(64), 'Content-Type': 'application/json' },
    'no form at all': { 'x-hmac-signature': '2'.repeat(64), 'Content-Type': 'multipart/form-data' },
  };
  for (const [name, change] of Object.entries(wrong)) {
    const headers = {
      Host: `127.0.0.1:${site.port}`,
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...good,
      ...change,
    };
    const answer = await sendRaw(site.port, requestBytes('POST', FACES, FORM, headers));
    assert.equal(answer.status, 401, name);
    assert.deepEqual(JSON.parse(answer.body), {
      success: false,
      message: 'Unauthenticated.',
      code: 'UNAUTHENTICATED',
    });
  }
  assert.equal((await upload(site, signer)).status, 403, 'with the right one its scope is looked at');
});

test('a validly signed request is refused with the reason of its content', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  const text = multipart(BOUNDARY, [{ head: fileHead('images[]'), content: 'text' }]);
  assert.equal((await upload(site, signer, NOW, text)).status, 422);
  assert.equal((await upload(site, signer, NOW, FORM.subarray(0, -8))).status, 400);
  await site.storage.installation.update({ paused: true }, TEST_ACT);
  const large = multipart(BOUNDARY, [
    { head: fileHead('images[]'), content: Buffer.concat([JPEG, Buffer.alloc(6_000_000)]) },
  ]);
  assert.equal((await upload(site, signer, NOW, large)).status, 503);
  await nothingIsKept(site);
});

test('when a token is sent as well, the signature decides and nothing falls back', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  const wrong = { 'x-hmac-signature': '0'.repeat(64) };
  const good = signatureHeaders(signer, { method: 'GET', target: UNKNOWN, at: NOW });
  assert.equal((await site.call(UNKNOWN, { headers: { ...good, ...wrong } })).status, 401);
  for (const name of ['x-user-id', 'x-timestamp', 'x-hmac-signature'] as const)
    assert.equal((await site.call(UNKNOWN, { headers: { [name]: good[name] } })).status, 401, `only ${name}`);
  assert.equal((await site.call(UNKNOWN, { token: 'vouch_wrong', headers: good })).status, 404);
});

test('an expired and a revoked key are 401', async (t) => {
  const site = await openSite(t);
  const expired = await newSigner(site, { expiresAt: new Date(1000 * NOW) });
  assert.equal((await poll(site, expired, NOW)).status, 401);
  const revoked = await newSigner(site);
  assert.equal((await poll(site, revoked, NOW)).status, 404);
  await site.storage.hmacKeys.revoke(site.company.id, revoked.key.id, TEST_ACT);
  assert.equal((await poll(site, revoked, NOW + 1)).status, 401);
});

test('who only knows the id of a key cannot use up its requests; its holder can', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ requestsPerMinute: 3 }, TEST_ACT);
  const signer = await newSigner(site);
  const forged = { 'x-hmac-signature': '0'.repeat(64) };
  for (let tries = 0; tries < 12; tries += 1) {
    assert.equal((await poll(site, signer, NOW, forged)).status, 401);
    assert.equal((await upload(site, { ...signer, secret: 'another' })).status, 401);
  }
  for (let second = 0; second < 3; second += 1)
    assert.equal((await poll(site, signer, NOW + second)).status, 404, `request ${second}`);
  const limited = await poll(site, signer, NOW + 3);
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get('x-ratelimit-limit'), '3');
  assert.equal((await upload(site, signer, NOW + 4)).status, 429);
  assert.equal((await poll(site, signer, NOW, forged)).status, 401, 'a forged one still learns nothing');
  await nothingIsKept(site);
});

test('a connection is closed after twenty refused credentials', async (t) => {
  const site = await openSite(t);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const connections = [];
  for (let tries = 0; tries < 21; tries += 1) {
    const headers = { host: `127.0.0.1:${site.port}`, authorization: 'Bearer wrong' };
    const request = get({ agent, host: '127.0.0.1', port: site.port, path: UNKNOWN, headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    assert.equal(response.statusCode, 401);
    connections.push(response.headers.connection);
  }
  assert.equal(connections.indexOf('close'), 19);
  assert.equal(connections[20], 'keep-alive', 'the next connection is as good as any');
});

test('one address has bounded unproven bodies; a key holder still gets through', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  const bytes = signedUpload(site, { ...signer, secret: 'another' }, { boundary: BOUNDARY, body: FORM }, NOW);
  const beginBody = () => {
    const socket = connect(site.port, '127.0.0.1');
    socket.on('error', () => undefined).write(bytes.subarray(0, -8));
    return socket;
  };
  const sockets = Array.from({ length: 64 }, beginBody);
  let at = NOW;
  await until(async () => {
    // An upload that arrived before the last of the bodies had the place of that one.
    if (at > NOW) sockets.push(beginBody());
    return (await upload(site, signer, (at += 1))).status === 429;
  });
  for (const socket of sockets) socket.destroy();
  await until(async () => (await upload(site, signer, (at += 1))).status === 202);
});

test('a caller who hangs up in the middle of a signed body leaves nothing behind', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  const large = multipart(BOUNDARY, [
    { head: fileHead('images[]'), content: JPEG },
    { head: fileHead('images[]'), content: Buffer.concat([JPEG, Buffer.alloc(4_000_000)]) },
  ]);
  const bytes = signedUpload(site, signer, { boundary: BOUNDARY, body: large }, NOW);
  await sendAndHangUp(
    site.port,
    bytes.subarray(0, 2_000_000),
    async () => (await site.imageFiles()).length === 2,
  );
  await nothingIsKept(site);
  assert.deepEqual(
    site.lines.filter(({ level }) => level === 'error'),
    [],
  );
});

test('a route that takes bearer tokens only refuses a signature', async (t) => {
  const site = await openSite(t, undefined, (api) => {
    api.get('/api/v1/probe', { config: { access: 'signatures', bearerOnly: true }, schema: {} }, () => ({
      ok: true,
    }));
  });
  const signer = await newSigner(site);
  const headers = signatureHeaders(signer, { method: 'GET', target: '/api/v1/probe', at: NOW });
  const signed = await site.call('/api/v1/probe', { token: null, headers });
  assert.deepEqual(
    [signed.status, signed.body],
    [401, { status: false, message: 'Unauthenticated.', code: 'UNAUTHENTICATED' }],
  );
  assert.equal((await site.call('/api/v1/probe', { headers })).status, 401);
  assert.equal((await site.call('/api/v1/probe')).status, 200);
});

test('a signed JSON body reaches its handler only when the signature covers it', async (t) => {
  const handled: unknown[] = [];
  const site = await openSite(t, undefined, (api) => {
    api.post('/api/v3/probe', { config: { access: 'verify' }, schema: {} }, (request) => {
      handled.push(request.body);
      return { ok: true };
    });
  });
  const signer = await newSigner(site);
  const send = (signed: string, sent: string, at: number) =>
    site.call('/api/v3/probe', {
      token: null,
      method: 'POST',
      body: sent,
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders(signer, { method: 'POST', target: '/api/v3/probe', body: signed, at }),
      },
    });
  assert.equal((await send('{"a":1}', '{"a":2}', NOW)).status, 401);
  assert.equal((await send('{"a":1}', '{"a":', NOW + 1)).status, 401);
  assert.equal((await send('{"a":', '{"a":', NOW + 2)).status, 400);
  assert.deepEqual(handled, []);
  assert.equal((await send('{"a":1}', '{"a":1}', NOW + 3)).status, 200);
  assert.deepEqual(handled, [{ a: 1 }]);
});

test('whatever stands in the three headers, the answer is 401 and never a 5xx', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site);
  const value = fc
    .string({ unit: 'binary-ascii', maxLength: 80 })
    .map((text) => text.replace(/[\r\n\0]/g, ''));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constant(signer.key.userId), value),
      fc.oneof(fc.constant(String(NOW)), value),
      value,
      async (userId, timestamp, signature) => {
        const { statusCode } = await site.api.inject({
          url: UNKNOWN,
          headers: {
            host: 'localhost',
            'x-user-id': userId,
            'x-timestamp': timestamp,
            'x-hmac-signature': signature,
          },
        });
        assert.equal(statusCode, 401);
      },
    ),
    { numRuns: 1_000 },
  );
});
