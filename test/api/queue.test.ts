/** 503: the queue is unavailable, nothing of the request is stored, and a retry is safe. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { OutcomeUnknown, UnavailableError } from '../../core/domain/ports/machine.ts';
import { FACES, JPEG, UPLOADS, formOf, openSite, type Answer, type TestSite } from './site.ts';
import { CREATE, FINALIZE, openScreeningSite, VALIDATIONS } from './screeningSite.ts';
import { TEST_ACT } from '../support/act.ts';
import { photoOf } from '../support/people.ts';
import { TEST_PIPELINE } from '../support/site.ts';
import { WITHOUT_FILE } from '../support/testServer.ts';
import { storeConnection } from '../support/storeConnection.ts';

async function isUnavailable(site: TestSite, answer: Answer, code: string): Promise<void> {
  assert.equal(answer.status, 503);
  assert.deepEqual(answer.body, {
    success: false,
    message: 'Enrollment queue is unavailable. Please retry shortly.',
    code,
  });
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.deepEqual(await site.imageFiles(), []);
  assert.equal(await site.storage.queue.waiting(), 0);
}

test('a paused queue answers 503 with Retry-After; resumed, it accepts', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ paused: true }, TEST_ACT);
  await isUnavailable(site, await site.upload(formOf(JPEG)), 'QUEUE_PAUSED');
  await site.storage.installation.update({ paused: false }, TEST_ACT);
  assert.equal((await site.upload(formOf(JPEG))).status, 202);
});

test('a disk below its minimum answers 503 and keeps nothing', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ minFreeBytes: 2 ** 50 }, TEST_ACT);
  await isUnavailable(site, await site.upload(formOf(JPEG)), 'DISK_FULL');
});

test('a storage folder that is not in place answers 503 and keeps nothing', async (t) => {
  const site = await openSite(t);
  const folder = site.company.storageFolder!;
  await rename(folder, `${folder} away`);
  await isUnavailable(site, await site.upload(formOf(JPEG)), 'STORAGE_UNAVAILABLE');
  await mkdir(folder);
  await isUnavailable(site, await site.upload(formOf(JPEG)), 'STORAGE_UNAVAILABLE');
  await rm(folder, { recursive: true });
  await rename(`${folder} away`, folder);
  assert.equal((await site.upload(formOf(JPEG))).status, 202);
});

test('a queue without room for the whole batch answers 503 and keeps nothing of it', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ maxWaitingImages: 50 }, TEST_ACT);
  const fifty = Array.from({ length: 50 }, () => JPEG);
  assert.equal((await site.upload(formOf(...fifty.slice(0, 49)))).status, 202);
  const answer = await site.upload(formOf(JPEG, JPEG));
  assert.equal(answer.status, 503);
  assert.equal(answer.body.code, 'QUEUE_FULL');
  assert.equal((await site.imageFiles()).length, 49);
  assert.equal((await site.upload(formOf(JPEG))).status, 202);
  assert.equal((await site.upload(formOf(JPEG))).status, 503);
  assert.equal(await site.storage.queue.waiting(), 50);
});

test('the bound of the queue holds when many batches arrive together', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ maxWaitingImages: 50 }, TEST_ACT);
  const ten = Array.from({ length: 10 }, () => JPEG);
  const answers = await Promise.all(Array.from({ length: 12 }, () => site.upload(formOf(...ten))));
  const accepted = answers.filter(({ status }) => status === 202).length;
  assert.ok(accepted <= 5, `${accepted} batches of ten were accepted`);
  assert.ok(answers.every(({ status }) => status === 202 || status === 503));
  assert.equal(await site.storage.queue.waiting(), 10 * accepted);
  assert.equal((await site.imageFiles()).length, 10 * accepted);
});

for (const when of ['streams in', 'reaches the disk'])
  test(`a disk that fills up while a batch ${when} answers 503 and keeps nothing`, async (t) => {
    const full = new UnavailableError('The storage folder cannot be written (ENOSPC).');
    let received = 0;
    const site = await openSite(t, ({ images }) => ({
      images: {
        write: (...given) => images.write(...given),
        receive: async (company, format, content, beside) => {
          const one = await images.receive(company, format, content, beside);
          received += 1;
          if (received < 3) return one;
          await one.durable;
          await images.discard(company, [one.image.id]);
          if (when === 'streams in') throw full;
          return { ...one, durable: Promise.reject(full) };
        },
        read: (company, image) => images.read(company, image),
        discard: (company, ids) => images.discard(company, ids),
        settled: (ids) => {
          images.settled(ids);
        },
        freeBytes: (company) => images.freeBytes(company),
      },
    }));
    await isUnavailable(site, await site.upload(formOf(JPEG, JPEG, JPEG, JPEG)), 'STORAGE_UNAVAILABLE');
    received = 0;
    const sheet = formOf(Buffer.from('\xff\xd8\xffa, b, c, d', 'latin1'));
    const split = `${FACES}?run=${randomUUID()}&severalFaces=each`;
    const sent = await site.call(split, { method: 'POST', body: sheet });
    await isUnavailable(site, sent, 'STORAGE_UNAVAILABLE');
  });

test('a database that cannot be written answers 503 and keeps nothing', async (t) => {
  const site = await openSite(t, ({ uploads }) => ({
    uploads: Object.assign(uploads, {
      accept: () => Promise.reject(new UnavailableError('The database cannot be written (SQLITE_READONLY).')),
    }),
  }));
  await isUnavailable(site, await site.upload(formOf(JPEG, JPEG)), 'STORAGE_UNAVAILABLE');
  assert.equal(site.accepted(), 0);
});

test('the log has the cause of an answer 503, and the answer does not', async (t) => {
  const site = await openSite(t, ({ uploads }) => ({
    uploads: Object.assign(uploads, {
      find: () => Promise.reject(new UnavailableError('The database does not answer (57P03).')),
    }),
  }));
  const answer = await site.call(`${UPLOADS}/${randomUUID()}`);
  assert.deepEqual([answer.status, answer.body.code], [503, 'STORAGE_UNAVAILABLE']);
  assert.ok(!answer.text.includes('57P03'));
  const [line, ...more] = site.lines.filter(({ level }) => level !== 'info');
  assert.deepEqual([line?.level, more], ['warn', []]);
  const { err, requestId, route } = line!.facts as { err: Error; requestId: string; route: string };
  assert.equal(err.message, 'The database does not answer (57P03).');
  assert.deepEqual([requestId, route], [answer.headers.get('x-request-id'), `${UPLOADS}/:uploadId`]);
});

test('an upload that may be queued keeps its files, and its answer says so', async (t) => {
  const site = await openSite(t, ({ uploads }) => {
    const accept = uploads.accept.bind(uploads);
    return {
      uploads: Object.assign(uploads, {
        accept: async (...given: Parameters<typeof accept>) => {
          await accept(...given);
          throw new OutcomeUnknown('The database did not confirm the upload.');
        },
      }),
    };
  });
  const answer = await site.upload(formOf(JPEG, JPEG));
  assert.deepEqual([answer.status, answer.body.code], [503, 'OUTCOME_UNKNOWN']);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.equal(await site.storage.queue.waiting(), 2);
  assert.equal((await site.imageFiles()).length, 2);
});

test(
  'on a full disk uploads and finalisation answer 503, and nothing is lost',
  { skip: WITHOUT_FILE },
  async (t) => {
    const pragma = storeConnection(t);
    const { site, work, newFlow, post } = await openScreeningSite(t);
    const flow = await newFlow();
    const opened: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const { verification } = (await post(CREATE, { template_id: flow })).body;
      opened.push((verification as { id: string }).id);
    }
    const finalize = (id: string) => post(FINALIZE, { template_id: flow, verification_id: id });
    const [{ page_count: pages }] = pragma('page_count') as [{ page_count: number }];
    pragma(`max_page_count=${pages}`);
    const ten = Array.from({ length: 10 }, (_, person) => photoOf(person));
    let accepted = 0;
    let answer = await site.upload(formOf(...ten));
    for (; answer.status === 202; answer = await site.upload(formOf(...ten))) accepted += ten.length;
    assert.equal(answer.status, 503, answer.text);
    assert.equal(answer.body.code, 'STORAGE_UNAVAILABLE');
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.equal(await site.storage.queue.waiting(), accepted);
    assert.equal((await site.imageFiles()).length, accepted);
    // Some find room in pages that are begun.
    let left = opened;
    let refused = await finalize(left[0]!);
    for (; refused.status === 200; refused = await finalize(left[0]!)) left = left.slice(1);
    const before = await detail(site, left[0]!);
    for (let tries = 0; tries < 3; tries += 1) {
      refused = await finalize(left[0]!);
      assert.deepEqual([refused.status, refused.body.code], [503, 'STORAGE_UNAVAILABLE'], refused.text);
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
    }
    assert.deepEqual(await detail(site, left[0]!), before, 'a part of it would be worse than nothing');

    pragma('max_page_count=1000000');
    assert.equal((await finalize(left[0]!)).status, 200);
    assert.notDeepEqual(await detail(site, left[0]!), before);
    assert.equal((await site.upload(formOf(...ten))).status, 202);
    await work();
    const faces = (await Array.fromAsync(site.storage.faces.all(site.company.id, TEST_PIPELINE))).flat();
    assert.equal(faces.length, accepted + ten.length);
  },
);

async function detail(site: TestSite, id: string): Promise<unknown> {
  return (await site.call(`${VALIDATIONS}/${id}`)).body;
}

test('an unforeseen error answers 500, keeps nothing and is logged by request id', async (t) => {
  const site = await openSite(t, ({ uploads }) => ({
    uploads: Object.assign(uploads, {
      accept: () => Promise.reject(new TypeError('select secret from /var/lib/vouch')),
    }),
  }));
  const answer = await site.upload(formOf(JPEG));
  assert.equal(answer.status, 500);
  assert.deepEqual(answer.body, {
    success: false,
    message:
      'An unexpected error occurred. Give the administrator the X-Request-Id of this answer: the log has the details.',
    code: 'UNEXPECTED',
  });
  assert.ok(!answer.headers.has('retry-after'), 'a retry would meet the same fault');
  assert.deepEqual(await site.imageFiles(), []);
  const logged = site.lines.find(({ level }) => level === 'error');
  assert.ok(logged);
  assert.equal((logged.facts as { requestId: string }).requestId, answer.headers.get('x-request-id'));
});
