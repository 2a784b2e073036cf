import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { TEST_ACT } from '../../../../test/support/act.ts';
import { startS3, writeCredentials } from '../../../../test/support/s3Server.ts';
import {
  acceptUpload,
  newCompany,
  temporaryFolder,
  TestClock,
  writeImage,
} from '../../../../test/support/site.ts';
import { TEST_SERVER } from '../../../../test/support/testServer.ts';
import { until } from '../../../../test/support/until.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { openHome, openStorage } from '../../index.ts';
import { ImageBucket } from './bucket.ts';
import { parseBucketAddress } from './bucketAddress.ts';

async function storageOnS3(t: TestContext) {
  const home = temporaryFolder(t);
  const s3 = await startS3(t, home);
  const open = (images?: string) => openStorage(openHome(home), new TestClock(), undefined, { images });
  const storage = await open(s3.address());
  t.after(() => storage.close());
  const company = await newCompany(storage, home);
  return { home, s3, open, storage, company };
}

/** The objects of the company. On PostgreSQL the bucket also has the file of the erasable keys. */
async function objectsOf({ keys }: { keys: () => Promise<string[]> }): Promise<string[]> {
  return (await keys()).filter((key) => !/^site\/erasable-[0-9a-f]{16}\.keys$/.test(key));
}

test('an image in a bucket comes back sealed and leaves no object when removed', async (t) => {
  const { s3, storage, company } = await storageOnS3(t);
  assert.equal(company.storageFolder, 's3://photos/site/company-1');
  await acceptUpload(storage, company, ['a secret face']);
  const [item] = await storage.queue.lease(1);
  const { imageId } = item!;
  const key = `site/company-1/images/${imageId.slice(0, 2)}/${imageId}.vimg`;
  const kept = Buffer.from(await s3.read(key));
  assert(!kept.includes('secret'));
  const read = await storage.images.read(company.id, imageId);
  assert.equal(Buffer.from(read!.content).toString(), 'a secret face');
  kept[30]! ^= 1;
  await s3.write(key, kept);
  await assert.rejects(storage.images.read(company.id, imageId), { name: 'ImageDamaged' });
  await storage.images.discard(company.id, [imageId]);
  assert(!(await s3.keys()).includes(key));
  await assert.rejects(storage.images.read(company.id, imageId), { code: 'ENOENT' });
  assert.deepEqual(await storage.imageSamples.withoutFile(company.id), { sampled: 1, missing: 1 });
});

test('the sweep of a bucket takes old orphans only, over several pages of the listing', async (t) => {
  const { s3, storage, company } = await storageOnS3(t);
  await acceptUpload(storage, company, ['kept']);
  const [item] = await storage.queue.lease(1);
  const shelf = item!.imageId.slice(0, 2);
  const orphans = ['0', '1', '2', '3'].map(
    (digit) => `site/company-1/images/${shelf}/${shelf}${digit.repeat(30)}.vimg`,
  );
  for (const key of orphans) await s3.write(key, Buffer.from('x'));
  assert.equal(await storage.sweepOrphans(), 0, 'an object of the last hour may be another service’s');
  for (const key of orphans) s3.ages.set(key, 61 * 60_000);
  assert.equal(await storage.sweepOrphans(), 4);
  assert((await storage.images.read(company.id, item!.imageId)) !== undefined);
});

test('a bucket that does not answer is "unavailable", and the service still starts', async (t) => {
  const { s3, open, storage, company } = await storageOnS3(t);
  s3.fails = 503;
  await assert.rejects(writeImage(storage, company), UnavailableError);
  await assert.rejects(storage.images.discard(company.id, ['00'.repeat(16) as never]), UnavailableError);
  await storage.close();
  const again = await open();
  t.after(() => again.close());
  assert.match(JSON.stringify(await again.storageFolders.problem(company.id)), /s3:\/\/photos\/site/);
  s3.fails = undefined;
  assert.equal(await again.storageFolders.problem(company.id), undefined);
});

