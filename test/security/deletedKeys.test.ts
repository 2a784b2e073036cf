/** Somebody who has the database as it was before records were deleted, the store key, and the file of the keys after it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { cellsOf } from '../../core/storage/engine/cells.ts';
import { TEST_ACT } from '../support/act.ts';
import { acceptPeople, enrolPeople, openErasureSite } from '../support/erasureSite.ts';
import { rowsOf } from '../support/rowsOf.ts';
import { newCompany, temporaryFolder } from '../support/site.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';

const OPTIONS = { skip: WITHOUT_SERVER };

/** A list with three faces, and what opens of their rows as they are now. */
async function listedSite(t: TestContext) {
  const folder = temporaryFolder(t);
  const site = await openErasureSite(folder);
  t.after(() => site.close());
  const company = await newCompany(site.storage, folder);
  const list = await site.storage.blacklists.create(
    company.id,
    { name: 'Banned', description: null },
    TEST_ACT,
  );
  const names = ['anna', 'bert', 'carl'];
  await enrolPeople(
    site,
    company,
    names.map((name, person) => ({ person, fileName: `${name}.jpg` })),
    list.id,
  );
  await acceptPeople(site, company, [{ person: 7, fileName: 'waiting.jpg' }], list.id);
  const db = await rowsOf(t, folder);
  const faces = await db.selectFrom('face').select(['id', 'name', 'image_id']).orderBy('id').execute();
  const templates = await db.selectFrom('template').selectAll().orderBy('face_id').execute();
  const images = await db.selectFrom('image').selectAll().execute();
  const opening = async () => {
    const cells = cellsOf(await rowsOf(t, folder));
    const nameOf = (found: (face: (typeof faces)[number]) => boolean) => faces.find(found)?.name ?? 'waiting';
    return [
      ...templates
        .filter((row) => cells.opened('template', 'vector', row))
        .map((row) => `template of ${nameOf(({ id }) => id === row.face_id)}`),
      ...images
        .filter((row) => cells.opened('image', 'key', row))
        .map((row) => `photo of ${nameOf((face) => face.image_id === row.id)}`),
    ].toSorted();
  };
  const [name] = readdirSync(site.home.storage).filter((file) => file.endsWith('.keys'));
  return { folder, site, company, list, faces, opening, keyFile: join(site.home.storage, name!) };
}

const allOf = (...names: string[]) =>
  names.flatMap((name) => [`template of ${name}`, `photo of ${name}`]).toSorted();

test('the keys of a face that is deleted from a list are destroyed', OPTIONS, async (t) => {
  const { folder, site, company, list, faces, opening } = await listedSite(t);
  const { blacklists } = site.storage;
  const waiting = 'photo of waiting';
  const everything = [...allOf('anna', 'bert', 'carl'), waiting].toSorted();
  assert.ok(await blacklists.deleteFace(company.id, list.id, faces[1]!.id, TEST_ACT));
  assert.deepEqual(await opening(), everything, 'not destroyed yet');
  await site.storage.refreshKeys();
  assert.deepEqual(await opening(), [...allOf('anna', 'carl'), waiting].toSorted());
  const { changedRows } = (await site.storage.storeHealth.server())!;
  assert.deepEqual(changedRows, []);
  assert.ok(await blacklists.delete(company.id, list.id, TEST_ACT));
  await site.storage.refreshKeys();
  assert.deepEqual(await opening(), []);
  await sql`update deleted_key set content = sha256(content)`.execute(await rowsOf(t, folder));
  const { changedRows: damaged } = (await site.storage.storeHealth.server())!;
  assert.deepEqual(damaged.slice(0, 2), ['deleted_key (id 1)', 'deleted_key (id 2)']);
});

test('a start destroys the keys of what was deleted before it', OPTIONS, async (t) => {
  const { folder, site, company, list, faces, opening, keyFile } = await listedSite(t);
  const earlier = readFileSync(keyFile);
  assert.ok(await site.storage.blacklists.deleteFace(company.id, list.id, faces[1]!.id, TEST_ACT));
  await site.close();
  const rest = [...allOf('anna', 'carl'), 'photo of waiting'].toSorted();
  await (await openErasureSite(folder)).close();
  assert.deepEqual(await opening(), rest);
  // An earlier file of the keys has them once more.
  writeFileSync(keyFile, earlier);
  await (await openErasureSite(folder)).close();
  assert.deepEqual(await opening(), rest);
});

test('the key of the note of a person that a decision dissolves is destroyed', OPTIONS, async (t) => {
  const folder = temporaryFolder(t);
  const site = await openErasureSite(folder);
  t.after(() => site.close());
  const { persons } = site.storage;
  const company = await newCompany(site.storage, folder);
  await enrolPeople(
    site,
    company,
    ['anna', 'bert'].map((name, person) => ({ person, fileName: `${name}.jpg` })),
  );
  const db = await rowsOf(t, folder);
  const faces = await db.selectFrom('face').select('id').orderBy('id').execute();
  const named = [];
  for (const { id: face } of faces) {
    const decision = {
      kind: 'named',
      faces: [{ face, side: 0 }],
      reason: null,
      person: { note: `about ${face}` },
    } as const;
    named.push(await persons.decide(company.id, decision, TEST_ACT));
  }
  const notes = await db.selectFrom('person').selectAll().orderBy('id').execute();
  const [decision] = await persons.decisionsOf(company.id, [faces[1]!.id]);
  await persons.undo(company.id, decision!.id, TEST_ACT);
  await site.storage.refreshKeys();
  assert.equal((await db.selectFrom('person').select('id').execute()).length, 1);
  const cells = cellsOf(await rowsOf(t, folder));
  assert.deepEqual(
    notes.map((row) => cells.opened('person', 'note', { ...row, note: row.note! }) !== undefined),
    [true, false],
  );
});
