/** Somebody who has the database as it was before an erasure, the store key, and the file of the keys after it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Selectable } from 'kysely';
import pg from 'pg';
import type { ExaminationContent } from '../../core/contracts/dashboard/examinations.ts';
import { CodedError } from '../../core/contracts/errors/problem.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';
import { UnavailableError } from '../../core/domain/ports/machine.ts';
import { cellsOf, RowDamaged } from '../../core/storage/engine/cells.ts';
import type { Schema } from '../../core/storage/engine/schema.ts';
import { ErasableKeys, leafOfFace } from '../../core/storage/engine/erasableKeys.ts';
import type { Database } from '../../core/storage/engine/database.ts';
import { KeyFile } from '../../core/storage/erasure/keyFile.ts';
import { ImagePlaces } from '../../core/storage/images/places/imagePlaces.ts';
import { openHome, openStorage, type StoredElsewhere } from '../../core/storage/index.ts';
import { TEST_ACT } from '../support/act.ts';
import { keepDatabase } from '../support/earlierDatabase.ts';
import { answerAll, enrolPeople, openErasureSite, type ErasureSite } from '../support/erasureSite.ts';
import { rowsOf } from '../support/rowsOf.ts';
import { folderBeside } from '../support/severalServices.ts';
import { newCompany, temporaryFolder, TestClock } from '../support/site.ts';
import { newAddress, WITHOUT_SERVER } from '../support/testServer.ts';

const OPTIONS = { skip: WITHOUT_SERVER };
const now = () => TEST_ACT.at;

/** The file of the keys of the database that uses this folder. */
function keyFileIn(storage: string): string {
  const [name, ...others] = readdirSync(storage).filter((file) => /^erasable-[0-9a-f]{16}\.keys$/.test(file));
  assert.ok(name !== undefined && others.length === 0, 'one file');
  return join(storage, name);
}

/** A site with a face of each person, by rising numbers. */
async function filledSite(t: TestContext, people: readonly string[]) {
  const folder = temporaryFolder(t);
  const site = await openErasureSite(folder);
  const company = await newCompany(site.storage, folder);
  const photos = people.map((name, person) => ({ person, fileName: `${name}.jpg` }));
  await enrolPeople(site, company, photos);
  return { folder, site, company, keyFile: keyFileIn(site.home.storage) };
}

/** Begins the erasure of a person: COMMIT has happened, and nothing else. */
async function beginErasure({ storage, service }: ErasureSite, company: Company, name: string) {
  const [found] = await storage.erasures.byName(company.id, name, 50);
  const choice = { validations: [Number(found!.id) as never], faces: [], photos: [], comparisons: [] };
  const plan = await service.plan(company.id, choice);
  return storage.erasures.begin(company.id, choice, plan.code, TEST_ACT);
}

/** The cells of each face on the server, by the name of the person. */
async function cellsByName(db: Database) {
  const rows = await db
    .selectFrom('face')
    .innerJoin('template', 'template.face_id', 'face.id')
    .innerJoin('face_thumbnail', 'face_thumbnail.face_id', 'face.id')
    .innerJoin('image', 'image.id', 'face.image_id')
    .select(['face.name', 'face.company_id', 'template.face_id', 'template.pipeline_id', 'template.vector'])
    .select(['face_thumbnail.jpeg', 'image.id', 'image.key'])
    .execute();
  return new Map(rows.map((row) => [row.name, row]));
}
type Kept = Awaited<ReturnType<typeof cellsByName>>;

/** The cells that open with the store key and the file of the keys as it is now, of those that were kept. */
async function opening(t: TestContext, folder: string, kept: Kept): Promise<string[]> {
  const cells = cellsOf(await rowsOf(t, folder));
  return [...kept].flatMap(([name, row]) => {
    const opened = {
      template: cells.opened('template', 'vector', row),
      thumbnail: cells.opened('face_thumbnail', 'jpeg', row),
      key: cells.opened('image', 'key', row),
    };
    return Object.entries(opened).flatMap(([what, bytes]) =>
      bytes === undefined ? [] : `${what} of ${name}`,
    );
  });
}

const allOf = (...names: string[]) =>
  names.flatMap((name) => ['template', 'thumbnail', 'key'].map((what) => `${what} of ${name}`));

function refused(code: string) {
  return (error: unknown) =>
    (error instanceof CodedError || error instanceof UnavailableError) && error.problem?.code === code;
}

