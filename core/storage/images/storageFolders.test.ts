import { sentenceOf } from '../../contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fillDisk } from '../../../test/support/fullDisk.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import {
  acceptUpload,
  newCompany,
  temporaryFolder,
  temporaryStorage,
  TestClock,
  writeImage,
} from '../../../test/support/site.ts';
import { companySettings } from '../../contracts/settings.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import { openHome, openStorage, type Storage } from '../index.ts';
import { MARKER } from './places/imagePlace.ts';

const settings = companySettings.parse({});

function imagesUnder(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.vimg'))
    : [];
}

async function outside(storage: Storage, folder: string, name = 'Acme') {
  return storage.companies.create({ name, storageFolder: folder, settings }, TEST_ACT);
}

test('a folder overlapping another company, the home or the system is refused', async (t) => {
  const { storage, folder: home } = await temporaryStorage(t);
  const disk = temporaryFolder(t);
  const acme = await outside(storage, join(disk, 'acme'));
  const inHome = await newCompany(storage, home, 'In the home');
  symlinkSync(acme.storageFolder!, join(disk, 'link'));
  symlinkSync(home, join(disk, 'to the home'));
  const refused = [
    join(disk, 'acme'),
    join(disk, 'acme', 'inside'),
    join(disk, 'other', '..', 'acme'),
    disk,
    join(disk, 'link'),
    join(disk, 'link', 'deeper'),
    home,
    join(home, '..'),
    join(home, 'storage'),
    join(home, 'storage', 'other'),
    join(home, 'storage', '..'),
    inHome.storageFolder!,
    join(disk, 'to the home', 'storage', 'company-1'),
    ...(process.platform === 'win32' ? [] : ['/', '/etc', '/usr/share/vouch', '/proc/self/cwd']),
    'relative/folder',
  ];
  for (const folder of refused) {
    const { problem } = await storage.storageFolders.check(folder);
    assert.ok(problem !== null, folder);
    await assert.rejects(outside(storage, folder, 'Beta'), { problem }, folder);
  }
  assert.equal(await storage.companies.findByName('Beta'), undefined, 'nothing is left of a refused company');
  const suggested = await storage.storageFolders.suggested();
  assert.match(suggested.slice(home.length), /^\/storage\/company-\d+$/);
  assert.equal((await storage.storageFolders.check(suggested)).problem, null);
  const gamma = await newCompany(storage, home, 'Gamma');
  assert.equal(gamma.storageFolder, suggested);
});

test('names that are paths, and names that differ by case, get folders of their own', async (t) => {
  const { storage, folder: home } = await temporaryStorage(t);
  const folders = [];
  for (const name of ['..', '.', 'ACME', 'Acme'])
    folders.push((await newCompany(storage, home, name)).storageFolder);
  assert.deepEqual(
    folders,
    [1, 2, 3, 4].map((id) => join(home, 'storage', `company-${id}`)),
  );
});

test('a folder that vanishes takes no image, and nothing replaces it', async (t) => {
  const { storage } = await temporaryStorage(t);
  const disk = temporaryFolder(t);
  const company = await outside(storage, join(disk, 'images'));
  await acceptUpload(storage, company, ['kept']);
  const away = join(disk, 'unmounted');
  const unavailable = async () => {
    await assert.rejects(writeImage(storage, company), UnavailableError);
    await assert.rejects(storage.images.freeBytes(company.id), UnavailableError);
    const [item] = await storage.queue.lease(1);
    await assert.rejects(storage.images.read(company.id, item!.imageId), UnavailableError);
    await storage.queue.release([item!], { counted: false });
    const problem = await storage.storageFolders.problem(company.id);
    assert.match(problem === undefined ? '' : sentenceOf(problem), /vouch company update "Acme" --storage/);
    await assert.rejects(storage.backups.open(TEST_ACT, '0'), Error);
    assert.equal(await storage.sweepOrphans(0), 0);
  };
  renameSync(company.storageFolder!, away);
  await unavailable();
  assert.equal(existsSync(company.storageFolder!), false);
  mkdirSync(company.storageFolder!);
  await unavailable();
  assert.deepEqual(readdirSync(company.storageFolder!), [], 'the mount point stays empty');
  rmSync(company.storageFolder!, { recursive: true });
  renameSync(away, company.storageFolder!);
  await writeImage(storage, company);
  assert.equal(imagesUnder(company.storageFolder!).length, 2);
});

test('a disk unmounted during a write keeps the image from being accepted', async (t) => {
  const { storage } = await temporaryStorage(t);
  const disk = temporaryFolder(t);
  const company = await outside(storage, join(disk, 'images'));
  async function* unmountingHalfway() {
    yield await Promise.resolve(Buffer.from('half'));
    renameSync(company.storageFolder!, join(disk, 'unmounted'));
    yield Buffer.from('the rest');
  }
  await assert.rejects(storage.images.write(company.id, 'jpeg', unmountingHalfway()), UnavailableError);
});

