import assert from 'node:assert/strict';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test, type TestContext } from 'node:test';
import { trusted } from '../../core/contracts/ids.ts';
import { createBackupKey } from '../../core/encryption/backupKey.ts';
import { openHome, openStorage, restoreBackup } from '../../core/storage/index.ts';
import { TEST_ACT } from '../support/act.ts';
import { enrolPeople, openErasureSite } from '../support/erasureSite.ts';
import { startS3 } from '../support/s3Server.ts';
import { newCompany, temporaryFolder, TestClock } from '../support/site.ts';
import { until } from '../support/until.ts';
import { UnavailableError } from '../../core/domain/ports/machine.ts';
import { WITHOUT_FILE, WITHOUT_SERVER } from '../support/testServer.ts';

/** A home whose images are in a bucket, with two people. */
async function twoPeople(t: TestContext) {
  const home = temporaryFolder(t);
  const s3 = await startS3(t, home);
  writeFileSync(join(home, 'images.url'), s3.address());
  const site = await openErasureSite(home);
  t.after(() => site.close());
  const company = await newCompany(site.storage, home);
  const upload = await enrolPeople(site, company, [
    { person: 1, fileName: 'one.jpg' },
    { person: 2, fileName: 'two.jpg' },
  ]);
  const [first] = (await site.uploads.find(company.id, 'duplicate', upload))!.items;
  const images = async () => (await s3.keys()).filter((key) => key.endsWith('.vimg')).length;
  const attempt = async () => {
    const choice = {
      validations: [trusted.trustValidation(first!.trustValidationId!)],
      faces: [],
      photos: [],
      comparisons: [],
    };
    const plan = await site.service.plan(company.id, choice);
    const wanted = { choice, code: plan.code, copies: 'keep' } as const;
    return site.service.run(company.id, wanted, TEST_ACT);
  };
  const erase = async () => {
    const done = await attempt();
    assert(done.receipt !== null);
    return done.receipt.receipt;
  };
  return { home, s3, site, company, images, attempt, erase };
}

test('an erasure deletes the objects of a person and names the bucket', async (t) => {
  const { images, erase } = await twoPeople(t);
  assert.equal(await images(), 2);
  const { files, unreached } = await erase();
  assert.deepEqual([files.images, files.bucket, await images()], [1, 's3://photos/site/company-1', 1]);
  assert(!unreached.some(({ what }) => what === 'images'));
});

test('a service starts while the bucket is away, and has all faces once it is back', async (t) => {
  const { home, s3, site, company } = await twoPeople(t);
  await site.close();
  s3.fails = 503;
  const again = await openErasureSite(home);
  t.after(() => again.close());
  const size = () => again.gallery.size(company.id, { kind: 'duplicate' });
  const people = await again.storage.erasures.byName(company.id, 'one', 5);
  assert.equal(people.length, 1, 'names are answered meanwhile');
  // The templates of PostgreSQL have keys that are in the bucket: a search fails rather than finding nobody.
  if (WITHOUT_SERVER) assert.equal(await size(), 2);
  else await assert.rejects(size(), UnavailableError);
  s3.fails = undefined;
  await until(() =>
    size().then(
      (faces) => faces === 2,
      () => false,
    ),
  );
});

// With PostgreSQL, the keys that the erasure destroys are in the bucket too: no receipt is signed before.
test('a receipt waits for the bucket that has the keys', { skip: WITHOUT_SERVER }, async (t) => {
  const { s3, site, company, images, attempt } = await twoPeople(t);
  s3.fails = 503;
  const { id, receipt } = await attempt();
  s3.fails = undefined;
  assert.equal(receipt, null);
  const { erasures } = site.storage;
  await erasures.finish(await erasures.unfinished(), 'keep', () => TEST_ACT.at);
  const { files, unreached } = (await erasures.receipt(company.id, id))!.receipt;
  assert.deepEqual([files.images, files.keys, await images()], [1, 2, 1]);
  assert(!unreached.some(({ what }) => what === 'images'));
});

test(
  'a receipt says when a bucket kept the objects, and the sweep deletes them later',
  { skip: WITHOUT_FILE },
  async (t) => {
    const { s3, site, images, erase } = await twoPeople(t);
    s3.fails = 503;
    const { files, unreached } = await erase();
    s3.fails = undefined;
    assert.deepEqual([files.images, files.bucket, await images()], [0, null, 2]);
    assert.match(unreached.find(({ what }) => what === 'images')?.which ?? '', /s3:\/\/photos\/site/);
    assert.equal(await site.storage.sweepOrphans(0), 1);
    assert.equal(await images(), 1);
  },
);

test(
  'a backup reads the images of a bucket; a restore keeps them in folders',
  { skip: WITHOUT_FILE },
  async (t) => {
    const { site, company } = await twoPeople(t);
    const key = createBackupKey();
    await site.installationKeys.setRecovery(key.publicKey, TEST_ACT);
    const file = join(temporaryFolder(t), 'site.vouch');
    const { content } = await site.backups.open(TEST_ACT, '0.1.0');
    await pipeline(content, createWriteStream(file));
    const home = openHome(join(temporaryFolder(t), 'restored'));
    const repeat = () => Promise.resolve(true);
    const clock = new TestClock();
    const { manifest } = await restoreBackup(home, file, key, clock, {
      retention: repeat,
      credentials: repeat,
    });
    assert.deepEqual([manifest.images, manifest.lost, manifest.damaged], [2, [], []]);
    const restored = await openStorage(home, clock);
    t.after(() => restored.close());
    assert.deepEqual(await restored.imageSamples.withoutFile(company.id), { sampled: 2, missing: 0 });
  },
);