test('after an erasure the store key opens nothing that the server kept', OPTIONS, async (t) => {
  const { folder, site, company } = await filledSite(t, ['anna', 'bert', 'carl']);
  const kept = await cellsByName(await rowsOf(t, folder));
  assert.deepEqual(await opening(t, folder, kept), allOf('anna', 'bert', 'carl'));
  const begun = await beginErasure(site, company, 'bert');
  await site.storage.erasures.finish([begun], 'keep', now);
  assert.deepEqual(await opening(t, folder, kept), allOf('anna', 'carl'));
  const signed = await site.storage.erasures.receipt(company.id, begun.id);
  assert.equal(signed?.receipt.files.keys, 2, 'the key of the face and that of the photo');
  // The service itself has forgotten them, and goes on.
  await enrolPeople(site, company, [{ person: 5, fileName: 'dora.jpg' }]);
  await site.close();
  const all = await cellsByName(await rowsOf(t, folder));
  assert.deepEqual(await opening(t, folder, all), allOf('anna', 'carl', 'dora'));
});

test('a start ends an erasure that a crash cut off after its commit', OPTIONS, async (t) => {
  const { folder, site, company } = await filledSite(t, ['anna', 'bert']);
  const kept = await cellsByName(await rowsOf(t, folder));
  const { id } = await beginErasure(site, company, 'bert');
  await site.close();
  assert.deepEqual(await opening(t, folder, kept), allOf('anna', 'bert'), 'not destroyed yet');
  const again = await openErasureSite(folder);
  assert.deepEqual(await opening(t, folder, kept), allOf('anna'));
  await again.storage.erasures.finish(await again.storage.erasures.unfinished(), 'keep', now);
  const signed = await again.storage.erasures.receipt(company.id, id);
  assert.equal(signed?.receipt.files.keys, 2);
  await again.close();
});

test('a service whose key file cannot be written finishes the erasure later', OPTIONS, async (t) => {
  const { folder, site, company, keyFile } = await filledSite(t, ['anna', 'bert']);
  const kept = await cellsByName(await rowsOf(t, folder));
  const begun = await beginErasure(site, company, 'bert');
  const content = readFileSync(keyFile);
  rmSync(keyFile);
  await assert.rejects(site.storage.erasures.finish([begun], 'keep', now), refused('KEYS_MISSING'));
  assert.equal(await site.storage.erasures.receipt(company.id, begun.id), undefined, 'nothing is signed');
  writeFileSync(keyFile, content);
  await site.storage.erasures.finish(await site.storage.erasures.unfinished(), 'keep', now);
  assert.ok(await site.storage.erasures.receipt(company.id, begun.id));
  await site.close();
  assert.deepEqual(await opening(t, folder, kept), allOf('anna'));
});

test('the content of an erased comparison opens no more', OPTIONS, async (t) => {
  const { folder, site, company } = await filledSite(t, ['anna']);
  const recorded = [];
  for (const at of [1, 2])
    recorded.push(
      await site.storage.faceComparisons.record(company.id, {
        ...{ templateId: 'a', verificationId: 'b', credential: 'service', at: new Date(at), similarity: 90 },
        ...{ verdict: 'MATCH', thresholds: { match: 80, possibleMatch: 60 }, modelVersion: 'one' },
        ...{ reasons: {}, sha256: { image1: 'a'.repeat(64), image2: 'b'.repeat(64) } },
      }),
    );
  const rows = await rowsOf(t, folder);
  const kept = await rows.selectFrom('comparison').selectAll().orderBy('id').execute();
  const choice = { validations: [], faces: [], photos: [], comparisons: recorded.slice(0, 1) };
  const { code } = await site.service.plan(company.id, choice);
  const begun = await site.storage.erasures.begin(company.id, choice, code, TEST_ACT);
  await site.storage.erasures.finish([begun], 'keep', now);
  const signed = await site.storage.erasures.receipt(company.id, begun.id);
  assert.equal(signed?.receipt.files.keys, 1);
  const cells = cellsOf(await rowsOf(t, folder));
  const isOpen = kept.map((row) => cells.opened('comparison', 'content', row) !== undefined);
  assert.deepEqual(isOpen, [false, true]);
  await site.close();
});

