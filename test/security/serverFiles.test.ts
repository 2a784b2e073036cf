/** Somebody who reads the files of the PostgreSQL server: its tables, its log and what an erasure leaves there. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import { sql, type Kysely } from 'kysely';
import type { FaceId, ImageId, UploadId } from '../../core/contracts/ids.ts';
import { cellsOf, type Cells } from '../../core/storage/engine/cells.ts';
import { OF_CELLS, OF_FACES } from '../../core/storage/engine/cellTables.ts';
import type { Database } from '../../core/storage/engine/database.ts';
import type { Schema } from '../../core/storage/engine/schema.ts';
import { openHome } from '../../core/storage/index.ts';
import type { NewCaseEntry } from '../../core/storage/persons/caseFolders.ts';
import { TEST_ACT } from '../support/act.ts';
import { failItem } from '../support/answerItem.ts';
import {
  acceptPeople,
  enrolPeople,
  openErasureSite,
  verifyPerson,
  type ErasureSite,
} from '../support/erasureSite.ts';
import { examineSignatures } from '../support/examinedSignatures.ts';
import { rowsOf } from '../support/rowsOf.ts';
import { faceAlong, newCompany, temporaryFolder, temporaryStorage, TEST_PIPELINE } from '../support/site.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';

const OPTIONS = { skip: WITHOUT_SERVER };

test('the files of a server show no face and no digest', OPTIONS, async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const { id: flowId } = await storage.flows.create(company.id, 'Gate', {}, 'local-admin');
  const flow = await storage.flows.find(company.id, flowId);
  const image = {
    ...{ id: randomUUID() as ImageId, key: randomBytes(32), bytes: 1, format: 'jpeg' as const },
    sha256: randomBytes(32).toString('hex'),
  };
  const raw = Array.from(randomBytes(128), (byte) => byte - 127.5);
  const length = Math.hypot(...raw);
  const vector = Float32Array.from(raw, (component) => component / length);
  const thumbnail = randomBytes(2_000);
  const name = `name ${randomUUID()}`;
  const { id } = await storage.validations.create(
    company.id,
    { trustFlowId: flowId, versionId: flow!.version!.id, metadata: null },
    TEST_ACT,
  );
  const face = { ...faceAlong(0), template: { pipelineId: TEST_PIPELINE, vector }, thumbnail };
  const facts = { width: 100, height: 100, format: 'jpeg' as const };
  const kept = await storage.validations.setSelfie(
    company.id,
    id,
    { image, facts, face, onePerson: false, name, matchable: true },
    TEST_ACT,
  );
  const outcome = {
    status: TRUST_VALIDATION_STATUS.Verified,
    matches: [],
    facts: null,
    createdAt: TEST_ACT.at,
  };
  await storage.validations.finalise(company.id, id, { ...outcome, selfies: [kept!.faceId] }, TEST_ACT);
  const secret = `vouch_key_${randomUUID()}`;
  const key = { name: 'gate', userId: 'user_gate', secret, profile: 'v1', scopes: [] } as const;
  await storage.hmacKeys.create(company.id, { ...key, expiresAt: null }, TEST_ACT);

  const photoNote = `note ${randomUUID()}`;
  const upload = randomUUID() as UploadId;
  const blank = await storage.images.write(company.id, 'jpeg', ReadableStream.from([randomBytes(100)]));
  await storage.uploads.accept(company.id, {
    id: upload,
    target: { kind: 'duplicate', trustFlowId: await storage.companies.systemTrustFlow(company.id) },
    accepted: { by: 'local-admin', at: clock.now() },
    images: [{ fileName: 'blank.jpg', image: blank, person: null }],
  });
  const [item] = await storage.queue.lease(1);
  await failItem(storage, item!, { code: 'NO_FACE' }, clock.now());
  const ids = (await storage.runs.failures(company.id, {}, { limit: 1 })).map((failed) => failed.id);
  await storage.runs.setUnfixable(company.id, { ids, unfixable: true, note: photoNote }, TEST_ACT);

  const client = new pg.Client(readFileSync(openHome(folder).databaseAddress, 'utf8').trim());
  await client.connect();
  t.after(() => client.end());
  const needles = new Map<string, Buffer>([
    ['the template', Buffer.from(vector.buffer, 0, 64)],
    ['the thumbnail', thumbnail.subarray(500, 564)],
    ['the key of the image', image.key],
    ['the digest of the image', Buffer.from(image.sha256, 'hex')],
    ['the secret of a signing key', Buffer.from(secret)],
    ['the note of a failed photo', Buffer.from(photoNote)],
    ['the name', Buffer.from(name)],
  ]);
  // The page of the guide about erasures on PostgreSQL says what remains: names.
  assert.deepEqual(await foundIn(client, needles), ['the name']);

  const choice = { validations: [id], faces: [], photos: [{ uploadId: upload, index: 0 }], comparisons: [] };
  const plan = await storage.erasures.plan(company.id, choice);
  const begun = await storage.erasures.begin(company.id, choice, plan.code, TEST_ACT);
  await storage.erasures.finish([begun], 'keep', () => clock.now());
  needles.delete('the name');
  assert.deepEqual(await foundIn(client, needles), []);
});

/** Every column whose values an erasure closes, as table.column. */
const ERASABLE = [
  ...OF_FACES,
  ...Object.entries(OF_CELLS).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
].toSorted();

