/** Uploads from careless, broken and hostile callers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FACES, JPEG, PNG, formOf, openSite, type TestSite } from '../api/site.ts';
import { fileHead, multipart, requestBytes, sendAndHangUp, sendRaw } from '../api/rawRequest.ts';
import { until } from '../support/until.ts';
import { TEST_ACT } from '../support/act.ts';

const MIB = 1024 * 1024;
const BOUNDARY = 'x-x-boundary';

function requestHead(site: TestSite, headers: Record<string, string | number>): string {
  const all = {
    Host: `127.0.0.1:${site.port}`,
    Authorization: `Bearer ${site.token}`,
    'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${FACES} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

function wholeRequest(
  site: TestSite,
  body: Uint8Array,
  headers: Record<string, string | number> = {},
): Buffer {
  return Buffer.concat([Buffer.from(requestHead(site, { 'Content-Length': body.length, ...headers })), body]);
}

async function nothingIsKept(site: TestSite): Promise<void> {
  await until(async () => (await site.imageFiles()).length === 0);
  assert.equal(await site.storage.queue.waiting(), 0);
  assert.equal(site.accepted(), 0);
}

const refused: { name: string; body: Buffer; headers?: Record<string, string>; status: number }[] = [
  {
    name: 'no boundary',
    body: multipart(BOUNDARY, [{ head: fileHead('images[]'), content: JPEG }]),
    headers: { 'Content-Type': 'multipart/form-data' },
    status: 400,
  },
  {
    name: 'another boundary than announced',
    body: multipart('other', [{ head: fileHead('images[]'), content: JPEG }]),
    status: 400,
  },
  {
    name: 'no closing boundary',
    body: multipart(BOUNDARY, [{ head: fileHead('images[]'), content: JPEG }]).subarray(0, -8),
    status: 400,
  },
  {
    name: 'a file cut in the middle',
    body: multipart(BOUNDARY, [{ head: fileHead('images[]'), content: JPEG }]).subarray(0, -30),
    status: 400,
  },
  {
    name: 'a part cut in its head',
    body: Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-da`),
    status: 400,
  },
  { name: 'bytes that are no form', body: Buffer.from('not a form at all'), status: 400 },
  { name: 'a form without parts', body: Buffer.from(`--${BOUNDARY}--\r\n`), status: 422 },
  {
    name: 'a part without a name',
    body: multipart(BOUNDARY, [{ head: 'Content-Disposition: form-data; filename="a.jpg"', content: JPEG }]),
    status: 422,
  },
  {
    name: 'a part without a disposition',
    body: multipart(BOUNDARY, [{ head: 'Content-Type: image/jpeg', content: JPEG }]),
    status: 422,
  },
  {
    name: 'a field called __proto__',
    body: multipart(BOUNDARY, [{ head: fileHead('__proto__'), content: JPEG }]),
    status: 422,
  },
  {
    name: 'text where an image should be',
    body: multipart(BOUNDARY, [
      { head: 'Content-Disposition: form-data; name="images[0]"', content: 'hello' },
    ]),
    status: 422,
  },
  {
    name: 'a broken JSON field',
    body: multipart(BOUNDARY, [
      { head: 'Content-Disposition: form-data; name="meta"\r\nContent-Type: application/json', content: '{' },
    ]),
    status: 422,
  },
  {
    name: 'thousands of tiny fields',
    body: multipart(
      BOUNDARY,
      Array.from({ length: 5_000 }, (_, i) => ({
        head: `Content-Disposition: form-data; name="f${i}"`,
        content: 'x',
      })),
    ),
    status: 413,
  },
  {
    name: 'thousands of tiny files',
    body: multipart(
      BOUNDARY,
      Array.from({ length: 5_000 }, () => ({ head: fileHead('images[]'), content: JPEG })),
    ),
    status: 422,
  },
  {
    name: 'a part head without end',
    body: Buffer.from(`--${BOUNDARY}\r\nX: ${'a'.repeat(2 * MIB)}`),
    status: 400,
  },
];

test('a form that is not what it should be is refused, and nothing of it is kept:', async (t) => {
  const site = await openSite(t);
  for (const { name, body, headers = {}, status } of refused)
    await t.test(`${name}: ${status}`, async () => {
      const answer = await sendRaw(site.port, wholeRequest(site, body, headers));
      assert.equal(answer.status, status, answer.body);
      assert.match(answer.head, /^x-request-id: [\da-f-]{36}/im);
      await nothingIsKept(site);
    });
  await t.test('a Content-Length that is too short: 400', async () => {
    const body = multipart(BOUNDARY, [{ head: fileHead('images[]'), content: JPEG }]);
    const answer = await sendRaw(
      site.port,
      wholeRequest(site, body, { 'Content-Length': body.length - 20, Connection: 'close' }),
    );
    assert.equal(answer.status, 400, answer.body);
    await nothingIsKept(site);
  });
});

test('an epilogue after the closing boundary is ignored', async (t) => {
  const site = await openSite(t);
  const body = Buffer.concat([
    multipart(BOUNDARY, [{ head: fileHead('images[]'), content: JPEG }]),
    Buffer.alloc(3 * MIB, 'z'),
  ]);
  const answer = await sendRaw(site.port, wholeRequest(site, body));
  assert.equal(answer.status, 202, answer.body);
});

test('a caller who hangs up in the middle of a file leaves nothing behind', async (t) => {
  const site = await openSite(t);
  const file = Buffer.concat([JPEG, Buffer.alloc(4 * MIB, 7)]);
  const body = multipart(BOUNDARY, [
    { head: fileHead('images[]'), content: JPEG },
    { head: fileHead('images[]'), content: file },
  ]);
  const half = wholeRequest(site, body).subarray(0, 3 * MIB);
  await sendAndHangUp(site.port, half, async () => (await site.imageFiles()).length === 2);
  await nothingIsKept(site);
});

test('a caller who hangs up between two files leaves nothing behind', async (t) => {
  const site = await openSite(t);
  const body = multipart(BOUNDARY, [{ head: fileHead('images[]'), content: JPEG }]);
  const open = Buffer.concat([
    Buffer.from(requestHead(site, { 'Content-Length': 10 * MIB })),
    body.subarray(0, -4),
  ]);
  await sendAndHangUp(site.port, open, async () => (await site.imageFiles()).length === 1);
  await nothingIsKept(site);
});

test('a chunked body that never says its length is taken', async (t) => {
  const site = await openSite(t);
  const body = multipart(BOUNDARY, [{ head: fileHead('images[]'), content: PNG }]);
  const head = requestHead(site, { 'Transfer-Encoding': 'chunked' });
  const chunks = [...body].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
  const answer = await sendRaw(site.port, Buffer.from(`${head}${chunks}0\r\n\r\n`, 'latin1'));
  assert.equal(answer.status, 202, answer.body);
});

test('a body larger than any batch is refused before and while it is sent', async (t) => {
  const site = await openSite(t);
  const company = await site.newCompany({ settings: { maxBatchImages: 1, maxImageBytes: MIB } });
  const token = await site.newToken({ company });
  const announced = await sendRaw(
    site.port,
    requestHead(site, { 'Content-Length': 900 * MIB, Authorization: `Bearer ${token}` }),
  );
  assert.equal(announced.status, 413, announced.body);
  const sent = await site.upload(formOf(Buffer.concat([JPEG, Buffer.alloc(8 * MIB)])), { token });
  assert.equal(sent.status, 413, sent.text);
  const unannounced = await site.call(FACES, {
    token,
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: new Blob([
      `--${BOUNDARY}\r\n${fileHead('images[]')}\r\n\r\n`,
      JPEG,
      Buffer.alloc(8 * MIB),
    ]).stream(),
    duplex: 'half',
  });
  assert.equal(unannounced.status, 413, unannounced.text);
  await nothingIsKept(site);
});

test('a corrupted request never gets a 5xx, and only accepted content is kept', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ requestsPerMinute: 1_000_000 }, TEST_ACT);
  const good = multipart(BOUNDARY, [
    { head: fileHead('images[]', 'one.jpg'), content: JPEG },
    { head: fileHead('images[1]', 'zwei.png'), content: PNG },
    { head: 'Content-Disposition: form-data; name="note"', content: 'text' },
  ]);
  await fc.assert(
    fc.asyncProperty(mutations(good.length), async (changes) => {
      const body = mutate(good, changes);
      const { status } = await sendRaw(site.port, wholeRequest(site, body));
      assert.ok([202, 400, 413, 422].includes(status), `answered ${status}`);
    }),
    { numRuns: 300 },
  );
  await until(async () => (await site.imageFiles()).length === (await site.storage.queue.waiting()));
  assert.deepEqual(
    site.lines.filter(({ level }) => level === 'error'),
    [],
  );
});

test('whatever stands in the headers, the answer is never a 5xx', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ requestsPerMinute: 1_000_000 }, TEST_ACT);
  const value = fc
    .string({ unit: 'binary-ascii', maxLength: 60 })
    .map((text) => text.replace(/[\r\n\0]/g, ''));
  const name = fc.constantFrom(
    'Content-Type',
    'Authorization',
    'Host',
    'Origin',
    'Idempotency-Key',
    'Transfer-Encoding',
    'Expect',
    'Connection',
  );
  await fc.assert(
    fc.asyncProperty(name, value, async (header, text) => {
      const { status } = await sendRaw(
        site.port,
        Buffer.from(requestHead(site, { 'Content-Length': 0, [header]: text }), 'latin1'),
      );
      assert.ok(status < 500, `answered ${status}`);
    }),
    { numRuns: 300 },
  );
});

interface Mutation {
  at: number;
  kind: 'flip' | 'cut' | 'insert' | 'repeat';
  byte: number;
  length: number;
}

function mutations(length: number): fc.Arbitrary<Mutation[]> {
  return fc.array(
    fc.record({
      at: fc.nat(length),
      kind: fc.constantFrom('flip', 'cut', 'insert', 'repeat'),
      byte: fc.nat(255),
      length: fc.integer({ min: 1, max: 40 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
}

function mutate(body: Buffer, changes: readonly Mutation[]): Buffer {
  return changes.reduce((bytes, { at, kind, byte, length }) => {
    const before = bytes.subarray(0, at);
    const after = bytes.subarray(at);
    switch (kind) {
      case 'flip':
        return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)]);
      case 'cut':
        return Buffer.concat([before, after.subarray(length)]);
      case 'insert':
        return Buffer.concat([before, Buffer.alloc(length, byte), after]);
      case 'repeat':
        return Buffer.concat([before, after.subarray(0, length), after]);
    }
  }, body);
}

test('a form that breaks off inside its file is 400 on every route', async (t) => {
  const site = await openSite(t);
  const whole = multipart('cut', [{ head: fileHead('image'), content: JPEG }]);
  const body = whole.subarray(0, whole.indexOf(JPEG) + JPEG.length);
  const large = multipart('cut', [
    { head: fileHead('images[]'), content: Buffer.concat([JPEG, Buffer.alloc(200_000)]) },
  ]);
  for (const cut of [body, large.subarray(0, -20), large.subarray(0, -9)]) {
    const { status } = await site.call(FACES, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=cut' },
      body: cut,
    });
    assert.equal(status, 400, `${cut.length}`);
  }
  for (const target of [
    '/api/v1/verification/create-verification',
    '/api/v1/verification/finalize-verification',
    '/api/v3/verifications/biometrics-verification',
    '/api/v3/verifications/biometrics-detection',
  ]) {
    const { status } = await sendRaw(
      site.port,
      requestBytes('POST', target, body, {
        Host: `127.0.0.1:${site.port}`,
        Authorization: `Bearer ${site.token}`,
        'Content-Type': 'multipart/form-data; boundary=cut',
      }),
    );
    assert.equal(status, 400, target);
  }
});