test('every earlier content of an examination opens no more without either face', OPTIONS, async (t) => {
  const { folder, site, company } = await filledSite(t, ['anna', 'bert', 'carl']);
  const { examinations } = site.storage;
  const rows = await rowsOf(t, folder);
  const [anna, bert, carl] = (await rows.selectFrom('face').select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  );
  const kept: Selectable<Schema['examination']>[] = [];
  for (const pair of [[anna!, bert!] as const, [bert!, carl!] as const]) {
    const id = await examinations.begin(company.id, pair, TEST_ACT);
    const read = () =>
      rows.selectFrom('examination').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    kept.push(await read());
    for (const swapped of [true, false]) {
      const work = (content: ExaminationContent) => ({ ...content, swapped });
      await examinations.change(company.id, id, TEST_ACT, { action: 'examination.saved', details: {}, work });
      kept.push(await read());
    }
  }
  const opened = async () => {
    const cells = cellsOf(await rowsOf(t, folder));
    return kept.map((row) => cells.opened('examination', 'content', row) !== undefined);
  };
  assert.deepEqual(await opened(), [true, true, true, true, true, true]);
  const begun = await beginErasure(site, company, 'anna');
  await site.storage.erasures.finish([begun], 'keep', now);
  assert.deepEqual(await opened(), [false, false, false, true, true, true]);
  await site.close();
});

test('the origin of an erased photo and the snapshots of its face open no more', OPTIONS, async (t) => {
  const { folder, site, company } = await filledSite(t, ['anna', 'bert']);
  const rows = await rowsOf(t, folder);
  const cells = cellsOf(rows);
  const content = randomBytes(32);
  for (const { id, face_id, pipeline_id, company_id } of (await cellsByName(rows)).values()) {
    const original = cells.seal('image', 'original', { company_id, id }, content);
    await rows.updateTable('image').set({ original }).where('id', '=', id).execute();
    const place = { company_id, pipeline_id, node: 'one', up_to_face: face_id };
    await rows
      .insertInto('gallery_snapshot')
      .values({
        ...place,
        after_face: (face_id - 1) as typeof face_id,
        content: cells.seal('gallery_snapshot', 'content', place, content),
      })
      .execute();
  }
  const images = await rows.selectFrom('image').selectAll().orderBy('created_at').orderBy('id').execute();
  const names = new Map([...(await cellsByName(rows))].map(([name, { id }]) => [id, name]));
  const snapshots = await rows.selectFrom('gallery_snapshot').selectAll().orderBy('up_to_face').execute();
  const begun = await beginErasure(site, company, 'bert');
  await site.storage.erasures.finish([begun], 'keep', now);
  const signed = await site.storage.erasures.receipt(company.id, begun.id);
  assert.equal(signed?.receipt.files.keys, 4, 'of the face, the photo, its origin and the snapshot');
  const after = cellsOf(await rowsOf(t, folder));
  const open = images.filter(({ original, ...row }) =>
    after.opened('image', 'original', { ...row, original: original! }),
  );
  assert.deepEqual(
    open.map(({ id }) => names.get(id)),
    ['anna'],
  );
  assert.deepEqual(
    snapshots.map((row) => after.opened('gallery_snapshot', 'content', row) !== undefined),
    [true, false],
  );
  await site.close();
});

test('an item that names a face of another company destroys no key of it', OPTIONS, async (t) => {
  const { folder, site, company, keyFile } = await filledSite(t, ['anna', 'bert']);
  const other = await newCompany(site.storage, temporaryFolder(t), 'Other');
  await enrolPeople(site, other, [{ person: 3, fileName: 'zoe.jpg' }]);
  const rows = await rowsOf(t, folder);
  const kept = await cellsByName(rows);
  const items = await rows
    .selectFrom('upload_item')
    .selectAll()
    .where('company_id', '=', company.id)
    .execute();
  const never = 2 ** 47;
  for (const [name, face] of [
    ['anna', kept.get('zoe')!.face_id],
    ['bert', never],
  ] as const) {
    const item = items.find(({ face_id }) => face_id === kept.get(name)!.face_id)!;
    await rows
      .updateTable('upload_item')
      .set({ face_id: face as never })
      .where('id', '=', item.id)
      .execute();
    const choice = {
      validations: [],
      faces: [],
      photos: [{ uploadId: item.upload_id, index: item.position }],
      comparisons: [],
    };
    const { code } = await site.service.plan(company.id, choice);
    const begun = await site.storage.erasures.begin(company.id, choice, code, TEST_ACT);
    await site.storage.erasures.finish([begun], 'keep', now);
  }
  assert.ok((await opening(t, folder, kept)).includes('template of zoe'));
  const purpose = `erasable keys ${basename(keyFile)}`;
  const keys = ErasableKeys.parse(cellsOf(rows).openedFile(purpose, readFileSync(keyFile))!);
  assert.ok(keys.lastFace() < never);
  await site.close();
});