test('an erasure closes every sealed column, also in the log and in a copy', OPTIONS, async (t) => {
  const folder = temporaryFolder(t);
  const site = await openErasureSite(folder);
  t.after(() => site.close());
  const rows = await rowsOf(t, folder);
  const { company, choice, texts } = await recordEverything(site, rows);
  const client = new pg.Client(readFileSync(openHome(folder).databaseAddress, 'utf8').trim());
  await client.connect();
  t.after(() => client.end());
  assert.deepEqual(await foundIn(client, new Map(texts.map((text) => [text, Buffer.from(text)]))), []);

  const cells = await cellsOnServer(rows);
  assert.deepEqual([...new Set(cells.map(({ what }) => what))].toSorted(), ERASABLE);
  const backup = join(temporaryFolder(t), 'backup');
  for (const from of await foldersOf(client)) cpSync(from, join(backup, basename(from)), { recursive: true });
  const ciphertexts = new Map(cells.map(({ what, bytes }, i) => [`${what} ${i}`, bytes.subarray(0, 64)]));
  const all = [...ciphertexts.keys()].toSorted();
  const opening = async () => {
    await site.storage.refreshKeys();
    const keys = cellsOf(await rowsOf(t, folder));
    return cells.filter(({ opens }) => opens(keys)).map(({ what }) => what);
  };
  assert.equal((await opening()).length, cells.length);

  const plan = await site.service.plan(company.id, choice);
  const begun = await site.storage.erasures.begin(company.id, choice, plan.code, TEST_ACT);
  await site.storage.erasures.finish([begun], 'keep', () => TEST_ACT.at);
  // The log and an earlier copy of the files have the ciphertexts. No key of them is left.
  assert.deepEqual((await foundIn(client, ciphertexts)).toSorted(), all);
  const copies = readdirSync(backup).map((copied) => join(backup, copied));
  assert.deepEqual(foundInFolders(copies, ciphertexts).toSorted(), all);
  assert.deepEqual(await opening(), []);
});

