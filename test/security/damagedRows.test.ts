/** Rows whose templates cannot be compared: of old damage, of a database that was changed, of a restored backup. */
import { transferPorts } from '../support/transferPorts.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import pg from 'pg';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import type { BlacklistId, FaceId } from '../../core/contracts/ids.ts';
import { ErasureService } from '../../core/domain/erasure/erasureService.ts';
import { TemplateRefused } from '../../core/domain/recognition/faceValidation.ts';
import { BlacklistTransferService } from '../../core/domain/blacklistTransfer/blacklistTransferService.ts';
import { openHome } from '../../core/storage/index.ts';
import { openRaw } from '../../core/storage/engine/sqliteFile.ts';
import { cellsOf } from '../../core/storage/engine/cells.ts';
import { openPostgres } from '../../core/storage/engine/postgres/open.ts';
import { openKeysOf } from '../../core/storage/erasure/keyFile.ts';
import { readKeyFile } from '../../core/storage/engine/home.ts';
import { TEST_ACT } from '../support/act.ts';
import { SILENT_LOG } from '../support/fakes.ts';
import { photoOf } from '../support/people.ts';
import { acceptUpload, faceAlong, newCompany, temporaryStorage, TEST_PIPELINE } from '../support/site.ts';
import { CREATE, dataUri, FINALIZE, SELFIE } from '../api/screeningSite.ts';
import { twoSites, wholeOf, type ExchangeSite } from '../api/blacklistTransfer/sites.ts';
import { TEST_SERVER } from '../support/testServer.ts';
import { enrolItem } from '../support/answerItem.ts';

const DIMENSIONS = 32;
const vectorOf = (person: number) => faceAlong(person, DIMENSIONS).template.vector;
const clock = { now: () => new Date('2026-03-02T12:00:00.000Z') };

/**
 * Writes bytes in the place of a template, as nothing in the product does.
 * @param sealed whether PostgreSQL gets them sealed by the store key; otherwise they cannot be opened there
 */
async function plant({ site }: ExchangeSite, face: number, bytes: Uint8Array, sealed = true): Promise<void> {
  const home = openHome(site.folder);
  const key = readKeyFile(home.keyFile, true);
  if (TEST_SERVER !== undefined) {
    const client = new pg.Client(readFileSync(home.databaseAddress, 'utf8').trim());
    await client.connect();
    const place = { company_id: site.company.id, face_id: face as FaceId, pipeline_id: TEST_PIPELINE };
    const db = await openPostgres(readFileSync(home.databaseAddress, 'utf8').trim(), key);
    await openKeysOf(home, db);
    const stored = sealed ? cellsOf(db).seal('template', 'vector', place, bytes) : Buffer.from(bytes);
    await db.destroy();
    const { rowCount } = await client.query('update template set vector = $1 where face_id = $2', [
      stored,
      face,
    ]);
    await client.end();
    assert.equal(rowCount, 1);
    return;
  }
  const database = openRaw(home.database, key);
  try {
    const change = database.prepare('update template set vector = ? where face_id = ?').run([bytes, face]);
    assert.equal(Number(change.changes), 1);
  } finally {
    database.close();
  }
}

const bytesOf = (vector: Float32Array) => new Uint8Array(vector.buffer);
const DAMAGE: Record<string, Uint8Array> = {
  'one component': bytesOf(Float32Array.of(1)),
  NaN: bytesOf(new Float32Array(DIMENSIONS).fill(NaN)),
  Infinity: bytesOf(vectorOf(3).fill(Infinity, 0, 1)),
  'twice the length': bytesOf(vectorOf(3).map((value) => 2 * value)),
  'half a component': new Uint8Array(4 * DIMENSIONS - 2),
  'no bytes': new Uint8Array(),
};