test('a request to a bucket that hangs ends after its time, and nothing is left', async (t) => {
  const { s3, open, storage } = await storageOnS3(t);
  await storage.close();
  const hurried = await open(s3.address('&timeout=1'));
  t.after(() => hurried.close());
  const [company] = await hurried.companies.list();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  t.after(() => {
    resolve(undefined);
  });
  s3.holds = promise;
  await assert.rejects(writeImage(hurried, company!), UnavailableError);
  assert.deepEqual(await objectsOf(s3), ['site/company-1/vouch-storage.json']);
});

test('a bucket that gives without end is read no further than the largest image', async (t) => {
  const { s3, storage, company } = await storageOnS3(t);
  await acceptUpload(storage, company, ['a photo']);
  const [item] = await storage.queue.lease(1);
  const part = Buffer.alloc(2 ** 20);
  let ended = 0;
  s3.gives = (response) => {
    const sent = Readable.from(
      (function* () {
        // The test has nothing to end if it is read further.
        for (let parts = 0; parts < 1024; parts += 1) yield part;
      })(),
    );
    response.once('close', () => {
      if (!response.writableFinished) ended += 1;
    });
    sent.pipe(response);
  };
  await assert.rejects(storage.images.read(company.id, item!.imageId), { name: 'ImageDamaged' });
  await until(() => ended === 1, 'the end of the connection');
});

test('an answer without end and a listing without end are cut off', async (t) => {
  const { s3, storage, company } = await storageOnS3(t);
  await acceptUpload(storage, company, ['a photo']);
  const [item] = await storage.queue.lease(1);
  const part = Buffer.alloc(2 ** 20, 'x');
  let sent = 0;
  s3.answers = (_request, response) => {
    const parts = function* () {
      for (let count = 0; count < 256; count += 1) {
        sent += 1;
        yield part;
      }
    };
    Readable.from(parts()).pipe(response.writeHead(500));
  };
  await assert.rejects(storage.images.read(company.id, item!.imageId), UnavailableError);
  assert.ok(sent < 64, `${sent} MiB of an error were read`);

  const bucket = new ImageBucket(parseBucketAddress(s3.address()));
  t.after(() => bucket.close());
  let pages = 0;
  const listing = (content: (page: number) => string) => {
    pages = 0;
    s3.answers = (_request, response) => {
      pages += 1;
      const next = `<NextContinuationToken>${pages}</NextContinuationToken><IsTruncated>true</IsTruncated>`;
      response.end(`<ListBucketResult>${content(pages)}${next}</ListBucketResult>`);
    };
    return bucket.list('images/');
  };
  const prefix = (name: string) => `<CommonPrefixes><Prefix>site/images/${name}/</Prefix></CommonPrefixes>`;
  await assert.rejects(
    listing(() => prefix('aa')),
    /ListDoesNotContinue/,
  );
  assert.equal(pages, 2);
  await assert.rejects(
    listing(() => ''),
    /ListDoesNotContinue/,
  );
  assert.equal(pages, 1);
  // Names that are none count, too, and are quickly read.
  const many = () => '<Contents/>'.repeat(10_000);
  await assert.rejects(listing(many), /ListTooLong/);
  assert.equal(pages, 51);
});

test('a bucket that stops in the middle of an image ends the request after its time', async (t) => {
  const { s3, open, storage, company } = await storageOnS3(t);
  await acceptUpload(storage, company, ['a photo']);
  const [item] = await storage.queue.lease(1);
  await storage.close();
  const hurried = await open(s3.address('&timeout=1'));
  t.after(() => hurried.close());
  s3.gives = (response) => void response.writeHead(200, { 'content-length': 100 }).write('VIMG');
  await assert.rejects(hurried.images.read(company.id, item!.imageId), UnavailableError);
});

