/** Idempotency-Key. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FACES, UPLOADS, JPEG, PNG, formOf, openSite, type TestSite } from './site.ts';
import { until } from '../support/until.ts';
import { TEST_ACT } from '../support/act.ts';

const HOUR = 3_600_000;

function uploadUnder(site: TestSite, key: string, form: FormData, token?: string) {
  return site.upload(form, { headers: { 'idempotency-key': key }, ...(token !== undefined && { token }) });
}

test('the same key with the same content answers the stored 202 and enrols once', async (t) => {
  const site = await openSite(t);
  const first = await uploadUnder(site, 'batch-1', formOf(JPEG, PNG));
  const second = await uploadUnder(site, 'batch-1', formOf(JPEG, PNG));
  assert.deepEqual([first.status, second.status], [202, 202]);
  assert.deepEqual(second.body, first.body);
  assert.equal(await site.storage.queue.waiting(), 2);
  assert.equal((await site.imageFiles()).length, 2);
});

test('the stored 202 is answered even when the queue takes nothing new', async (t) => {
  const site = await openSite(t);
  const first = await uploadUnder(site, 'batch-1', formOf(JPEG));
  await site.storage.installation.update({ paused: true }, TEST_ACT);
  assert.deepEqual((await uploadUnder(site, 'batch-1', formOf(JPEG))).body, first.body);
});

test('the same key with other content, order or name is 422 and keeps nothing', async (t) => {
  const site = await openSite(t);
  await uploadUnder(site, 'batch-1', formOf(JPEG, PNG));
  const others = [
    formOf(JPEG),
    formOf(PNG, JPEG),
    formOf(JPEG, PNG, PNG),
    formOf({ name: 'other.jpg', content: JPEG }, PNG),
    formOf(JPEG, Buffer.concat([PNG, Buffer.from([1])])),
  ];
  for (const form of others) {
    const answer = await uploadUnder(site, 'batch-1', form);
    assert.equal(answer.status, 422);
    assert.equal(answer.body.message, 'Idempotency-Key was already used for a different upload.');
    assert.equal(answer.body.errors, undefined);
  }
  assert.equal(await site.storage.queue.waiting(), 2);
  assert.equal((await site.imageFiles()).length, 2);
});

test('the same key while the first upload is still being received is 409', async (t) => {
  const site = await openSite(t);
  let finish: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(
        Buffer.from(
          '--b\r\nContent-Disposition: form-data; name="images[]"; filename="a.jpg"\r\n\r\n' +
            JPEG.toString('latin1') +
            '\r\n--b\r\n',
          'latin1',
        ),
      );
      finish = () => {
        controller.enqueue(Buffer.from('Content-Disposition: form-data; name="x"\r\n\r\ny\r\n--b--\r\n'));
        controller.close();
      };
    },
  });
  const first = site.call(FACES, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'content-type': 'multipart/form-data; boundary=b', 'idempotency-key': 'k' },
  });
  await until(async () => (await site.imageFiles()).length === 1);
  const second = await uploadUnder(site, 'k', formOf(JPEG));
  assert.equal(second.status, 409);
  assert.equal((await site.call(`${UPLOADS}?idempotencyKey=k`)).status, 409);
  assert.deepEqual(second.body, {
    success: false,
    message: 'An upload with this Idempotency-Key is still being received.',
    code: 'IDEMPOTENCY_KEY_RUNNING',
  });
  finish();
  assert.equal((await first).status, 202);
  assert.equal((await uploadUnder(site, 'k', formOf({ name: 'a.jpg', content: JPEG }))).status, 202);
  assert.equal(await site.storage.queue.waiting(), 1);
});

test('a key is free again after a refused upload, and after 24 hours', async (t) => {
  const site = await openSite(t);
  assert.equal((await uploadUnder(site, 'k', formOf(Buffer.from('no image')))).status, 422);
  site.setTime(new Date('2026-03-01T12:00:00Z'));
  assert.equal((await uploadUnder(site, 'k', formOf(JPEG))).status, 202);
  site.setTime(new Date(Date.parse('2026-03-01T12:00:00Z') + 24 * HOUR - 1));
  assert.equal((await uploadUnder(site, 'k', formOf(PNG))).status, 422);
  site.setTime(new Date(Date.parse('2026-03-01T12:00:00Z') + 24 * HOUR));
  assert.equal((await uploadUnder(site, 'k', formOf(PNG))).status, 202);
});

test('a key belongs to its company', async (t) => {
  const site = await openSite(t);
  const token = await site.newToken({ company: await site.newCompany() });
  assert.equal((await uploadUnder(site, 'k', formOf(JPEG))).status, 202);
  assert.equal((await uploadUnder(site, 'k', formOf(PNG), token)).status, 202);
});

test('a key that is empty, too long or not visible ASCII is 422', async (t) => {
  const site = await openSite(t);
  for (const key of ['', 'k'.repeat(256), 'a b', 'ä'])
    assert.equal((await uploadUnder(site, key, formOf(JPEG))).status, 422, key);
});

test('the upload of a key is found by its company alone, also after 24 hours', async (t) => {
  const site = await openSite(t);
  site.setTime(new Date('2026-03-01T12:00:00Z'));
  const { body } = await uploadUnder(site, 'batch-1', formOf(JPEG, PNG));
  const { uploadId } = body.data as { uploadId: string };
  const find = (key: string, token?: string) =>
    site.call(`${UPLOADS}?idempotencyKey=${encodeURIComponent(key)}`, token === undefined ? {} : { token });
  const found = await find('batch-1');
  assert.equal(found.status, 200);
  assert.deepEqual(found.body, (await site.call(`${UPLOADS}/${uploadId}`)).body);
  site.setTime(new Date('2026-03-02T18:00:00Z'));
  assert.equal((await find('batch-1')).status, 200);
  assert.equal((await find('batch-2')).status, 404);
  assert.equal((await find('')).status, 422);
  const token = await site.newToken({ company: await site.newCompany() });
  assert.equal((await find('batch-1', token)).status, 404);
});