test('damaged templates end no start, search, erasure, export, backup or undo', async (t) => {
  const { north, south } = await twoSites(t);
  const people = [1, 2, 3, 4, 5];
  const list = await north.newBlacklist('Ferry thieves', { people });
  const { id, target } = await south.taken(await north.exported(list.id, south));
  const own = await south.newBlacklist('Own', { people: [11, 12] });
  const flow = await south.newFlow({ duplicateDetection: { enabled: true, action: 'review' } });
  await south.verify(flow, 21);
  await south.verify(flow, 22);
  const { site } = south;
  const { company } = site;
  const watchlists = [
    { kind: 'duplicate' },
    ...[target.id, own.id].map((each) => ({ kind: 'blacklist', blacklistId: each as BlacklistId }) as const),
  ] as const;
  const find = async (person: number): Promise<FaceId | undefined> => {
    const probe = { pipelineId: site.engine.vision.pipelineId, vector: vectorOf(person) };
    const query = { probe, watchlists, limit: 1, maxDistance: 0.5 };
    return (await site.engine.gallery.search(company.id, query))[0]?.faceId;
  };
  const bad = new Map<number, FaceId>();
  for (const [index, person] of [1, 2, 3, 11, 21, 4].entries()) {
    const face = await find(person);
    assert.ok(face !== undefined, `person ${person}`);
    const [name, bytes] = Object.entries(DAMAGE)[index]!;
    await plant(south, face, bytes, name !== 'no bytes');
    bad.set(person, face);
  }

  await site.restart();
  for (const [person, face] of bad) assert.notEqual(await find(person), face, `person ${person}`);
  for (const person of [5, 12, 22]) assert.ok(await find(person), `person ${person} is found`);
  const reported = site.lines.filter(({ text }) => text.includes('cannot be compared'));
  assert.deepEqual(
    reported.map(({ facts }) => (facts as { face: FaceId }).face).sort((a, b) => a - b),
    [...bad.values()].sort((a, b) => a - b),
  );
  assert.ok(!JSON.stringify(reported).includes('Person'), 'a log has no names');

  const { damaged, faces } = await site.storage.storeHealth.damagedTemplates();
  assert.equal(damaged, bad.size);
  assert.deepEqual(
    faces.map(({ face }) => face).sort((a, b) => a - b),
    [...bad.values()].sort((a, b) => a - b),
  );

  const ports = { ...site.storage, ...site.engine, clock, log: SILENT_LOG };
  const exchange = new BlacklistTransferService({ ...ports, ...transferPorts(site.storage) });
  const exported = await exchange.export(
    company.id,
    { list: own.id, installation: 1, photos: true },
    'local-admin',
  );
  const home = await north.plan(await wholeOf(exported.content));
  assert.equal(home.plan.counts.added, 1, 'the damaged face does not travel');

  await site.storage.installationKeys.setRecovery(new Uint8Array(32).fill(9), TEST_ACT);
  if (TEST_SERVER === undefined) {
    const backup = await site.storage.backups.open(TEST_ACT, '0');
    assert.ok((await wholeOf(backup.content)).length > 1000);
  }

  const service = new ErasureService({ ...ports, blacklistTransfer: exchange });
  const choice = { validations: [], faces: [bad.get(11)!], photos: [], comparisons: [] };
  const plan = await service.plan(company.id, choice);
  await service.run(company.id, { choice, code: plan.code, copies: 'keep' }, TEST_ACT);

  const undone = await exchange.undo(company.id, id!, 'local-admin');
  assert.deepEqual([undone.removed, undone.list], [people.length, 'deleted']);
  assert.equal((await site.storage.storeHealth.damagedTemplates()).damaged, 1, 'the selfie is left');
  await site.restart();
  assert.ok(await find(12));
});

test('a verification whose selfie was damaged is given to a person', async (t) => {
  const { south } = await twoSites(t);
  const { site } = south;
  const flow = await south.newFlow({ duplicateDetection: { enabled: true, action: 'review' } });
  const created = await south.post(CREATE, { template_id: flow });
  const { id } = created.body.verification as { id: string };
  await south.post(SELFIE, { image: dataUri(photoOf(7)), trust_flow_id: flow, trust_validation_id: id });
  await plant(south, 1, DAMAGE.NaN!);
  const answer = await south.post(FINALIZE, { template_id: flow, verification_id: id });
  assert.equal(answer.status, 200, answer.text);
  const state = await site.storage.validations.state(
    site.company.id,
    Number(id) as never,
    site.engine.vision.pipelineId,
  );
  assert.equal(state?.status, TRUST_VALIDATION_STATUS.ReviewNeeded);
});

test('storage refuses an incomparable template from any sender', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const upload = await acceptUpload(storage, company, ['a.jpg', 'b.jpg']);
  const [first, second] = await storage.queue.lease(2);
  const image = { width: 100, height: 100, format: 'jpeg' } as const;
  assert.ok(await enrolItem(storage.queue, first!, { image, face: faceAlong(1, DIMENSIONS) }, clock.now()));
  for (const [what, bytes] of Object.entries(DAMAGE)) {
    if (bytes.length % 4 !== 0) continue;
    const vector = new Float32Array(bytes.slice().buffer);
    const face = { ...faceAlong(1, DIMENSIONS), template: { pipelineId: TEST_PIPELINE, vector } };
    await assert.rejects(
      enrolItem(storage.queue, second!, { image, face }, clock.now()),
      TemplateRefused,
      what,
    );
  }
  const { items } = (await storage.uploads.find(company.id, 'duplicate', upload))!;
  assert.equal(items.filter(({ faceId }) => faceId !== null).length, 1);
  assert.equal((await storage.storeHealth.damagedTemplates()).read, 1);
});
