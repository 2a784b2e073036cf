/** Signed requests of profile v2: the signature is checked before the body, the body against its announced hash. */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileHead, multipart, requestBytes, sendRaw } from './rawRequest.ts';
import { until } from '../support/until.ts';
import { newSigner, signatureHeaders, signatureHeadersV2, type Signer } from './signing.ts';
import { FACES, JPEG, UPLOADS, openSite, type TestSite } from './site.ts';
import { HMAC_PROFILE } from '../../core/domain/credentials/signedRequests.ts';

const BOUNDARY = 'v2';
/** The time of a fresh site, Unix seconds. */
const NOW = Date.parse('2026-03-01T12:00:00Z') / 1000;
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const FORM = multipart(BOUNDARY, [{ head: fileHead('images[]', 'one.jpg'), content: JPEG }]);
const POST = { method: 'POST', target: FACES, body: FORM, contentType: TYPE };

function send(site: TestSite, headers: Record<string, string>, body: Uint8Array = FORM) {
  return sendRaw(
    site.port,
    requestBytes('POST', FACES, body, { Host: `127.0.0.1:${site.port}`, ...headers }),
  );
}

async function nothingIsKept(site: TestSite): Promise<void> {
  await until(async () => (await site.imageFiles()).length === 0);
  assert.equal(await site.storage.queue.waiting(), 0);
}

