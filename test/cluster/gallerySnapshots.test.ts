/** Snapshots of the gallery in the data directories of services that share a PostgreSQL database. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import type { BlacklistId, FaceId, UploadId } from '../../core/contracts/ids.ts';
import { openGallery } from '../../core/gallery/index.ts';
import { keepSnapshots } from '../../core/gallery/start.ts';
import { KEPT_MS } from '../../core/storage/engine/postgres/nodes.ts';
import { openHome, openStorage, type Storage } from '../../core/storage/index.ts';
import { TEST_ACT } from '../support/act.ts';
import { enrolItem } from '../support/answerItem.ts';
import { SILENT_LOG } from '../support/fakes.ts';
import { CHURN_SNAPSHOT_FACES, filledGallery, queryFor, seededVector } from '../support/galleryChurn.ts';
import { folderBeside } from '../support/severalServices.ts';
import {
  faceAlong,
  newCompany,
  temporaryFolder,
  TEST_PIPELINE,
  TestClock,
  writeImage,
} from '../support/site.ts';
import { WITHOUT_FILE, WITHOUT_SERVER } from '../support/testServer.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

const NEEDS_SERVER = { skip: WITHOUT_SERVER };

/** A service with snapshots of 30 faces in a blacklist, and a second one over the same database. */
async function openSite(t: TestContext) {
  const folder = temporaryFolder(t);
  const storage = await openStorage(openHome(folder), new TestClock());
  const company = await newCompany(storage, folder);
  const { id: list } = await created(storage, company);
  const faces = await enrol(storage, company, list, 30);
  await snapshot(storage, company);
  const beside = folderBeside(t, folder);
  const other = await openStorage(openHome(beside), new TestClock());
  t.after(() => other.close());
  await snapshot(other, company);
  const files = (home: string) => readdirSync(join(home, 'gallery', String(company.id)));
  return { folder, beside, storage, other, company, list, faces, files };
}

async function created(storage: Storage, company: Company): Promise<{ id: BlacklistId }> {
  await storage.blacklists.create(company.id, { name: 'List', description: null }, TEST_ACT);
  return (await storage.blacklists.list(company.id, { offset: 0, limit: 1 })).rows[0]!;
}

async function enrol(
  storage: Storage,
  company: Company,
  list: BlacklistId,
  count: number,
): Promise<FaceId[]> {
  const target = { kind: 'blacklist', blacklistId: list } as const;
  const images = [];
  for (let at = 0; at < count; at++)
    images.push({ fileName: `${at}.jpg`, image: await writeImage(storage, company) });
  const id = randomUUID() as UploadId;
  await storage.uploads.accept(company.id, { id, target, accepted: TEST_ACT, images });
  const faces: FaceId[] = [];
  for (const item of await storage.queue.lease(count)) {
    const template = { pipelineId: TEST_PIPELINE, vector: seededVector(item.id) };
    const image = { width: 100, height: 100, format: 'jpeg' } as const;
    const enrolled = await enrolItem(
      storage.queue,
      item,
      { image, face: { ...faceAlong(0), template } },
      new Date(),
    );
    faces.push(enrolled!.faceId);
  }
  return faces;
}

async function snapshot(storage: Storage, company: Company): Promise<void> {
  const { gallery } = await filledGallery(storage, company);
  assert.ok((await keepSnapshots(gallery, storage, company.id, TEST_PIPELINE, CHURN_SNAPSHOT_FACES)) > 2);
  await gallery.close();
}

/** Starts a gallery as a service does. @returns how many faces came from snapshots, and the ids that a search finds */
async function start(folder: string, list: BlacklistId) {
  const storage = await openStorage(openHome(folder), new TestClock());
  const gallery = await openGallery({ pipelineId: TEST_PIPELINE, codesFrom: 8 }, storage, SILENT_LOG);
  const [company] = await storage.companies.list();
  const found = await gallery.search(company!.id, { ...queryFor(list, 1), limit: 100 });
  const { restored } = gallery;
  await gallery.close();
  await storage.close();
  return { restored, found: found.map(({ faceId }) => Number(faceId)).toSorted((a, b) => a - b) };
}

test('a start uses its snapshots and finds what changed meanwhile', NEEDS_SERVER, async (t) => {
  const { folder, storage, other, company, list, faces } = await openSite(t);
  assert.ok(await other.blacklists.deleteFace(company.id, list, faces[3]!, TEST_ACT));
  const later = await enrol(storage, company, list, 3);
  await storage.close();
  const { restored, found } = await start(folder, list);
  assert.ok(restored >= 12, `${restored} faces came from snapshots`);
  assert.deepEqual(found, [...faces.filter((face) => face !== faces[3]), ...later]);
});

