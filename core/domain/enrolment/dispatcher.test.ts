import assert from 'node:assert/strict';
import { until } from '../../../test/support/until.ts';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ITEM_STATUS } from '../../contracts/codes.ts';
import type { UploadId } from '../../contracts/ids.ts';
import { openHome, openStorage, type Storage } from '../../storage/index.ts';
import { RememberingGallery, ScriptedVision, SILENT_LOG } from '../../../test/support/fakes.ts';
import { acceptUpload, faceAlong, newCompany, temporaryStorage } from '../../../test/support/site.ts';
import { UnavailableError } from '../ports/machine.ts';
import type { EnrolAnalysis } from '../ports/recognition.ts';
import type { Upload } from '../../storage/enrolment/uploads.ts';
import { Dispatcher } from './dispatcher.ts';
import { WITHOUT_FILE } from '../../../test/support/testServer.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import { storeConnection } from '../../../test/support/storeConnection.ts';
import { PLATFORM } from '../../platform/platform.ts';
import type { Company } from '../ports/auditContext.ts';

const found: EnrolAnalysis = {
  kind: 'face',
  image: { width: 100, height: 100, format: 'jpeg' },
  face: faceAlong(1),
};
const refused: EnrolAnalysis = { kind: 'refused', code: 'NO_FACE' };

async function site(t: TestContext, answer: (image: string) => EnrolAnalysis | Promise<EnrolAnalysis>) {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const vision = new ScriptedVision(answer);
  const gallery = new RememberingGallery();
  const dispatcher = new Dispatcher({ ...storage, ...PLATFORM, vision, gallery, clock, log: SILENT_LOG });
  t.after(() => dispatcher.stop());
  return { storage, folder, clock, company, vision, gallery, dispatcher };
}

async function completed(storage: Storage, company: Company, id: UploadId): Promise<Upload> {
  return until(async () => {
    const upload = await storage.uploads.find(company.id, 'duplicate', id);
    return upload?.completedAt === null ? undefined : upload;
  }, 'the end of the upload');
}

test('every image of an upload is processed; only enrolled ones are in the gallery', async (t) => {
  const { storage, company, gallery, dispatcher } = await site(t, (image) =>
    image.startsWith('good') ? found : refused,
  );
  const id = await acceptUpload(storage, company, ['good 1', 'bad 1', 'good 2', 'bad 2', 'good 3']);
  dispatcher.start();
  const upload = await completed(storage, company, id);
  assert.deepEqual(
    upload.items.map((item) => item.status),
    [
      ITEM_STATUS.Enrolled,
      ITEM_STATUS.Failed,
      ITEM_STATUS.Enrolled,
      ITEM_STATUS.Failed,
      ITEM_STATUS.Enrolled,
    ],
  );
  await dispatcher.stop();
  assert.deepEqual(
    gallery.appended.map(({ entry }) => entry.faceId).sort(),
    upload.items.flatMap((item) => (item.faceId === null ? [] : [item.faceId])).sort(),
  );
});

test('at most twice as many images are taken as there are workers', async (t) => {
  // Nothing is answered before as many as may be in progress are in progress: slow or fast, the machine decides nothing.
  const full = Promise.withResolvers<undefined>();
  const { storage, company, vision, dispatcher } = await site(t, async () => {
    if (vision.maxConcurrent === 2 * vision.workers) full.resolve(undefined);
    await full.promise;
    await sleep(5);
    return found;
  });
  const id = await acceptUpload(
    storage,
    company,
    Array.from({ length: 12 }, (_, index) => `image ${index}`),
  );
  dispatcher.start();
  await completed(storage, company, id);
  assert.equal(vision.maxConcurrent, 2 * vision.workers);
});

test('the images that were leased ahead wait uncounted after a pause or a stop', async (t) => {
  const begun = Promise.withResolvers<undefined>();
  // The dispatcher is stopped at the end of the test, which waits for what has begun.
  t.after(() => {
    begun.resolve(undefined);
  });
  const { storage, company, vision, dispatcher } = await site(t, async () => {
    await begun.promise;
    return found;
  });
  const names = Array.from({ length: 10 }, (_, index) => `image ${index}`);
  await acceptUpload(storage, company, names);
  dispatcher.start();
  await until(() => vision.seen.length === 2 * vision.workers, 'the workers');
  await storage.installation.update({ paused: true }, TEST_ACT);
  dispatcher.wake();
  const ahead = await until(async () => {
    const items = await storage.queue.lease(10);
    return items.length === 0 ? undefined : items;
  }, 'the images that were given back');
  assert.deepEqual(
    ahead.map(({ attempts }) => attempts),
    new Array(6).fill(1),
  );
  begun.resolve(undefined);
  await dispatcher.stop();
  assert.equal(await storage.queue.waiting(), 6);
});

test('a paused queue begins nothing and goes on when it is resumed', async (t) => {
  const { storage, company, vision, dispatcher } = await site(t, () => found);
  await storage.installation.update({ paused: true }, TEST_ACT);
  const id = await acceptUpload(storage, company, ['a', 'b']);
  const asked = t.mock.method(storage.installation, 'settings');
  dispatcher.start();
  await until(() => asked.mock.callCount() > 0, 'the dispatcher');
  dispatcher.wake();
  await until(() => asked.mock.callCount() > 1, 'the dispatcher again');
  assert.deepEqual(vision.seen, []);
  await storage.installation.update({ paused: false }, TEST_ACT);
  dispatcher.wake();
  await completed(storage, company, id);
});

