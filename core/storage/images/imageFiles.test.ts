import assert from 'node:assert/strict';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  acceptUpload,
  newCompany,
  temporaryFolder,
  temporaryStorage,
  TestClock,
  writeImage,
} from '../../../test/support/site.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import { AuditLog } from '../audit/auditLog.ts';
import { keptAddress } from '../engine/postgres/address.ts';
import { openPostgres } from '../engine/postgres/open.ts';
import { openDatabase } from '../engine/sqliteFile.ts';
import { keyIn, openHome, openStorage, type Home } from '../index.ts';
import { Companies } from '../settings/companies.ts';
import { ImageDamage, EncryptedImageFiles } from './imageFiles.ts';
import { KeyFile } from '../erasure/keyFile.ts';
import { ImagePlaces } from './places/imagePlaces.ts';
import { StorageFolders } from './storageFolders.ts';

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => name.endsWith('.vimg'))
    .map((entry) => join(entry.parentPath, entry.name));
}

test('an image comes back as it was written, and its file says nothing of it', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await acceptUpload(storage, company, ['a secret face']);
  const [item] = await storage.queue.lease(1);
  assert(item);
  const read = await storage.images.read(company.id, item.imageId);
  assert.equal(Buffer.from(read!.content).toString(), 'a secret face');
  const [file] = await filesUnder(company.storageFolder!);
  assert(!(await readFile(file!)).includes('secret'));
});

test('a single changed byte anywhere in an image file is noticed', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await acceptUpload(storage, company, ['face']);
  const [item] = await storage.queue.lease(1);
  const [file] = await filesUnder(company.storageFolder!);
  const whole = await readFile(file!);
  for (let index = 0; index < whole.length; index += 1) {
    const bad = Buffer.from(whole);
    bad[index]! ^= 1;
    await writeFile(file!, bad);
    await assert.rejects(storage.images.read(company.id, item!.imageId), `byte ${index}`);
  }
  await writeFile(file!, whole.subarray(0, -1));
  await assert.rejects(storage.images.read(company.id, item!.imageId), 'cut');
});

test('an image of another company answers as if it did not exist', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const owner = await newCompany(storage, folder, 'Owner');
  const other = await newCompany(storage, folder, 'Other');
  await acceptUpload(storage, owner, ['face']);
  const [item] = await storage.queue.lease(1);
  assert.equal(await storage.images.read(other.id, item!.imageId), undefined);
});

test('orphaned files are swept; referenced and incoming files stay', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await acceptUpload(storage, company, ['kept']);
  await writeImage(storage, company, 'being received');
  const kept = await filesUnder(company.storageFolder!);
  const shelf = join(kept[0]!, '..');
  const orphan = join(shelf, `${shelf.slice(-2)}${'0'.repeat(30)}.vimg`);
  await writeFile(orphan, 'orphan of a crash');
  assert.equal(await storage.sweepOrphans(), 0, 'a file of the last hour stays');
  const old = new Date(Date.now() - 61 * 60_000);
  await utimes(orphan, old, old);
  assert.equal(await storage.sweepOrphans(), 1);
  assert.deepEqual((await filesUnder(company.storageFolder!)).sort(), kept.sort());
});

test('a discarded image leaves no file', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const image = await writeImage(storage, company);
  await storage.images.discard(company.id, [image.id]);
  await storage.images.discard(company.id, [image.id]);
  assert.deepEqual(await filesUnder(company.storageFolder!), []);
});

test('a broken upload leaves no file', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(100));
    },
    pull() {
      throw new Error('the connection was cut');
    },
  });
  await assert.rejects(storage.images.write(company.id, 'png', broken), /connection was cut/);
  assert.deepEqual(await filesUnder(company.storageFolder!), []);
});

test('an unwritable storage folder is "unavailable", which a client may retry', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await rm(company.storageFolder!, { recursive: true });
  await writeFile(company.storageFolder!, 'a file in place of the folder');
  await assert.rejects(writeImage(storage, company), UnavailableError);
  await assert.rejects(storage.images.freeBytes(company.id), UnavailableError);
});

test('two services on one folder: neither sweeps what the other has just written', async (t) => {
  const shared = join(temporaryFolder(t), 'photos');
  const home = openHome(temporaryFolder(t));
  const storage = await openStorage(home, new TestClock(), undefined, { images: shared });
  t.after(() => storage.close());
  const company = await newCompany(storage, home.folder);
  assert.equal(company.storageFolder, join(shared, 'company-1'));
  for (const folder of [shared, join(shared, 'company-9')])
    assert.equal(
      (await storage.storageFolders.check(folder, company.id)).problem?.code,
      'STORAGE_FOLDER_OF_IMAGES',
    );
  const other = await sameRows(t, home, shared);
  const image = await writeImage(storage, company);
  assert.equal(await other.sweep(company.id, 60 * 60_000), 0);
  assert.equal((await filesUnder(shared)).length, 1);
  assert.equal(await other.sweep(company.id, 0), 1, 'an hour later it is an orphan');
  await storage.images.discard(company.id, [image.id]);
  await acceptUpload(storage, company, ['kept']);
  const [item] = await storage.queue.lease(1);
  assert.equal(await other.sweep(company.id, 0), 0);
  assert.equal(Buffer.from((await other.read(company.id, item!.imageId))!.content).toString(), 'kept');
});

/** The images of a second service: the same rows and the same folder, and nothing of the first one's memory. */
async function sameRows(t: TestContext, home: Home, shared: string): Promise<EncryptedImageFiles> {
  const address = keptAddress(home);
  const key = keyIn(home.keyFile)!;
  const db =
    address === undefined ? await openDatabase(home.database, key) : await openPostgres(address, key);
  t.after(() => db.destroy());
  const audit = new AuditLog(db);
  const places = new ImagePlaces(db, shared);
  if (address !== undefined) await KeyFile.open(db, places);
  const folders = new StorageFolders(db, home, places);
  const companies = new Companies(db, audit, folders);
  return new EncryptedImageFiles(db, companies, folders, new ImageDamage(db, audit, new TestClock()));
}