test('two services that erase at once destroy the keys of both', OPTIONS, async (t) => {
  const names = ['anna', 'bert', 'carl', 'dora', 'emil', 'fred'];
  const { folder, site, company } = await filledSite(t, names);
  const second = await openErasureSite(folderBeside(t, folder));
  const kept = await cellsByName(await rowsOf(t, folder));
  const begun = [];
  for (const [i, name] of names.slice(1).entries())
    begun.push({ by: [site, second][i % 2]!, pending: await beginErasure(site, company, name) });
  await Promise.all(begun.map(({ by, pending }) => by.storage.erasures.finish([pending], 'keep', now)));
  assert.deepEqual(await opening(t, folder, kept), allOf('anna'));
  // A service forgets the keys that the other destroyed.
  for (const { storage } of [site, second]) {
    await storage.refreshKeys();
    await storage.close();
  }
});

test('a service that reads the key file anew during an erasure brings no key back', OPTIONS, async (t) => {
  const { folder, site, company } = await filledSite(t, ['anna', 'bert', 'carl']);
  const db = await rowsOf(t, folder);
  const kept = await cellsByName(db);
  const places = new ImagePlaces(db, site.home.storage);
  const keyFile = await KeyFile.open(db, places);
  const bert = await beginErasure(site, company, 'bert');
  await site.storage.erasures.finish([bert], 'keep', now);
  const carl = await beginErasure(site, company, 'carl');
  const read = places.readKeys.bind(places);
  let reads = 0;
  places.readKeys = async (name) => {
    const content = await read(name);
    reads += 1;
    if (reads === 1) await keyFile.destroyOf([{ company: company.id, id: carl.id }]);
    return content;
  };
  await keyFile.refresh();
  assert.equal(reads, 2, 'the file is read for the refresh and for the erasure during it');
  const isOpen = (name: string) => cellsOf(db).opened('template', 'vector', kept.get(name)!) !== undefined;
  assert.deepEqual(['anna', 'bert', 'carl'].map(isOpen), [true, false, false]);
  await site.close();
});

test('a service starts whose key file has no room for an unfinished erasure', OPTIONS, async (t) => {
  const { folder, site, company } = await filledSite(t, ['anna', 'bert']);
  const db = await rowsOf(t, folder);
  const kept = await cellsByName(db);
  const bert = await beginErasure(site, company, 'bert');
  const places = new ImagePlaces(db, site.home.storage);
  const write = places.writeKeys.bind(places);
  places.writeKeys = (name) => write(name, new Uint8Array(2 ** 28 + 1));
  const keyFile = await KeyFile.begin(db, places, 'service');
  assert.ok(cellsOf(db).opened('template', 'vector', kept.get('anna')!));
  await assert.rejects(keyFile.destroyOf([{ company: company.id, id: bert.id }]), refused('KEYS_FULL'));
  await site.close();
});

test('a start destroys again what an earlier key file brings back', OPTIONS, async (t) => {
  const { folder, site, company, keyFile } = await filledSite(t, ['anna', 'bert']);
  const kept = await cellsByName(await rowsOf(t, folder));
  const earlier = readFileSync(keyFile);
  const begun = await beginErasure(site, company, 'bert');
  await site.storage.erasures.finish([begun], 'keep', now);
  await site.close();
  writeFileSync(keyFile, earlier);
  await (await openErasureSite(folder)).close();
  assert.deepEqual(await opening(t, folder, kept), allOf('anna'));
});