test('photos that arrive faster than the bucket takes them wait outside of memory', async (t) => {
  const { s3, storage, company } = await storageOnS3(t);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  s3.holds = promise;
  let read = 0;
  const photo = () =>
    ReadableStream.from(
      (function* () {
        read += 1;
        yield Buffer.from('pixels');
      })(),
    );
  const kept: Promise<void>[] = [];
  const upload = (async () => {
    for (let n = 0; n < 70; n += 1)
      kept.push((await storage.images.receive(company.id, 'jpeg', photo())).durable);
  })();
  while (read < 64) await setImmediate();
  for (let n = 0; n < 20; n += 1) await setImmediate();
  assert.equal(read, 64);
  resolve(undefined);
  await upload;
  await Promise.all(kept);
  assert.equal(read, 70);
});

test('a bucket that keeps versions or locks objects is refused at the start', async (t) => {
  const { s3, open, storage } = await storageOnS3(t);
  await storage.close();
  for (const versioning of ['Enabled', 'Suspended'] as const) {
    await s3.setVersioning(versioning);
    await assert.rejects(open(), /an erased photo would stay in it/);
  }
  await s3.lock();
  await assert.rejects(open(), /an erased photo would stay in it/);
});

test('the quota of a bucket limits the free space', async (t) => {
  const { open, s3, storage, company } = await storageOnS3(t);
  await acceptUpload(storage, company, ['ten bytes!']);
  assert.equal(await storage.images.freeBytes(company.id), 2 ** 40 - 10);
  await storage.close();
  const small = await open(s3.address('&quota=4'));
  t.after(() => small.close());
  assert.equal(await small.images.freeBytes(company.id), 0);
});

test('a bucket that is full takes no image, and gives and removes what it holds', async (t) => {
  const { s3, storage, company } = await storageOnS3(t);
  await acceptUpload(storage, company, ['kept']);
  const [item] = await storage.queue.lease(1);
  await s3.fill();
  await assert.rejects(writeImage(storage, company), UnavailableError);
  const kept = (await s3.keys()).filter((key) => key.endsWith('.vimg'));
  assert.equal(kept.length, 1);
  assert.equal(
    Buffer.from((await storage.images.read(company.id, item!.imageId))!.content).toString(),
    'kept',
  );
  await storage.images.discard(company.id, [item!.imageId]);
  assert.deepEqual(await objectsOf(s3), ['site/company-1/vouch-storage.json']);
});

test('credentials that the S3 service refuses are stated, and nothing is written', async (t) => {
  const { home, s3, open, storage, company } = await storageOnS3(t);
  await storage.close();
  writeCredentials(home, { accessKeyId: 'WRONG', secretAccessKey: 'wrong' });
  const refused = await open();
  t.after(() => refused.close());
  assert.match(JSON.stringify(await refused.storageFolders.problem(company.id)), /s3:\/\/photos\/site/);
  await assert.rejects(writeImage(refused, company), UnavailableError);
  assert.deepEqual(await objectsOf(s3), ['site/company-1/vouch-storage.json']);
});

