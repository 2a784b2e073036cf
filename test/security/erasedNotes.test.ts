/** The notes about a person on a PostgreSQL server: what a reader finds there, before and after an erasure. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import pg from 'pg';
import type { FaceId, TrustFlowId, UploadId } from '../../core/contracts/ids.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';
import { RowDamaged, cellsOf, type Cells } from '../../core/storage/engine/cells.ts';
import type { Database } from '../../core/storage/engine/database.ts';
import { TEST_ACT } from '../support/act.ts';
import { failItem } from '../support/answerItem.ts';
import {
  acceptPeople,
  answerAll,
  enrolPeople,
  openErasureSite,
  verifyPerson,
  type ErasureSite,
} from '../support/erasureSite.ts';
import { rowsOf } from '../support/rowsOf.ts';
import { newCompany, temporaryFolder } from '../support/site.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';

const OPTIONS = { skip: WITHOUT_SERVER };

/** The texts about somebody: each begins with the name. */
const TEXTS = ['first note', 'second note', 'reason', 'decision', 'first mark', 'second mark'];

/** Records all of them: notes of a person and of a failed photo that are changed and then taken away, and a decided verification. */
async function writeAbout(
  site: ErasureSite,
  company: Company,
  flow: TrustFlowId,
  { name, person, face }: { name: string; person: number; face: FaceId },
) {
  const { persons, runs } = site.storage;
  const [first, second, reason, note, mark, otherMark] = TEXTS.map((text) => `${name}: ${text}`);
  const faces = [{ face, side: 0 }];
  await persons.decide(
    company.id,
    { kind: 'named', faces, reason: reason!, person: { name, note: first! } },
    TEST_ACT,
  );
  await verifyPerson(site, company, flow, person, { name, metadata: null, note: note! });
  const { id } = (await persons.ofFaces(company.id, [face])).get(face)!;
  const change = async (to: string | null) => {
    const { version } = (await persons.find(company.id, id))!;
    await persons.change(company.id, { id, version }, { note: to }, TEST_ACT);
  };
  const upload = await acceptPeople(site, company, [{ person, fileName: `${name} blurred.jpg` }]);
  const [item] = await site.storage.queue.lease(1);
  await failItem(site.storage, item!, { code: 'NO_FACE' }, site.clock.now());
  const [failure] = await runs.failures(company.id, {}, { limit: 1 });
  const markPhoto = (unfixable: boolean, text: string | null) =>
    runs.setUnfixable(company.id, { ids: [failure!.id], unfixable, note: text }, TEST_ACT);
  await markPhoto(true, mark!);
  return {
    ...{ id, failed: failure!.id, photo: { uploadId: upload, index: 0 } },
    second: async () => {
      await change(second!);
      await markPhoto(true, otherMark!);
    },
    none: async () => {
      await change(null);
      await markPhoto(false, null);
    },
  };
}

/** The cells of notes as they are now, each with what opens it. */
async function notesIn(
  db: Database,
): Promise<{ name: string; text: (cells: Cells) => string | undefined }[]> {
  const persons = await db.selectFrom('person').selectAll().where('note', 'is not', null).execute();
  const decisions = await db
    .selectFrom('person_decision')
    .selectAll()
    .where('reason', 'is not', null)
    .execute();
  const lines = await db
    .selectFrom('validation_history')
    .innerJoin('trust_validation', 'trust_validation.id', 'validation_history.trust_validation_id')
    .selectAll('validation_history')
    .where('note', 'is not', null)
    .execute();
  const photos = await db
    .selectFrom('upload_item')
    .selectAll()
    .where('unfixable_note', 'is not', null)
    .execute();
  const reads: ((cells: Cells) => string | null)[] = [
    ...persons.map((row) => (cells: Cells) => cells.shownText('person', 'note', row)),
    ...decisions.map((row) => (cells: Cells) => cells.shownText('person_decision', 'reason', row)),
    ...lines.map((row) => (cells: Cells) => cells.shownText('validation_history', 'note', row)),
    ...photos.map((row) => (cells: Cells) => cells.shownText('upload_item', 'unfixable_note', row)),
  ];
  const now = cellsOf(db);
  return reads.map((read) => ({
    name: read(now)?.split(':')[0] ?? '',
    text: (cells) => read(cells) ?? undefined,
  }));
}

