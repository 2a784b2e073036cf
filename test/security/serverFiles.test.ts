/** Somebody who reads the files of the PostgreSQL server: its tables, its log and what an erasure leaves there. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import type { ImageId, UploadId } from '../../core/contracts/ids.ts';
import { cellsOf, type Cells } from '../../core/storage/engine/cells.ts';
import type { Database } from '../../core/storage/engine/database.ts';
import { openHome } from '../../core/storage/index.ts';
import { TEST_ACT } from '../support/act.ts';
import { failItem } from '../support/answerItem.ts';
import { rowsOf } from '../support/rowsOf.ts';
import { faceAlong, newCompany, temporaryFolder, temporaryStorage, TEST_PIPELINE } from '../support/site.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';

test('the files of a server show no face and no digest', { skip: WITHOUT_SERVER }, async (t) => {
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

  const comparison = await storage.faceComparisons.record(company.id, {
    ...{ templateId: 'a', verificationId: 'b', credential: 'service', at: TEST_ACT.at, similarity: 90 },
    ...{ verdict: 'MATCH', thresholds: { match: 80, possibleMatch: 60 }, modelVersion: 'one' },
    ...{ reasons: {}, sha256: { image1: 'a'.repeat(64), image2: 'b'.repeat(64) } },
  });
  const rows = await rowsOf(t, folder);
  const cells = await cellsOnServer(rows);
  assert.equal(cells.length, 5);
  const backup = join(temporaryFolder(t), 'backup');
  for (const from of await foldersOf(client)) cpSync(from, join(backup, basename(from)), { recursive: true });
  const ciphertexts = new Map(cells.map(({ what, bytes }) => [what, bytes.subarray(0, 64)]));
  const all = cells.map(({ what }) => what).toSorted();
  const opening = async () => {
    const keys = cellsOf(await rowsOf(t, folder));
    return cells.filter(({ opens }) => opens(keys)).map(({ what }) => what);
  };
  assert.deepEqual((await opening()).toSorted(), all);

  const choice = {
    validations: [id],
    faces: [],
    photos: [{ uploadId: upload, index: 0 }],
    comparisons: [comparison],
  };
  const plan = await storage.erasures.plan(company.id, choice);
  const begun = await storage.erasures.begin(company.id, choice, plan.code, TEST_ACT);
  await storage.erasures.finish([begun], 'keep', () => clock.now());
  needles.delete('the name');
  assert.deepEqual(await foundIn(client, needles), []);
  // The log and an earlier copy of the files have the ciphertexts. No key of them is left.
  assert.deepEqual((await foundIn(client, ciphertexts)).toSorted(), all);
  const copies = readdirSync(backup).map((copied) => join(backup, copied));
  assert.deepEqual(foundInFolders(copies, ciphertexts).toSorted(), all);
  assert.deepEqual(await opening(), []);
});

interface KeptCell {
  what: string;
  bytes: Buffer;
  /** Whether it opens with the store key and the keys of now. */
  opens: (cells: Cells) => boolean;
}

/** The cells that show a person, as the server has them. */
async function cellsOnServer(rows: Database): Promise<KeptCell[]> {
  const cell = (what: string, content: unknown, opens: KeptCell['opens']): KeptCell => ({
    what,
    bytes: Buffer.from(content as Uint8Array),
    opens,
  });
  const template = await rows.selectFrom('template').selectAll().executeTakeFirstOrThrow();
  const thumbnail = await rows.selectFrom('face_thumbnail').selectAll().executeTakeFirstOrThrow();
  const image = await rows.selectFrom('image').selectAll().executeTakeFirstOrThrow();
  const comparison = await rows.selectFrom('comparison').selectAll().executeTakeFirstOrThrow();
  const photo = await rows.selectFrom('upload_item').selectAll().executeTakeFirstOrThrow();
  return [
    cell('template', template.vector, (cells) => cells.opened('template', 'vector', template) !== undefined),
    cell(
      'thumbnail',
      thumbnail.jpeg,
      (cells) => cells.opened('face_thumbnail', 'jpeg', thumbnail) !== undefined,
    ),
    cell('image key', image.key, (cells) => cells.opened('image', 'key', image) !== undefined),
    cell(
      'comparison',
      comparison.content,
      (cells) => cells.opened('comparison', 'content', comparison) !== undefined,
    ),
    cell(
      'note of a failed photo',
      photo.unfixable_note,
      (cells) =>
        cells.opened('upload_item', 'unfixable_note', { ...photo, unfixable_note: photo.unfixable_note! }) !==
        undefined,
    ),
  ];
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