test('a key file that is missing or damaged is refused, and never made anew', OPTIONS, async (t) => {
  const { folder, site, keyFile } = await filledSite(t, ['anna']);
  await site.close();
  const content = readFileSync(keyFile);
  const open = () => openStorage(openHome(folder), new TestClock());
  rmSync(keyFile);
  await assert.rejects(open, refused('KEYS_MISSING'));
  assert.ok(!existsSync(keyFile));
  for (const damaged of [Buffer.alloc(0), content.subarray(1), randomBytes(content.length)]) {
    writeFileSync(keyFile, damaged);
    await assert.rejects(open, refused('KEYS_DAMAGED'));
    assert.deepEqual(readFileSync(keyFile), damaged);
  }
  writeFileSync(keyFile, content);
  await (await open()).close();
});

test('a key file that is put back while services run lasts until an erasure', OPTIONS, async (t) => {
  const { folder, site, company, keyFile } = await filledSite(t, ['anna', 'bert', 'carl']);
  const kept = await cellsByName(await rowsOf(t, folder));
  const earlier = readFileSync(keyFile);
  for (const name of ['bert', 'carl']) {
    await site.storage.erasures.finish([await beginErasure(site, company, name)], 'keep', now);
    if (name === 'bert') writeFileSync(keyFile, earlier);
  }
  assert.deepEqual(await opening(t, folder, kept), allOf('anna'));
  await site.close();
});

test('a start reads only the erasures that its key file may still have', OPTIONS, async (t) => {
  const { folder, site, company, keyFile } = await filledSite(t, ['anna', 'bert', 'carl']);
  const begun = await beginErasure(site, company, 'bert');
  await site.storage.erasures.finish([begun], 'keep', now);
  const { id } = begun;
  // The finished erasure names another face now: whoever reads it destroys that key.
  const rows = await rowsOf(t, folder);
  const kept = await cellsByName(rows);
  const place = { company_id: company.id, id };
  const keys = cellsOf(rows).seal('erasure', 'keys', place, leafOfFace(kept.get('carl')!.face_id));
  await rows.updateTable('erasure').set({ keys }).where('id', '=', id).execute();
  const content = readFileSync(keyFile);
  await site.close();
  await (await openErasureSite(folder)).close();
  assert.deepEqual(readFileSync(keyFile), content, 'the file is the one that was last written');
  assert.deepEqual(await opening(t, folder, kept), allOf('anna', 'carl'));
});

test('an erasure whose keys were changed is not finished, and the others are', OPTIONS, async (t) => {
  const { folder, site, company } = await filledSite(t, ['anna', 'bert', 'carl']);
  const kept = await cellsByName(await rowsOf(t, folder));
  const { erasures } = site.storage;
  const [changed, sound] = [
    await beginErasure(site, company, 'anna'),
    await beginErasure(site, company, 'bert'),
  ];
  const rows = await rowsOf(t, folder);
  const { keys } = await rows
    .selectFrom('erasure')
    .select('keys')
    .where('id', '=', changed.id)
    .executeTakeFirstOrThrow();
  const put = (bytes: unknown) =>
    rows
      .updateTable('erasure')
      .set({ keys: bytes as never })
      .where('id', '=', changed.id)
      .execute();
  await put(randomBytes(64));
  await assert.rejects(erasures.finish([changed, sound], 'keep', now), RowDamaged);
  assert.equal(await erasures.receipt(company.id, changed.id), undefined);
  assert.equal((await erasures.receipt(company.id, sound.id))?.receipt.files.keys, 2);
  assert.deepEqual(await opening(t, folder, kept), allOf('anna', 'carl'));
  await put(keys);
  await erasures.finish(await erasures.unfinished(), 'keep', now);
  assert.deepEqual(await opening(t, folder, kept), allOf('carl'));
  await site.close();
});

test('a service with another place of photos does not make a key file of its own', OPTIONS, async (t) => {
  const folder = temporaryFolder(t);
  const first = await openStorage(openHome(folder), new TestClock());
  const other = folderBeside(t, folder);
  writeFileSync(join(other, 'images.url'), temporaryFolder(t));
  await assert.rejects(openStorage(openHome(other), new TestClock()), refused('KEYS_MISSING'));
  await first.close();
});