/** Records whatever the store keeps about one person. @returns what erases it, and texts that no reader may find */
async function recordEverything(site: ErasureSite, rows: Kysely<Schema>) {
  const { storage } = site;
  const company = await newCompany(storage, site.home.folder);
  const said = (what: string) => `${what} ${randomUUID()}`;
  const texts = ['reason', 'photo', 'decision', 'note', 'verdict', 'case note', 'case file', 'cheque'].map(
    said,
  );
  const [reason, photo, decision, note, verdict, caseNote, caseFile, cheque] = texts as [string, ...string[]];
  const list = await storage.blacklists.create(company.id, { name: 'Banned', description: null }, TEST_ACT);
  const detection = { enabled: true, blacklistIds: [list.id], action: 'review' } as const;
  const flow = await site.flows.create(company.id, 'Gate', { blacklistDetection: detection }, 'local-admin');
  const failing = await acceptPeople(site, company, [{ person: 1, fileName: 'blurred.jpg' }]);
  const [item] = await storage.queue.lease(1);
  await failItem(storage, item!, { code: 'NO_FACE' }, site.clock.now());
  const ids = (await storage.runs.failures(company.id, {}, { limit: 1 })).map((failed) => failed.id);
  await storage.runs.setUnfixable(company.id, { ids, unfixable: true, note: photo! }, TEST_ACT);
  await enrolPeople(site, company, [{ person: 1, fileName: 'anna.jpg' }]);
  await enrolPeople(site, company, [{ person: 1, fileName: 'anna again.jpg' }], list.id, reason);
  const person = { name: 'Anna', metadata: null, note: verdict! };
  const verified = await verifyPerson(site, company, flow.id, 1, person);
  const waiting = await acceptPeople(site, company, [{ person: 1, fileName: 'waits.jpg' }], list.id, reason);
  const faces = await rows.selectFrom('face').selectAll().orderBy('id').execute();
  const [first, listed] = faces;
  const named = [{ face: first!.id, side: 0 }];
  await storage.persons.decide(
    company.id,
    { kind: 'named', faces: named, reason: decision!, person: { name: 'Anna', note: note! } },
    TEST_ACT,
  );
  await storage.examinations.begin(company.id, [first!.id, listed!.id], TEST_ACT);
  const folder = await storage.caseFolders.open(
    company.id,
    { reference: '1', title: 'Loan', note: '' },
    TEST_ACT,
  );
  const add = (entry: NewCaseEntry) => storage.caseFolders.add(company.id, folder, entry, TEST_ACT);
  await add({ kind: 'candidate', face: first!.id });
  await add({ kind: 'note', text: caseNote!, about: 2 });
  const bytes = Buffer.from(caseFile!);
  await add({ kind: 'file', file: { type: 'application/pdf', name: 'a.pdf', bytes }, about: 2 });
  const comparison = await storage.faceComparisons.record(company.id, {
    ...{ templateId: 'a', verificationId: 'b', credential: 'service', at: TEST_ACT.at, similarity: 90 },
    ...{ verdict: 'MATCH', thresholds: { match: 80, possibleMatch: 60 }, modelVersion: 'one' },
    ...{ reasons: {}, sha256: { image1: 'a'.repeat(64), image2: 'b'.repeat(64) } },
  });
  const signatures = await examineSignatures(storage, company.id, [cheque!, 'b.png'], randomBytes(64));
  // A service writes these as it enrols a face record, and in its turn.
  const { company_id, image_id } = first!;
  const original = cellsOf(rows).seal('image', 'original', { company_id, id: image_id }, randomBytes(32));
  await rows.updateTable('image').set({ original }).where('id', '=', image_id).execute();
  const snapshot = { company_id, pipeline_id: TEST_PIPELINE, node: 'one', up_to_face: first!.id };
  const content = cellsOf(rows).seal('gallery_snapshot', 'content', snapshot, randomBytes(32));
  await rows
    .insertInto('gallery_snapshot')
    .values({ ...snapshot, after_face: (first!.id - 1) as FaceId, content })
    .execute();
  const choice = {
    validations: [first!.trust_validation_id!, verified],
    faces: [listed!.id],
    photos: [failing, waiting].map((uploadId) => ({ uploadId, index: 0 })),
    comparisons: [comparison, signatures.comparison],
  };
  return { company, choice, texts };
}

interface KeptCell {
  what: string;
  bytes: Buffer;
  /** Whether it opens with the store key and the keys of now. */
  opens: (cells: Cells) => boolean;
}

/** The cells that show a person, as the server has them. */
async function cellsOnServer(rows: Database): Promise<KeptCell[]> {
  const found: KeptCell[] = [];
  for (const what of ERASABLE) {
    const [table = '', column = ''] = what.split('.');
    const { rows: kept } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where ${sql.ref(column)} is not null
      ${table === 'case_entry' ? sql`and face_id is not null` : sql``}`.execute(rows);
    for (const row of kept) {
      const others = Object.entries(row).filter(
        ([name, value]) => [column, 'code'].includes(name) || !(value instanceof Uint8Array),
      );
      const opens = (cells: Cells) => cells.faultOf(table, Object.fromEntries(others)) === undefined;
      found.push({ what, bytes: Buffer.from(row[column] as Uint8Array), opens });
    }
  }
  return found;
}

/** The folders of the database and of the log of the server. */
async function foldersOf(client: pg.Client): Promise<string[]> {
  await client.query('checkpoint');
  const { rows } = await client.query<{ data: string; oid: number }>(
    `select current_setting('data_directory') as data, oid from pg_database where datname = current_database()`,
  );
  const { data, oid } = rows[0]!;
  return [join(data, 'base', String(oid)), join(data, 'pg_wal')];
}

/** The needles that stand, as bytes or as digits, in a file of the database or of the log of the server. */
async function foundIn(client: pg.Client, needles: ReadonlyMap<string, Buffer>): Promise<string[]> {
  return foundInFolders(await foldersOf(client), needles);
}

function foundInFolders(folders: readonly string[], needles: ReadonlyMap<string, Buffer>): string[] {
  const found = new Set<string>();
  for (const folder of folders)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const content = readFileSync(join(folder, entry.name));
      for (const [what, bytes] of needles)
        if (content.includes(bytes) || content.includes(bytes.toString('hex'))) found.add(what);
    }
  return [...found];
}