test('a snapshot that is older than the database brings no erased face back', NEEDS_SERVER, async (t) => {
  const { folder, storage, other, company, list, faces } = await openSite(t);
  await storage.close();
  const client = new pg.Client(readFileSync(join(folder, 'database.url'), 'utf8').trim());
  await client.connect();
  t.after(() => client.end());
  await client.query('create table missed as select * from gallery_snapshot');
  assert.ok(await other.blacklists.deleteFace(company.id, list, faces[3]!, TEST_ACT));
  await client.query('insert into gallery_snapshot select * from missed on conflict do nothing');
  const { restored, found } = await start(folder, list);
  assert.ok(restored >= 24, `${restored} faces came from snapshots`);
  assert.deepEqual(
    found,
    faces.filter((face) => face !== faces[3]),
  );
});

test('an erased face takes the keys of its snapshots from every service', NEEDS_SERVER, async (t) => {
  const { folder, beside, storage, other, company, list, faces, files } = await openSite(t);
  t.after(() => storage.close());
  const before = files(folder);
  const [first] = await storage.gallerySnapshots.ranges(company.id, TEST_PIPELINE);
  assert.ok(await storage.blacklists.deleteFace(company.id, list, faces[0]!, TEST_ACT));
  for (const service of [storage, other]) {
    assert.equal(await service.gallerySnapshots.read(company.id, TEST_PIPELINE, first!), undefined);
    assert.ok(
      (await service.gallerySnapshots.ranges(company.id, TEST_PIPELINE)).every(
        ({ upTo }) => upTo > first!.upTo,
      ),
    );
  }
  assert.equal(files(folder).length, before.length - 1, 'the file that cannot be opened is deleted');
  assert.equal(files(beside).length, before.length - 1);
});

test('the keys of a service that was removed a month ago are deleted', NEEDS_SERVER, async (t) => {
  const { folder, beside, storage, other, company, list, faces } = await openSite(t);
  t.after(() => storage.close());
  const report = { version: '1', address: null, draining: false, answered: 0, leads: false };
  const covered = async (service: Storage) =>
    (await service.gallerySnapshots.ranges(company.id, TEST_PIPELINE)).length > 0;
  const listed = async () => (await storage.nodes!.list()).map(({ name }) => name);
  await other.nodes!.report({ ...report, role: 'api' });
  await other.nodes!.leave();
  const client = new pg.Client(readFileSync(join(folder, 'database.url'), 'utf8').trim());
  await client.connect();
  t.after(() => client.end());
  const silentFor = async (milliseconds: number) => {
    await client.query('update node set seen_at = seen_at - $1 where name = $2', [
      milliseconds,
      other.nodes!.name,
    ]);
    await storage.nodes!.report({ ...report, role: 'api' });
  };

  await silentFor(KEPT_MS - 3_600_000);
  assert.deepEqual(await listed(), [storage.nodes!.name]);
  assert.ok(await covered(other), 'a service that is stopped for less than a month keeps its keys');
  await silentFor(3_600_000);
  assert.ok(!(await covered(other)), 'keys of a removed service');
  assert.ok(await covered(storage), 'the services that report keep theirs');
  await other.close();
  const again = await start(beside, list);
  assert.deepEqual([again.restored, again.found], [0, faces]);
});

test('a damaged file is read from the database and written again', NEEDS_SERVER, async (t) => {
  const { folder, storage, company, list, faces, files } = await openSite(t);
  await storage.close();
  const [name] = files(folder);
  const path = join(folder, 'gallery', String(company.id), name!);
  const content = readFileSync(path);
  content[content.length - 1]! ^= 1;
  writeFileSync(path, content);
  const { found } = await start(folder, list);
  assert.deepEqual(found, faces.map(Number));
  const again = await openStorage(openHome(folder), new TestClock());
  t.after(() => again.close());
  const covered = await again.gallerySnapshots.ranges(company.id, TEST_PIPELINE);
  assert.equal(covered.length, files(folder).length);
  assert.ok(!files(folder).includes(name!));
});

test(
  'an installation that left its server deletes the files there were',
  { skip: WITHOUT_FILE },
  async (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, 'gallery', '1'), { recursive: true });
    writeFileSync(join(folder, 'gallery', '1', 'a file'), '');
    const storage = await openStorage(openHome(folder), new TestClock());
    await storage.close();
    assert.ok(!existsSync(join(folder, 'gallery')));
  },
);
