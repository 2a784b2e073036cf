import assert from 'node:assert/strict';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { acceptUpload, newCompany, temporaryStorage, writeImage } from '../../../test/support/site.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';

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