test('an image that never gets an answer fails as ENGINE_ERROR, after the others', async (t) => {
  const { storage, company, vision, dispatcher } = await site(t, (image) => {
    if (image === 'poison') throw new Error('no answer');
    return found;
  });
  const id = await acceptUpload(storage, company, ['poison', 'good']);
  dispatcher.start();
  // Each failure makes the dispatcher wait longer; a wake stands for other work coming in.
  const waking = setInterval(() => {
    dispatcher.wake();
  }, 5);
  const upload = await completed(storage, company, id);
  clearInterval(waking);
  assert.deepEqual(
    upload.items.map((item) => item.failureCode),
    ['ENGINE_ERROR', null],
  );
  assert.equal(vision.seen.filter((image) => image === 'poison').length, 5);
});

test('a machine that cannot write for now costs no image its attempts', async (t) => {
  let down = 8;
  const { storage, company, dispatcher } = await site(t, () => {
    if (down-- > 0) throw new UnavailableError('no room');
    return found;
  });
  const id = await acceptUpload(storage, company, ['a']);
  dispatcher.start();
  const waking = setInterval(() => {
    dispatcher.wake();
  }, 5);
  const upload = await completed(storage, company, id);
  clearInterval(waking);
  assert.equal(upload.items[0]?.status, ITEM_STATUS.Enrolled);
});

test(
  'a full disk costs no image its attempts, even when that cannot be written either',
  { skip: WITHOUT_FILE },
  async (t) => {
    const pragma = storeConnection(t);
    let rounds = 0;
    const { storage, company, clock, vision, gallery } = await site(t, () => {
      rounds += 1;
      if (rounds <= 8) pragma('query_only=1');
      return found;
    });
    let givenBack = 0;
    const log = {
      ...SILENT_LOG,
      error: (_facts: object, text: string) => {
        if (!text.includes('given back')) return;
        givenBack += 1;
        pragma('query_only=0');
      },
    };
    const dispatcher = new Dispatcher({ ...storage, ...PLATFORM, vision, gallery, clock, log });
    t.after(() => dispatcher.stop());
    const id = await acceptUpload(storage, company, ['a']);
    dispatcher.start();
    const waking = setInterval(() => {
      dispatcher.wake();
    }, 5);
    const upload = await completed(storage, company, id);
    clearInterval(waking);
    assert.equal(givenBack, 8);
    assert.equal(upload.items[0]?.status, ITEM_STATUS.Enrolled);
  },
);

test('what was in progress when the service died is worked on again at the next start', async (t) => {
  const { storage, folder, clock, company } = await site(t, () => found);
  const id = await acceptUpload(storage, company, ['a', 'b']);
  await storage.queue.lease(2);
  await storage.close();
  const reopened = await openStorage(openHome(folder), clock);
  t.after(() => reopened.close());
  const dispatcher = new Dispatcher({
    ...PLATFORM,
    ...reopened,
    vision: new ScriptedVision(() => found),
    gallery: new RememberingGallery(),
    clock,
    log: SILENT_LOG,
  });
  t.after(() => dispatcher.stop());
  dispatcher.start();
  const upload = await completed(reopened, company, id);
  assert(upload.items.every((item) => item.status === ITEM_STATUS.Enrolled));
});

test('a file that cannot be erased keeps no enrolled face from being found', async (t) => {
  const { storage, company, gallery, dispatcher } = await site(t, (image) =>
    image.startsWith('good') ? found : refused,
  );
  t.mock.method(storage.images, 'discard', () => Promise.reject(new UnavailableError('no disk')));
  const id = await acceptUpload(storage, company, ['good', 'bad']);
  dispatcher.start();
  const upload = await completed(storage, company, id);
  await dispatcher.stop();
  assert.deepEqual(
    gallery.appended.map(({ entry }) => entry.faceId),
    [upload.items[0]?.faceId],
  );
});

test('leases are renewed while an image takes long, and no longer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const begun = Promise.withResolvers<undefined>();
  const { storage, company, vision, dispatcher } = await site(t, async () => {
    await begun.promise;
    return found;
  });
  const renewed = t.mock.method(storage.queue, 'renew');
  await acceptUpload(storage, company, ['slow']);
  dispatcher.start();
  while (vision.seen.length === 0) await new Promise(setImmediate);
  t.mock.timers.tick(20_000);
  t.mock.timers.tick(20_000);
  assert.deepEqual(
    renewed.mock.calls.map(({ arguments: [items] }) => items.length),
    [1, 1],
  );
  begun.resolve(undefined);
  await dispatcher.stop();
  t.mock.timers.tick(60_000);
  assert.equal(renewed.mock.callCount(), 2);
});

test('an image that cannot be read back is failed with its reason, not lost', async (t) => {
  const { storage, company, dispatcher } = await site(t, () => found);
  const id = await acceptUpload(storage, company, ['a']);
  const [item] = await storage.queue.lease(1);
  await storage.images.discard(company.id, [item!.imageId]);
  await storage.queue.release([item!], { counted: false });
  dispatcher.start();
  const upload = await completed(storage, company, id);
  assert.equal(upload.items[0]?.failureCode, 'CORRUPT_IMAGE');
});