test('images in a bucket can be moved to a folder once they are copied, and back', async (t) => {
  const { home, storage, company, s3 } = await storageOnS3(t);
  await acceptUpload(storage, company, ['moved']);
  const folder = join(temporaryFolder(t), 'photos');
  assert.match((await storage.images.moveTo(company, folder, TEST_ACT)) ?? '', /^1 images .* S3 client/);
  const other = await storage.images.moveTo(company, 's3://photos/site/company-9', TEST_ACT);
  assert.match(other ?? '', /are kept in s3:\/\/photos\/site\/company-1/);
  for (const key of await s3.keys()) {
    const file = join(folder, key.slice('site/company-1/'.length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await s3.read(key));
  }
  const [item] = await storage.queue.lease(1);
  for (const place of [folder, 's3://photos/site/company-1']) {
    assert.equal(await storage.images.moveTo(company, place, TEST_ACT), undefined, place);
    assert.equal((await storage.companies.find(company.id))?.storageFolder, place);
    assert((await storage.images.read(company.id, item!.imageId)) !== undefined);
  }
  assert(!readFileSync(join(home, 'images.url'), 'utf8').includes('secret-of-the-test'));
});

test(
  'any S3 service: VOUCH_S3_TEST=s3://BUCKET/PREFIX?endpoint=…&credentials=FILE',
  {
    skip:
      process.env.VOUCH_S3_TEST === undefined &&
      'VOUCH_S3_TEST names no S3 service; npm run test:ceph starts one',
  },
  async (t) => {
    const home = temporaryFolder(t);
    const { location, prefix } = parseBucketAddress(process.env.VOUCH_S3_TEST!);
    // A prefix of its own, so that no earlier run left a marker of another installation there.
    const images = process.env.VOUCH_S3_TEST!.replace(location, `${location}/${randomUUID()}`);
    assert.notEqual(prefix, '', 'give a prefix, below which the test writes');
    const before = await openStorage(openHome(home), new TestClock(), undefined, { images });
    const company = await newCompany(before, home);
    const large = 'a large photo '.repeat(200_000);
    await Promise.all([large, '', 'small'].map((content) => writeImage(before, company, content)));
    await before.close();
    const storage = await openStorage(openHome(home), new TestClock());
    t.after(() => storage.close());
    assert.equal(await storage.storageFolders.problem(company.id), undefined);
    await acceptUpload(storage, company, ['kept', large.slice(0, 1000), 'kept too']);
    const items = await storage.queue.lease(3);
    for (const item of items) {
      const read = await storage.images.read(company.id, item.imageId);
      assert.equal(read!.content.length, item.fileName.length);
    }
    assert.deepEqual(await storage.imageSamples.withoutFile(company.id), { sampled: 3, missing: 0 });
    assert.equal(await storage.sweepOrphans(), 0);
    assert.equal(await storage.sweepOrphans(-60_000), 3, 'what no row names');
    await storage.images.discard(
      company.id,
      items.map(({ imageId }) => imageId),
    );
    assert.deepEqual(await storage.imageSamples.withoutFile(company.id), { sampled: 3, missing: 3 });
  },
);

test('an address of a bucket must be safe and its file of credentials private', async (t) => {
  const parameters = '?credentials=/etc/vouch/s3';
  for (const [text, why] of [
    ['s3://', /s3:\/\/BUCKET/],
    [`s3://key:secret@bucket/${parameters}`, /contains credentials/],
    [`s3://bucket/x${parameters}&endpoint=http://10.0.0.9`, /https:\/\//],
    [`s3://bucket/../x y${parameters}`, /prefix/],
    [`s3://bucket/x${parameters}&quota=-1`, /quota/],
    [`s3://bucket/x${parameters}&quoat=1`, /quoat/],
    ['s3://bucket/x', /credentials=FILE/],
  ] as const)
    assert.throws(() => parseBucketAddress(text), why, text);
  const home = temporaryFolder(t);
  const s3 = await startS3(t, home);
  chmodSync(join(home, 's3-credentials'), 0o644);
  const images = s3.address();
  await assert.rejects(openStorage(openHome(home), new TestClock(), undefined, { images }), /chmod 600/);
});

test('no other address is asked: neither a metadata service nor a region of Amazon', async (t) => {
  const sockets: Socket[] = [];
  const attempts: string[] = [];
  const follow = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    sockets.push(socket);
    socket.on('connectionAttempt', (address: string, port: number) => attempts.push(`${address}:${port}`));
  };
  subscribe('net.client.socket', follow);
  t.after(() => unsubscribe('net.client.socket', follow));
  const { s3, storage, company } = await storageOnS3(t);
  await writeImage(storage, company);
  const { host } = new URL(parseBucketAddress(s3.address()).endpoint!);
  const database = TEST_SERVER === undefined ? [] : [new URL(TEST_SERVER).host];
  assert(attempts.includes(host));
  assert.deepEqual(new Set(attempts), new Set([host, ...s3.hosts, ...database]));
  assert.equal(sockets.length, attempts.length);
});