test('after an erasure the store key opens no note that the server kept', OPTIONS, async (t) => {
  const folder = temporaryFolder(t);
  const site = await openErasureSite(folder);
  const company = await newCompany(site.storage, folder);
  const flow = await site.flows.create(company.id, 'Visitors', {}, 'local-admin');
  const names = ['anna', 'bert'];
  await enrolPeople(
    site,
    company,
    names.map((name, person) => ({ person, fileName: `${name}.jpg` })),
  );
  const db = await rowsOf(t, folder);
  const faces = await db.selectFrom('face').select('id').orderBy('id').execute();
  const written = [];
  for (const [person, name] of names.entries())
    written.push(await writeAbout(site, company, flow.id, { name, person, face: faces[person]!.id }));
  const kept = await notesIn(db);
  for (const { second } of written) await second();
  kept.push(...(await notesIn(db)));
  for (const { none } of written) await none();
  const opening = async () => {
    const cells = cellsOf(await rowsOf(t, folder));
    return new Set(kept.flatMap(({ text }) => text(cells) ?? []));
  };
  const allOf = (...some: string[]) =>
    new Set(some.flatMap((name) => TEXTS.map((text) => `${name}: ${text}`)));
  assert.deepEqual(await opening(), allOf('anna', 'bert'));
  assert.equal((await site.storage.persons.find(company.id, written[1]!.id))?.note, null);

  const found = await site.storage.erasures.byName(company.id, 'bert', 50);
  const validations = found.flatMap(({ kind, id }) => (kind === 'validation' ? [Number(id) as never] : []));
  const choice = { validations, faces: [], photos: [written[1]!.photo], comparisons: [] };
  const plan = await site.service.plan(company.id, choice);
  const begun = await site.storage.erasures.begin(company.id, choice, plan.code, TEST_ACT);
  await site.storage.erasures.finish([begun], 'keep', () => TEST_ACT.at);
  assert.deepEqual(await opening(), allOf('anna'));
  await site.close();
});