/** The head of a request whose body never comes. */
function headAlone(site: TestSite, headers: Record<string, string>): string {
  const lines = Object.entries({ Host: `127.0.0.1:${site.port}`, ...headers, 'Content-Length': '1000000' });
  return `POST ${FACES} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

test('the examples of the reference page are what the profiles sign', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/reference/request-signing.md'), 'utf8');
  const facts = {
    timestamp: '1767225600',
    method: 'POST',
    target: '/api/v3/duplicate-detection/faces?source=gate%201',
    bodyHash: createHash('sha256').update('hello').digest('hex'),
    contentType: 'text/plain',
    idempotencyKey: 'batch-7',
  };
  const poll = {
    ...facts,
    method: 'GET',
    target: '/api/v3/biometric-blacklists',
    bodyHash: createHash('sha256').digest('hex'),
    contentType: '',
    idempotencyKey: '',
  };
  for (const each of [facts, poll]) {
    const signature = createHmac('sha256', 'secret').update(HMAC_PROFILE.v2.message(each)).digest('hex');
    const lines = [
      each.timestamp,
      each.method,
      each.target,
      each.bodyHash,
      each.contentType,
      each.idempotencyKey,
    ];
    assert.ok(page.includes(`\n${lines.join('\n')}\n`), `the page has the lines of ${each.method}`);
    assert.ok(page.includes(signature), `the page has ${signature}`);
  }
});

test('a signed upload and poll are accepted, a change only once, with or without key', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site, { profile: 'v2' });
  const headers = signatureHeadersV2(signer, { ...POST, at: NOW });
  const accepted = await send(site, headers);
  assert.equal(accepted.status, 202, accepted.body);
  assert.equal((await send(site, headers)).status, 401, 'the same signature again');
  const keyed = signatureHeadersV2(signer, { ...POST, idempotencyKey: 'batch-7', at: NOW });
  assert.equal((await send(site, keyed)).status, 202);
  const { uploadId } = (JSON.parse(accepted.body) as { data: { uploadId: string } }).data;
  const target = `${UPLOADS}/${uploadId}?a=1&b=%20`;
  const poll = signatureHeadersV2(signer, { method: 'GET', target, at: NOW });
  for (let turn = 0; turn < 2; turn += 1)
    assert.equal((await site.call(target, { token: null, headers: poll })).status, 200);
});

test('a wrong signature is refused before the body, a replaced body after it', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site, { profile: 'v2' });
  const good = signatureHeadersV2(signer, { ...POST, at: NOW });
  const wrong: Record<string, Record<string, string>> = {
    'another signature': { 'x-hmac-signature': '0'.repeat(64) },
    'another hash': { 'x-content-sha256': createHash('sha256').update('other').digest('hex') },
    'no hash at all': { 'x-content-sha256': 'none' },
    'an upper-case hash': { 'x-content-sha256': good['x-content-sha256']!.toUpperCase() },
    'another boundary': { 'content-type': 'multipart/form-data; boundary=other' },
    'an Idempotency-Key that was not signed': { 'idempotency-key': 'taken' },
    'an unknown user id': { 'x-user-id': 'user_unknown' },
    'a time outside the window': { 'x-timestamp': String(NOW - 301) },
  };
  for (const [what, change] of Object.entries(wrong)) {
    const { status } = await sendRaw(site.port, headAlone(site, { ...good, ...change }));
    assert.equal(status, 401, what);
  }
  const swapped = Buffer.from(FORM);
  swapped[FORM.indexOf('one.jpg')] = 0x4f;
  const late = await send(site, good, swapped);
  assert.equal(late.status, 401, 'another body');
  assert.ok(
    !namesOf(late.head).some((name) => name.startsWith('x-ratelimit')),
    'no cause shows in the headers',
  );
  await nothingIsKept(site);
});

test('a client proven by its head learns what is wrong without sending the body', async (t) => {
  const site = await openSite(t);
  const signer = await newSigner(site, { profile: 'v2', scopes: ['verify'] });
  const { status } = await sendRaw(
    site.port,
    headAlone(site, signatureHeadersV2(signer, { ...POST, at: NOW })),
  );
  assert.equal(status, 403);
});

test('each profile takes only its own form of request', async (t) => {
  const site = await openSite(t);
  const first = await newSigner(site);
  const second = await newSigner(site, { profile: 'v2' });
  const v1 = (signer: Signer) => ({
    ...signatureHeaders(signer, { ...POST, at: NOW }),
    'content-type': TYPE,
  });
  const v2 = (signer: Signer) => signatureHeadersV2(signer, { ...POST, at: NOW });
  assert.deepEqual(
    [
      (await send(site, v2(first))).status,
      (await send(site, v1(second))).status,
      (await send(site, v1(first))).status,
      (await send(site, v2(second))).status,
    ],
    [401, 401, 202, 202],
  );
});

test('known and unknown user ids are answered alike, at the same point', async (t) => {
  const site = await openSite(t);
  const known = await newSigner(site);
  const revoked = await newSigner(site, { expiresAt: new Date(1000 * NOW) });
  const v2 = await newSigner(site, { profile: 'v2' });
  const users = [known.key.userId, revoked.key.userId, v2.key.userId, 'user_unknown'];
  const forged = { 'x-timestamp': String(NOW), 'x-hmac-signature': '0'.repeat(64), 'content-type': TYPE };
  const hash = createHash('sha256').update(FORM).digest('hex');
  const answers = [];
  for (const user of users) {
    const headers = { ...forged, 'x-user-id': user };
    const whole = await send(site, headers);
    const early = await sendRaw(site.port, headAlone(site, { ...headers, 'x-content-sha256': hash }));
    answers.push([whole, early].map(({ status, head, body }) => [status, body, namesOf(head)]));
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.deepEqual(
    answers[0]?.map(([status]) => status),
    [401, 401],
  );
  await nothingIsKept(site);
});

test('without an announced hash both user ids are refused after the last byte', async (t) => {
  const site = await openSite(t);
  const known = await newSigner(site);
  for (const user of [known.key.userId, 'user_unknown']) {
    const bytes = requestBytes('POST', FACES, FORM, {
      Host: `127.0.0.1:${site.port}`,
      'x-user-id': user,
      'x-timestamp': String(NOW),
      'x-hmac-signature': '0'.repeat(64),
      'content-type': TYPE,
    });
    const socket = connect(site.port, '127.0.0.1');
    let heard = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk));
    socket.write(bytes.subarray(0, -1));
    assert.equal((await site.call('/health', { token: null })).status, 200);
    assert.equal(heard, '', user);
    socket.write(bytes.subarray(-1));
    await until(() => heard !== '');
    socket.destroy();
    assert.match(heard, /^HTTP\/1\.1 401/);
  }
});

function namesOf(head: string): string[] {
  return head
    .split('\r\n')
    .map((line) => line.split(':')[0]!.toLowerCase())
    .toSorted();
}
