/** A credential that is revoked, or a session that ends, while a body arrives: the request changes nothing. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { TEST_ACT } from '../support/act.ts';
import { until } from '../support/until.ts';
import { addOperator, signIn } from './access/operators.ts';
import { fileHead, multipart, requestBytes } from './rawRequest.ts';
import { newSigner, signatureHeaders, signatureHeadersV2 } from './signing.ts';
import { FACES, JPEG, openSite, type TestSite } from './site.ts';

const BOUNDARY = 'slow';
/** The time of a fresh site, Unix seconds. */
const NOW = Date.parse('2026-03-01T12:00:00Z') / 1000;
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const FORM = multipart(BOUNDARY, [{ head: fileHead('images[]', 'one.jpg'), content: JPEG }]);

interface Sent {
  method?: string;
  target: string;
  body: Uint8Array;
  headers: Record<string, string>;
}

/** Sends all of a request but its last byte, does something, and sends the rest. @returns the status of the answer */
async function sendAround(site: TestSite, request: Sent, meanwhile: () => Promise<unknown>): Promise<number> {
  const { method = 'POST', target, body, headers } = request;
  const bytes = requestBytes(method, target, body, { Host: `127.0.0.1:${site.port}`, ...headers });
  const socket = connect(site.port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk));
  socket.write(bytes.subarray(0, -1));
  // Answered later than the head of the first request is checked.
  for (let turn = 0; turn < 3; turn += 1) await site.call('/api/v3/trust-validations');
  assert.equal(heard, '');
  await meanwhile();
  socket.write(bytes.subarray(-1));
  await until(() => heard !== '');
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1]);
}

async function nothingIsKept(site: TestSite): Promise<void> {
  await until(async () => (await site.imageFiles()).length === 0);
  assert.equal(await site.storage.queue.waiting(), 0);
}

const nothing = () => Promise.resolve();

test('a token that is revoked while its photos or its JSON arrive changes nothing', async (t) => {
  const site = await openSite(t);
  const upload = async (meanwhile: () => Promise<unknown>) => {
    const token = await site.newToken();
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': TYPE };
    return sendAround(site, { target: FACES, body: FORM, headers }, meanwhile);
  };
  const revokeLast = async () => {
    const last = (await site.storage.apiTokens.list(site.company.id)).at(-1);
    assert.ok(await site.storage.apiTokens.revoke(site.company.id, last!.id, TEST_ACT));
  };
  assert.equal(await upload(revokeLast), 401);
  await nothingIsKept(site);
  assert.equal(await upload(nothing), 202);
  const headers = {
    Authorization: `Bearer ${await site.newToken()}`,
    'Content-Type': 'application/json',
  };
  const body = Buffer.from(JSON.stringify({ name: 'Ada', faces: [1] }));
  assert.equal(await sendAround(site, { target: '/api/v3/persons', body, headers }, revokeLast), 401);
});

test('the token of a body that comes with its head is looked up once', async (t) => {
  const site = await openSite(t);
  const token = await site.newToken();
  const lookUps = t.mock.method(site.storage.apiTokens, 'findByHash').mock;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Ada', faces: [1] });
  assert.equal((await site.call('/api/v3/persons', { method: 'POST', headers, body })).status, 404);
  assert.equal(lookUps.callCount(), 1);
});

for (const profile of ['v1', 'v2'] as const)
  test(`a key of ${profile} that is revoked while its photos arrive changes nothing`, async (t) => {
    const site = await openSite(t);
    const headersOf = profile === 'v1' ? signatureHeaders : signatureHeadersV2;
    const upload = async (at: number, revokes: boolean) => {
      const signer = await newSigner(site, { profile });
      const signed = { method: 'POST', target: FACES, body: FORM, contentType: TYPE, at };
      const headers = { ...headersOf(signer, signed), 'content-type': TYPE };
      return sendAround(site, { target: FACES, body: FORM, headers }, async () =>
        revokes ? site.storage.hmacKeys.revoke(site.company.id, signer.key.id, TEST_ACT) : undefined,
      );
    };
    assert.equal(await upload(NOW, true), 401);
    await nothingIsKept(site);
    assert.equal(await upload(NOW, false), 202);
  });

test('an operator deactivated or without the role while photos arrive changes nothing', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const bruno = await addOperator(site, 'Bruno', 'operator');
  const target = '/api/dashboard/uploads';
  const upload = async (meanwhile: () => Promise<unknown>) => {
    const cookie = await signIn(site, 'Bruno');
    const headers = { Cookie: cookie, Origin: site.address, 'Content-Type': TYPE };
    return sendAround(site, { target, body: FORM, headers }, meanwhile);
  };
  const change = (to: { role?: 'auditor' | 'operator'; active?: boolean }) => () =>
    site.storage.operators.change(site.company.id, bruno.id, to, TEST_ACT);
  assert.equal(await upload(change({ role: 'auditor' })), 403);
  await change({ role: 'operator' })();
  assert.equal(await upload(change({ active: false })), 401);
  await nothingIsKept(site);
  await change({ active: true })();
  assert.equal(await upload(nothing), 202);
});

test('a slow copy of a signed upload is refused after the end of the longest window', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ signatureWindowSeconds: 3_600 }, TEST_ACT);
  const signer = await newSigner(site);
  const upload = (at: number) => {
    const headers = signatureHeaders(signer, { method: 'POST', target: FACES, body: FORM, at });
    return { target: FACES, body: FORM, headers: { ...headers, 'content-type': TYPE } };
  };
  const original = upload(NOW);
  assert.equal(await sendAround(site, original, nothing), 202);
  site.setTime(new Date(1000 * (NOW + 3_600)));
  const late = await sendAround(site, original, async () => {
    site.setTime(new Date(1000 * (NOW + 3_600 + 14 * 60)));
    // Another signature is remembered, and old ones are forgotten.
    assert.equal(await sendAround(site, upload(NOW + 4_000), nothing), 202);
  });
  assert.equal(late, 401);
});

test('a download is cut off when its operator loses the session or the permission', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const bruno = await addOperator(site, 'Bruno', 'admin');
  const change = (to: { role?: 'auditor' | 'admin'; active?: boolean }) =>
    site.storage.operators.change(site.company.id, bruno.id, to, TEST_ACT);
  let page = Promise.withResolvers<[]>();
  let begin: () => void;
  t.mock.method(site.storage.views, 'validations', () => {
    begin();
    return page.promise;
  });
  const download = async () => {
    page = Promise.withResolvers();
    const started = new Promise<void>((resolve) => (begin = resolve));
    const cookie = await signIn(site, 'Bruno');
    const response = await fetch(`${site.address}/api/dashboard/validations/export`, {
      method: 'POST',
      headers: { cookie, origin: site.address, 'content-type': 'application/json' },
      body: JSON.stringify({ rows: 'validations', filter: {} }),
    });
    assert.equal(response.status, 200);
    await started;
    const read = response.text().then(
      () => 'whole',
      () => 'cut off',
    );
    return { read };
  };
  for (const [end, restore] of [
    [() => change({ role: 'auditor' }), () => change({ role: 'admin' })],
    [() => change({ active: false }), () => change({ active: true })],
  ] as const) {
    const { read } = await download();
    await end();
    // All are answered later than the session of the download is read again, on a machine with other work too.
    for (let turn = 0; turn < 10; turn += 1) await signIn(site, 'Ana');
    page.resolve([]);
    assert.equal(await read, 'cut off');
    await restore();
  }
  const { read } = await download();
  await signIn(site, 'Ana');
  page.resolve([]);
  assert.equal(await read, 'whole');
});