test('a command makes no key file, and does without one that is missing', OPTIONS, async (t) => {
  const folder = temporaryFolder(t);
  const open = (elsewhere: StoredElsewhere) => openErasureSite(folder, new TestClock(), elsewhere);
  const early = await open({ use: 'command' });
  const company = await newCompany(early.storage, folder);
  const anna = [{ person: 1, fileName: 'anna.jpg' }];
  t.after(() => early.close());
  await assert.rejects(enrolPeople(early, company, anna), refused('KEYS_NOT_MADE'));
  await early.close();
  await (await open({ use: 'diagnosis' })).close();
  const images = temporaryFolder(t);
  const service = await open({ images });
  keyFileIn(images);
  await service.close();
  rmSync(service.home.imagesAddress);
  const late = await open({ use: 'command' });
  t.after(() => late.close());
  await assert.rejects(enrolPeople(late, company, anna), refused('KEYS_MISSING'));
  await late.close();
  await assert.rejects(open({ use: 'diagnosis' }), refused('KEYS_MISSING'));
});

test('a new database makes a key file of its own beside that of another', OPTIONS, async (t) => {
  const { folder, site, keyFile } = await filledSite(t, ['anna']);
  await site.close();
  const content = readFileSync(keyFile);
  writeFileSync(site.home.databaseAddress, newAddress());
  await (await openErasureSite(folder)).close();
  const names = readdirSync(site.home.storage).filter((name) => name.endsWith('.keys'));
  assert.equal(names.length, 2);
  assert.deepEqual(readFileSync(keyFile), content);
  // Under the name of the other one it is damaged.
  const [own] = names.filter((name) => name !== basename(keyFile));
  copyFileSync(keyFile, join(site.home.storage, own!));
  await assert.rejects(openStorage(openHome(folder), new TestClock()), refused('KEYS_DAMAGED'));
});

test('a key file that could not be read again is not written', async (t) => {
  const folder = temporaryFolder(t);
  // No row is read.
  const places = new ImagePlaces({} as Database, folder);
  await assert.rejects(places.writeKeys('some.keys', new Uint8Array(2 ** 28 + 1)), refused('KEYS_FULL'));
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.keys')),
    [],
  );
});

test('a database that was put back opens nobody who was erased since', OPTIONS, async (t) => {
  const { folder, site, company } = await filledSite(t, ['anna', 'bert']);
  await site.close();
  const putBack = await keepDatabase(folder);
  const later = await openErasureSite(folder);
  await enrolPeople(later, company, [{ person: 2, fileName: 'carl.jpg' }]);
  const begun = await beginErasure(later, company, 'bert');
  const unknown = await beginErasure(later, company, 'carl');
  await later.storage.erasures.finish([begun, unknown], 'keep', now);
  await later.close();

  putBack();
  const restored = await openErasureSite(folder);
  const kept = await cellsByName(await rowsOf(t, folder));
  assert.deepEqual([...kept.keys()], ['anna', 'bert']);
  assert.deepEqual(await opening(t, folder, kept), allOf('anna'));
  const undone = await restored.storage.erasures.undone();
  assert.deepEqual(
    undone.map(({ id }) => id),
    [begun.id],
  );
  const again = await restored.storage.erasures.again(undone[0]!, TEST_ACT);
  await restored.storage.erasures.finish([again!], 'keep', now);
  // A new face does not get the number of one that was erased since, whose key is gone.
  await enrolPeople(restored, company, [{ person: 5, fileName: 'dora.jpg' }]);
  await restored.close();
  const all = await cellsByName(await rowsOf(t, folder));
  assert.deepEqual(await opening(t, folder, all), allOf('anna', 'dora'));
});

test('a sequence that is set back gives no face the number of an erased one', OPTIONS, async (t) => {
  const { folder, site, company } = await filledSite(t, ['anna', 'bert', 'carl']);
  const begun = await beginErasure(site, company, 'carl');
  await site.storage.erasures.finish([begun], 'keep', now);
  const client = new pg.Client(readFileSync(site.home.databaseAddress, 'utf8').trim());
  await client.connect();
  await client.query(`select setval('face_id_seq', 2)`);
  await client.end();
  const dora = [{ person: 5, fileName: 'dora.jpg' }];
  await assert.rejects(enrolPeople(site, company, dora), /The key of a row of \w+ .* was destroyed/);
  await site.close();
  const restarted = await openErasureSite(folder);
  await answerAll(restarted);
  await restarted.close();
  const rows = await rowsOf(t, folder);
  assert.deepEqual(await opening(t, folder, await cellsByName(rows)), allOf('anna', 'bert', 'dora'));
  const faces = await rows.selectFrom('face').select('id').orderBy('id').execute();
  assert.deepEqual(
    faces.map(({ id }) => Number(id)),
    [1, 2, 4],
  );
});