test('a marker of another company or installation refuses the folder', async (t) => {
  const { storage } = await temporaryStorage(t);
  const { storage: elsewhere } = await temporaryStorage(t);
  const disk = temporaryFolder(t);
  const company = await outside(storage, join(disk, 'here'));
  const foreign = await outside(elsewhere, join(disk, 'there'));
  await acceptUpload(elsewhere, foreign, ['of the other installation']);
  const { problem } = await storage.storageFolders.check(foreign.storageFolder!);
  assert.equal(problem?.code, 'STORAGE_FOLDER_MARKED');
  renameSync(company.storageFolder!, join(disk, 'away'));
  renameSync(foreign.storageFolder!, company.storageFolder!);
  await assert.rejects(writeImage(storage, company), /another company or another installation/);
  assert.equal(await storage.sweepOrphans(0), 0);
  assert.equal(imagesUnder(company.storageFolder!).length, 1, 'a swept folder would be empty');
});

test('a company moves to a folder with its files, and to none that lacks one of them', async (t) => {
  const { storage } = await temporaryStorage(t);
  const disk = temporaryFolder(t);
  const company = await outside(storage, join(disk, 'old'));
  await acceptUpload(storage, company, ['one', 'two']);
  const next = join(disk, 'new');
  const refused = await storage.images.moveTo(company, next, TEST_ACT);
  assert.match(
    refused ?? '',
    /^2 images .* cp -a ".*old\/\." ".*new\/" && vouch company update "Acme" --storage/,
  );
  cpSync(join(disk, 'old'), next, { recursive: true });
  await acceptUpload(storage, company, ['three']);
  assert.match((await storage.images.moveTo(company, next, TEST_ACT)) ?? '', /^1 images/);
  cpSync(join(disk, 'old'), next, { recursive: true });
  const pending = await writeImage(storage, company, 'being received');
  assert.match((await storage.images.moveTo(company, next, TEST_ACT)) ?? '', /being stored/);
  await storage.images.discard(company.id, [pending.id]);
  assert.equal(await storage.images.moveTo(company, next, TEST_ACT), undefined);
  rmSync(join(disk, 'old'), { recursive: true });
  const items = await storage.queue.lease(3);
  const read = await Promise.all(items.map(({ imageId }) => storage.images.read(company.id, imageId)));
  assert.deepEqual(
    read.map((image) => Buffer.from(image!.content).toString()),
    ['one', 'two', 'three'],
  );
});

test("a lost marker is recreated only where the folder holds the company's images", async (t) => {
  const { storage, folder: home } = await temporaryStorage(t);
  const disk = temporaryFolder(t);
  const company = await outside(storage, join(disk, 'images'));
  const other = await newCompany(storage, home, 'Other');
  await acceptUpload(storage, company, ['one']);
  rmSync(join(company.storageFolder!, MARKER));
  await assert.rejects(writeImage(storage, company), UnavailableError);
  renameSync(company.storageFolder!, join(disk, 'found'));
  assert.match(
    (await storage.images.moveTo(other, join(disk, 'found'), TEST_ACT)) ?? '',
    /images that this company does not know/,
  );
  assert.equal(await storage.images.moveTo(company, join(disk, 'found'), TEST_ACT), undefined);
  const { id } = await writeImage(storage, company);
  await storage.images.discard(company.id, [id]);
  writeFileSync(join(disk, 'found', MARKER), 'not a marker');
  await assert.rejects(writeImage(storage, company), UnavailableError);
  assert.match((await storage.images.moveTo(company, join(disk, 'found'), TEST_ACT)) ?? '', /damaged/);
});

test('a home that is moved as a whole finds its images again', async (t) => {
  const folder = temporaryFolder(t);
  const clock = new TestClock();
  const first = await openStorage(openHome(join(folder, 'first')), clock);
  const company = await newCompany(first, folder);
  await acceptUpload(first, company, ['kept']);
  await first.close();
  renameSync(join(folder, 'first'), join(folder, 'second'));
  const second = await openStorage(openHome(join(folder, 'second')), clock);
  t.after(() => second.close());
  const [item] = await second.queue.lease(1);
  assert.equal(
    Buffer.from((await second.images.read(company.id, item!.imageId))!.content).toString(),
    'kept',
  );
});

test('sampled images show whether files are missing', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  assert.deepEqual(await storage.imageSamples.withoutFile(company.id), { sampled: 0, missing: 0 });
  await acceptUpload(storage, company, ['one', 'two', 'three']);
  assert.deepEqual(await storage.imageSamples.withoutFile(company.id), { sampled: 3, missing: 0 });
  const [first] = imagesUnder(company.storageFolder!);
  rmSync(join(company.storageFolder!, first!));
  assert.deepEqual(await storage.imageSamples.withoutFile(company.id), { sampled: 3, missing: 1 });
});

test('a folder on a full disk has a problem, although all of its files are there', async (t) => {
  const { storage } = await temporaryStorage(t);
  const { id, storageFolder } = await newCompany(storage, '');
  assert.equal(await storage.storageFolders.problem(id), undefined);
  t.after(fillDisk((path) => path.startsWith(storageFolder!)));
  const problem = await storage.storageFolders.problem(id);
  assert.match(problem === undefined ? '' : sentenceOf(problem), /That disk is full/);
});
