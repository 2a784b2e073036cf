import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { ITEM_STATUS } from '../../contracts/codes.ts';
import type { ImageFacts } from '../../contracts/faces.ts';
import type { LeasedItem } from '../../domain/ports/uploads.ts';
import {
  acceptUpload,
  faceAlong,
  newCompany,
  temporaryStorage,
  TEST_PIPELINE,
} from '../../../test/support/site.ts';
import { until } from '../../../test/support/until.ts';
import { openHome, openStorage } from '../index.ts';
import { asAnotherProcess, DATABASE_TIME } from '../../../test/support/anotherProcess.ts';
import { enrolItem, failItem } from '../../../test/support/answerItem.ts';

const IMAGE: ImageFacts = { width: 100, height: 100, format: 'jpeg' };
const fileNames = (items: readonly LeasedItem[]) => items.map((item) => item.fileName);

test('an image is leased once, oldest first, companies in turn', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const large = await newCompany(storage, folder, 'Large');
  const small = await newCompany(storage, folder, 'Small');
  await acceptUpload(storage, large, ['L1', 'L2', 'L3', 'L4']);
  await acceptUpload(storage, small, ['S1']);
  assert.deepEqual(fileNames(await storage.queue.lease(2)).sort(), ['L1', 'S1']);
  assert.deepEqual(fileNames(await storage.queue.lease(10)), ['L2', 'L3', 'L4']);
  assert.deepEqual(await storage.queue.lease(10), []);
  assert.equal(await storage.queue.waiting(), 5);
});

test('an enrolled image has face, template and validation; the last ends the upload', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const uploadId = await acceptUpload(storage, company, ['Ann.jpg', 'Bob.jpg']);
  const [ann, bob] = await storage.queue.lease(2);
  const landed = await enrolItem(storage.queue, ann!, { image: IMAGE, face: faceAlong(3) }, clock.now());
  assert(landed);
  assert.equal((await storage.uploads.find(company.id, 'duplicate', uploadId))?.completedAt, null);
  clock.advance(1000);
  await failItem(storage, bob!, { code: 'NO_FACE' }, clock.now());
  const upload = await storage.uploads.find(company.id, 'duplicate', uploadId);
  assert.equal(upload?.completedAt, clock.now().toISOString());
  assert.deepEqual(
    upload.items.map(({ status, trustValidationId, failureCode }) => ({
      status,
      trustValidationId,
      failureCode,
    })),
    [
      { status: ITEM_STATUS.Enrolled, trustValidationId: landed.trustValidationId, failureCode: null },
      { status: ITEM_STATUS.Failed, trustValidationId: null, failureCode: 'NO_FACE' },
    ],
  );
  const [summary] = await storage.faces.summaries(company.id, [landed.faceId]);
  assert.equal(summary?.name, 'Ann');
  const entries = (await Array.fromAsync(storage.faces.all(company.id, TEST_PIPELINE))).flat();
  assert.deepEqual(
    entries.map((entry) => [entry.faceId, [...entry.template.vector]]),
    [[landed.faceId, [0, 0, 0, 1, 0, 0, 0, 0]]],
  );
  assert.equal(await storage.queue.waiting(), 0);
});

test('a failed image keeps no file', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await acceptUpload(storage, company, ['a']);
  const [item] = await storage.queue.lease(1);
  await failItem(storage, item!, { code: 'TOO_DARK' }, clock.now());
  const entries = await readdir(company.storageFolder!, { recursive: true, withFileTypes: true });
  assert.deepEqual(
    entries.filter(({ name }) => name.endsWith('.vimg')),
    [],
  );
  assert.equal(await storage.images.read(company.id, item!.imageId), undefined);
});