test('a reader of the server finds no note, and a moved one is left out and logged', OPTIONS, async (t) => {
  const folder = temporaryFolder(t);
  const site = await openErasureSite(folder);
  const company = await newCompany(site.storage, folder);
  const flow = await site.flows.create(company.id, 'Visitors', {}, 'local-admin');
  await enrolPeople(
    site,
    company,
    ['anna', 'bert'].map((name, person) => ({ person, fileName: `${name}.jpg` })),
  );
  const db = await rowsOf(t, folder);
  const faces = await db.selectFrom('face').select('id').orderBy('id').execute();
  const ids = [];
  for (const [person, { id: face }] of faces.entries()) {
    const about = { name: `person ${person}`, person, face };
    ids.push(await writeAbout(site, company, flow.id, about));
  }
  const client = new pg.Client(readFileSync(site.home.databaseAddress, 'utf8').trim());
  await client.connect();
  t.after(() => client.end());
  for (const table of ['person', 'person_decision', 'validation_history', 'upload_item']) {
    const { rows } = await client.query<{ row: string }>(
      `select convert_from(convert_to(r::text, 'UTF8'), 'UTF8') as row from ${table} r`,
    );
    assert.ok(rows.length > 0);
    const shown = rows.filter(({ row }) =>
      TEXTS.some((text) => row.includes(text) || row.includes(Buffer.from(text).toString('hex'))),
    );
    assert.deepEqual(shown, [], table);
  }
  const [anna, bert] = ids;
  assert.equal((await site.storage.persons.find(company.id, anna!.id))?.note, 'person 0: first note');
  await client.query('update person set note = (select note from person where id = $1) where id = $2', [
    anna!.id,
    bert!.id,
  ]);
  const reported: string[] = [];
  site.storage.reportDamage(({ message }) => reported.push(message));
  const bertNow = (await site.storage.persons.find(company.id, bert!.id))!;
  assert.deepEqual([bertNow.name, bertNow.note], ['person 1', null]);
  const listed = await site.storage.persons.list(company.id, { order: 'newest', limit: 9 });
  assert.deepEqual(
    listed.map(({ note }) => note),
    [null, 'person 0: first note'],
  );
  const replaced = site.storage.persons.change(company.id, bertNow, { note: 'new' }, TEST_ACT);
  await assert.rejects(replaced, RowDamaged);
  const notesOfPhotos = async () =>
    (await site.storage.runs.failures(company.id, {}, { limit: 2 })).map(({ unfixable }) => unfixable?.note);
  assert.deepEqual(await notesOfPhotos(), ['person 1: first mark', 'person 0: first mark']);
  await client.query(
    'update upload_item set unfixable_note = (select unfixable_note from upload_item where id = $1) where id = $2',
    [anna!.failed, bert!.failed],
  );
  assert.deepEqual(await notesOfPhotos(), [null, 'person 0: first mark']);
  for (const table of ['person_decision', 'validation_history']) {
    const column = table === 'person_decision' ? 'reason' : 'note';
    await client.query(`update ${table} set ${column} = sha256(${column}) where ${column} is not null`);
  }
  const decisions = await site.storage.persons.history(company.id, anna!.id);
  assert.deepEqual(
    decisions.flatMap(({ reason }) => reason ?? []),
    [],
  );
  const named = ['person', 'upload_item', 'person_decision'];
  assert.deepEqual(
    reported.map((text) => /table (\w+) of the database \(/.exec(text)?.[1]),
    named,
    'each once',
  );
  const { changedRows } = (await site.storage.storeHealth.server())!;
  for (const table of [...named, 'validation_history'])
    assert.ok(
      changedRows.some((row) => row.startsWith(`${table} (`)),
      table,
    );
  await site.close();
});

test('every copy of the reason of a listed face is sealed and goes with the face', OPTIONS, async (t) => {
  const folder = temporaryFolder(t);
  const site = await openErasureSite(folder);
  t.after(() => site.close());
  const company = await newCompany(site.storage, folder);
  const list = await site.storage.blacklists.create(
    company.id,
    { name: 'Banned', description: null },
    TEST_ACT,
  );
  const settings = {
    blacklistDetection: { enabled: true, blacklistIds: [list.id], action: 'review' },
  } as const;
  const flow = await site.flows.create(company.id, 'Gate', settings, 'local-admin');
  const reason = 'took a bicycle';
  await acceptPeople(site, company, [{ person: 1, fileName: 'anna.jpg' }], list.id, reason);
  const db = await rowsOf(t, folder);
  const uploads = () => db.selectFrom('upload').selectAll().where('listing', 'is not', null).execute();
  const kept = {
    first: (await uploads())[0]!,
    later: undefined as Awaited<ReturnType<typeof uploads>>[0] | undefined,
  };
  await answerAll(site);
  assert.deepEqual(await uploads(), [], 'no photo of it can be corrected');
  const waiting = await acceptPeople(site, company, [{ person: 2, fileName: 'bert.jpg' }], list.id, reason);
  [kept.later] = await uploads();
  const validation = await verifyPerson(site, company, flow.id, 1, {
    name: 'Anna',
    metadata: null,
    note: 'no',
  });
  const [match] = await site.storage.views.matches(company.id, validation);
  assert.equal(match?.reason, reason);
  const [face] = await site.storage.views.faceImages(company.id, [match.faceId]);
  assert.equal(face?.listing?.reason, reason);
  const faces = await db.selectFrom('face').selectAll().where('reason', 'is not', null).execute();
  const matches = await db.selectFrom('screening_match').selectAll().execute();
  assert.deepEqual([faces.length, matches.length], [1, 1]);
  const client = new pg.Client(readFileSync(site.home.databaseAddress, 'utf8').trim());
  await client.connect();
  t.after(() => client.end());
  for (const table of ['face', 'screening_match', 'upload']) {
    const { rows } = await client.query<{ row: string }>(`select r::text as row from ${table} r`);
    const found = rows.some(({ row }) =>
      [reason, Buffer.from(reason).toString('hex')].some((text) => row.includes(text)),
    );
    assert.ok(!found && rows.length > 0, table);
  }
  const opening = async () => {
    await site.storage.refreshKeys();
    const cells = cellsOf(await rowsOf(t, folder));
    return {
      face: cells.shownText('face', 'reason', faces[0]!),
      match: cells.shownText('screening_match', 'reason', matches[0]!),
      first: cells.shownText('upload', 'listing', kept.first),
      later: cells.shownText('upload', 'listing', kept.later!)?.includes(reason),
    };
  };
  assert.deepEqual(await opening(), { face: reason, match: reason, first: null, later: true });
  const erase = async (choice: { faces?: FaceId[]; photos?: { uploadId: UploadId; index: number }[] }) => {
    const whole = { validations: [], faces: [], photos: [], comparisons: [], ...choice };
    const plan = await site.service.plan(company.id, whole);
    const begun = await site.storage.erasures.begin(company.id, whole, plan.code, TEST_ACT);
    await site.storage.erasures.finish([begun], 'keep', () => TEST_ACT.at);
  };
  await erase({ faces: [match.faceId] });
  assert.deepEqual(await opening(), { face: null, match: null, first: null, later: true });
  assert.equal((await site.storage.views.matches(company.id, validation))[0]?.reason, null);
  await erase({ photos: [{ uploadId: waiting, index: 0 }] });
  assert.deepEqual(await opening(), { face: null, match: null, first: null, later: undefined });
});