test('an image is answered once: a second answer changes nothing', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const uploadId = await acceptUpload(storage, company, ['a']);
  const [item] = await storage.queue.lease(1);
  await enrolItem(storage.queue, item!, { image: IMAGE, face: faceAlong(1) }, clock.now());
  await failItem(storage, item!, { code: 'NO_FACE' }, clock.now());
  assert.equal(
    await enrolItem(storage.queue, item!, { image: IMAGE, face: faceAlong(1) }, clock.now()),
    undefined,
  );
  const upload = await storage.uploads.find(company.id, 'duplicate', uploadId);
  assert.equal(upload?.items[0]?.status, ITEM_STATUS.Enrolled);
  assert.equal((await Array.fromAsync(storage.faces.all(company.id, TEST_PIPELINE))).flat().length, 1);
  assert(await storage.images.read(company.id, item!.imageId), 'the image is still there');
});

test('after a crash the image waits again, counted, behind those never started', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await acceptUpload(storage, company, ['begun', 'fresh']);
  const [begun] = await storage.queue.lease(1);
  assert.equal(begun?.attempts, 1);
  await storage.close();
  const reopened = await openStorage(openHome(folder), clock);
  t.after(() => reopened.close());
  const items = await reopened.queue.lease(1);
  assert.deepEqual(fileNames(items), ['fresh']);
  const [again] = await reopened.queue.lease(1);
  assert.deepEqual([again?.fileName, again?.attempts], ['begun', 2]);
});

test('a clean stop gives an image back as if it had never begun', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await acceptUpload(storage, company, ['a']);
  await storage.queue.release(await storage.queue.lease(1), { counted: false });
  const [item] = await storage.queue.lease(1);
  assert.equal(item?.attempts, 1);
  await storage.queue.release([item], { counted: true });
  assert.equal((await storage.queue.lease(1))[0]?.attempts, 2);
});

test('what another process leased is taken when its lease has expired, and not before', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await acceptUpload(storage, company, ['a']);
  const leased = (at: string) =>
    `update upload_item set attempts = 1, leased_by = 'other', leased_until = ${at}`;
  await asAnotherProcess(folder, leased(`${DATABASE_TIME} + 30000`));
  assert.deepEqual(await storage.queue.lease(1), []);
  assert.equal(await storage.queue.waiting(), 1);
  await asAnotherProcess(folder, leased(`${DATABASE_TIME} - 2000`));
  assert.equal((await storage.queue.lease(1))[0]?.attempts, 2);
});

test('an answer is dropped when another process has leased its image meanwhile', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await acceptUpload(storage, company, ['late', 'in time']);
  const [late, inTime] = await storage.queue.lease(2);
  await asAnotherProcess(
    folder,
    `update upload_item set attempts = 2, leased_by = 'other', leased_until = ${DATABASE_TIME} + 30000 where id = ${late!.id}`,
  );
  await storage.queue.renew([late!, inTime!]);
  await storage.queue.release([late!], { counted: false });
  const enrolled = { image: IMAGE, face: faceAlong(1) };
  const answers = [late!, inTime!].map((item) => ({ item, enrolled }));
  const [dropped, written] = await storage.queue.commit(company.id, answers, clock.now());
  assert.equal(dropped, undefined);
  assert.ok(written);
  assert.equal(await storage.queue.waiting(), 1);
  assert.ok(await storage.images.read(company.id, late!.imageId), 'the image waits for the other process');
  assert.deepEqual(await storage.queue.lease(1), [], 'the lease of the other process stands');
});

test('an image that is being given back is leased after that, at its first attempt', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await acceptUpload(storage, company, ['Ann.jpg', 'Bob.jpg', 'Cem.jpg']);
  for (let round = 0; round < 20; round += 1) {
    const items = await storage.queue.lease(3);
    assert.deepEqual(
      items.map(({ attempts }) => attempts),
      [1, 1, 1],
    );
    const leasing = until(async () => {
      const leased = await storage.queue.lease(3);
      return leased.length === 0 ? undefined : leased;
    }, 'the images that were given back');
    await storage.queue.release(items, { counted: false });
    const meanwhile = await leasing;
    assert.ok(meanwhile.every(({ attempts }) => attempts === 1));
    await storage.queue.release(meanwhile, { counted: false });
  }
});
