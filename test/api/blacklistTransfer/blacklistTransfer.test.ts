import { CodedError } from '../../../core/contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import type { BlacklistId, PipelineId, TrustValidationId } from '../../../core/contracts/ids.ts';
import { ErasureService } from '../../../core/domain/erasure/erasureService.ts';
import { TEST_ACT } from '../../support/act.ts';
import { SILENT_LOG } from '../../support/fakes.ts';
import { TestClock } from '../../support/site.ts';
import { decrypted, reencrypted, withManifestOf } from './forgery.ts';
import { TEST_SERVER } from '../../support/testServer.ts';
import { contentsOf, openExchangeSite, trust, twoSites, type ExchangeSite } from './sites.ts';
import { WAITING_TIME } from '../../../core/domain/blacklistTransfer/planning.ts';

const refusedWith = (words: RegExp) => (error: unknown) =>
  error instanceof CodedError && words.test(error.message);

async function listsOf({ site }: ExchangeSite) {
  return (await site.storage.blacklists.list(site.company.id, { offset: 0, limit: 100 })).rows;
}

test('a transferred list matches at the other installation, with its photos', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1, 2, 3] });
  const { storage, company } = north.site;
  const photos = await storage.blacklists.photos(company.id, list.id, { limit: 2 });
  const faces = photos.map(({ faceId }) => ({ face: faceId!, side: 0 }));
  const person = { name: 'canary name', note: 'canary note', externalId: 'canary id' };
  const decision = { kind: 'same', faces, reason: 'canary reason', person } as const;
  await storage.persons.decide(company.id, decision, TEST_ACT);
  const bundle = await north.exported(list.id, south);
  const content = await buffer(await decrypted(bundle, south));
  assert.ok(content.includes('Person 1') && !content.includes('canary'), 'persons stay at their site');
  for (const secret of ['Ferry', 'Person', 'person 1'])
    assert.ok(!bundle.includes(secret), `${secret} can be read without a key`);

  const { plan } = await south.plan(bundle);
  assert.deepEqual(plan.counts, { added: 3, renamed: 0, held: 0, elsewhere: 0, own: 0, gone: 0 });
  assert.deepEqual(plan.target, { id: null, name: 'Ferry thieves' });
  assert.deepEqual(await listsOf(south), [], 'a plan touches nothing');

  const { target, counts } = await south.taken(bundle);
  assert.equal(counts.added, 3);
  const arrived = target.id as BlacklistId;
  assert.deepEqual(await contentsOf(south, arrived), {
    names: ['Person 1', 'Person 2', 'Person 3'],
    matched: 3,
    files: 3,
  });
  const flow = await south.newFlow({
    blacklistDetection: { enabled: true, blacklistIds: [arrived], action: 'review' },
  });
  assert.match(JSON.stringify(await south.verify(flow, 2)), /Person 2/);
  assert.equal(await south.site.storage.persons.count(south.site.company.id, {}), 0);
});

test('without photos the small pictures go, and they go on from there', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1] });
  const { plan } = await south.plan(await north.exported(list.id, south, false));
  assert.equal(plan.withoutPhoto, 1);
  const { target } = await south.taken(await north.exported(list.id, south, false));
  const { storage, company } = south.site;
  const [arrived] = await storage.blacklists.photos(company.id, target.id as BlacklistId, { limit: 1 });
  const [shown] = await storage.views.faceImages(company.id, [arrived!.faceId!]);
  assert.deepEqual([shown?.width, shown?.height], [160, 160], 'a search can show it');
  const third = await openExchangeSite(t);
  await trust(third, south);
  const again = await third.taken(await south.exported(target.id as BlacklistId, third, true));
  assert.equal(again.counts.added, 1);
  assert.equal((await contentsOf(third, again.target.id as BlacklistId)).matched, 1);
});

test('the same package again changes nothing; a newer one adds, an older is refused', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1, 2] });
  const first = await north.exported(list.id, south);
  const { target } = await south.taken(first);
  const again = await south.taken(first);
  assert.deepEqual([again.id, again.target], [null, target]);
  assert.equal((await south.site.storage.transferStore.imports(south.site.company.id)).length, 1);
  const other = await south.newBlacklist('Another list', { people: [9] });
  await assert.rejects(
    south.plan(first, other.id),
    refusedWith(new RegExp(`already imported into blacklist ${target.id}, as import`)),
    'into another list: it is not what was asked for, and no face is gone at the sender',
  );
  assert.equal((await south.plan(first, target.id as BlacklistId)).plan.importedAs, 1);

  await north.fill(list.id, [3]);
  const newer = await north.exported(list.id, south);
  const { plan: elsewhere } = await south.plan(newer, other.id);
  assert.deepEqual([elsewhere.counts.elsewhere, elsewhere.counts.gone], [2, 0]);
  const { counts, target: same } = await south.taken(newer);
  assert.deepEqual(same, target);
  assert.deepEqual([counts.added, counts.held], [1, 2]);
  await assert.rejects(
    south.plan(first),
    refusedWith(/A newer package of the same list .* was already imported/),
  );
  assert.equal((await contentsOf(south, target.id as BlacklistId)).matched, 3);
});

test('who is not on the list any more is named and stays: a person decides', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1, 2] });
  const { target } = await south.taken(await north.exported(list.id, south));
  const photos = await north.site.storage.blacklists.photos(north.site.company.id, list.id, { limit: 5 });
  const erased = photos.find(({ name }) => name === 'Person 2');
  await north.service.deleteFace(north.site.company.id, list.id, erased!.faceId!);
  const { plan } = await south.plan(await north.exported(list.id, south));
  assert.deepEqual(plan.counts, { added: 0, renamed: 0, held: 1, elsewhere: 0, own: 0, gone: 1 });
  assert.deepEqual(plan.examples, [{ change: 'gone', name: 'Person 2', before: null }]);
  await south.taken(await north.exported(list.id, south));
  assert.equal((await contentsOf(south, target.id as BlacklistId)).matched, 2);
});

test('a face that its sender lists differently is named, and stays as it is here', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1, 2] });
  const { target } = await south.taken(await north.exported(list.id, south));
  const { plan: same } = await south.plan(await north.exported(list.id, south));
  assert.deepEqual(same.listedOtherwise, { count: 0, faces: [] });
  const { storage, company } = north.site;
  const [listed] = await facesIn(north, list.id);
  const edit = { severity: 'stop', reason: 'Armed', expiresAt: '2027-01-01T00:00:00.000Z' } as const;
  await storage.faceListings.change(company.id, list.id, [listed!.faceId], edit, TEST_ACT);
  const { name } = listed!;
  const there = async () =>
    (await facesIn(south, target.id as BlacklistId)).find((face) => face.name === name)!;
  const here = await there();
  const result = await south.taken(await north.exported(list.id, south));
  assert.deepEqual(result.listedOtherwise, {
    count: 1,
    faces: [{ faceId: here.faceId, blacklistId: target.id, name, here: here.listing, there: edit }],
  });
  assert.deepEqual((await there()).listing, here.listing);
});

test('a reverted import removes its list, faces, templates and files, and no others', async (t) => {
  const { north, south } = await twoSites(t);
  const own = await south.newBlacklist('Own', { people: [9] });
  const before = await contentsOf(south, own.id);
  const list = await north.newBlacklist('Ferry thieves', { people: [1, 2] });
  const { id, target } = await south.taken(await north.exported(list.id, south));
  const company = south.site.company.id;
  const undone = await south.undone(id!);
  assert.deepEqual(undone, {
    removed: 2,
    renamedBack: 0,
    heldByOthers: 0,
    inReview: { count: 0, names: [] },
    list: 'deleted',
  });
  assert.deepEqual(await contentsOf(south, own.id), before);
  assert.equal((await contentsOf(south, target.id as BlacklistId)).matched, 0);
  await assert.rejects(south.exchange.undo(company, id!, 'local-admin'), refusedWith(/already undone/));
  await assert.rejects(south.exchange.undo(company, 999, 'local-admin'), new CodedError('NOT_FOUND'));
  const again = await south.taken(await north.exported(list.id, south));
  assert.equal(again.counts.added, 2, 'a reverted list can be imported again');
});

test('faces that a later import brought too stay until that import is reverted', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1] });
  const first = await south.taken(await north.exported(list.id, south));
  await north.fill(list.id, [2]);
  const second = await south.taken(await north.exported(list.id, south));
  const undone = await south.undone(first.id!);
  assert.deepEqual([undone.removed, undone.heldByOthers, undone.list], [0, 1, 'not-empty']);
  assert.equal((await contentsOf(south, first.target.id as BlacklistId)).matched, 2);
  const rest = await south.undone(second.id!);
  assert.deepEqual([rest.removed, rest.list], [2, 'deleted']);
});

test('a transferred person is erased completely, and undo removes the rest', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1, 2] });
  const bundle = await north.exported(list.id, south);
  const { id, target } = await south.taken(bundle);
  const { storage, company, engine } = south.site;
  const clock = new TestClock();
  const erasing = { ...storage, ...engine, clock, log: SILENT_LOG, blacklistTransfer: south.exchange };
  const service = new ErasureService(erasing);
  const arrived = target.id as BlacklistId;
  const photos = await storage.blacklists.photos(company.id, arrived, { limit: 5 });
  const { faceId } = photos.find(({ name }) => name === 'Person 2')!;
  await north.fill(list.id, [3]);
  const newer = await north.exported(list.id, south);
  const { packageId: waiting } = await south.plan(newer);

  const choice = { validations: [], faces: [faceId!], photos: [], comparisons: [] };
  const plan = await service.plan(company.id, choice);
  const [source, ...others] = plan.sources;
  assert.deepEqual([source?.list, others], ['Ferry thieves', []]);
  const done = await service.run(company.id, { choice, code: plan.code, copies: 'keep' }, TEST_ACT);
  assert.ok(done.receipt !== null);
  const { proof, files, unreached } = done.receipt.receipt;
  assert.deepEqual(
    unreached.filter(({ what }) => what === 'source').map(({ which }) => which),
    [`list "Ferry thieves" of the installation "${source!.installation}"`],
    'the next bundle brings the face again, as below',
  );
  assert.equal(files.images, 1);
  // The pages of a server are not searched.
  if (TEST_SERVER === undefined) assert.deepEqual([proof?.found, proof?.shared], [0, 0]);
  else assert.equal(proof, null);
  const one = { names: ['Person 1'], matched: 1, files: 1 };
  assert.deepEqual(await contentsOf(south, arrived), one);
  await assert.rejects(
    south.exchange.import(company.id, waiting, {}, 'local-admin'),
    new CodedError('NOT_FOUND'),
    'it waits no more',
  );

  const { plan: next } = await south.plan(newer);
  assert.deepEqual([next.counts.added, next.counts.held], [2, 1], 'as a new one, which the plan says');
  const undone = await south.exchange.undo(company.id, id!, 'local-admin');
  assert.deepEqual([undone.removed, undone.list], [1, 'deleted']);
});

test('a face that an open case names stays until the case is decided', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1, 2] });
  const { id, target } = await south.taken(await north.exported(list.id, south));
  const flow = await south.newFlow({
    blacklistDetection: { enabled: true, blacklistIds: [target.id], action: 'review' },
  });
  const found = await south.verify(flow, 1);
  const { storage, company } = south.site;
  const undone = await south.undone(id!);
  assert.ok(undone);
  assert.deepEqual(undone.inReview, { count: 1, names: ['Person 1'] });
  assert.deepEqual([undone.removed, undone.list], [1, 'not-empty']);
  const decision = {
    seen: TRUST_VALIDATION_STATUS.ReviewNeeded,
    status: TRUST_VALIDATION_STATUS.Rejected,
    action: 'rejected',
    note: 'Seen.',
  } as const;
  const validation = found.id as TrustValidationId;
  assert.equal(await storage.validations.decide(company.id, validation, decision, TEST_ACT), 'decided');
  const rest = await south.undone(id!);
  assert.deepEqual([rest.removed, rest.inReview.count, rest.list], [1, 0, 'in-use']);
});

test('a face that comes home, or came by another way, is not taken twice', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1, 2] });
  const { target } = await south.taken(await north.exported(list.id, south));
  await south.fill(target.id as BlacklistId, [3]);
  const back = await north.plan(await south.exported(target.id as BlacklistId, north), list.id);
  assert.deepEqual(back.plan.counts, { added: 1, renamed: 0, held: 0, elsewhere: 0, own: 2, gone: 0 });

  const third = await openExchangeSite(t);
  await trust(third, north);
  await trust(third, south);
  await third.taken(await north.exported(list.id, third));
  const mine = await third.newBlacklist('From the south');
  const { plan } = await third.plan(await south.exported(target.id as BlacklistId, third), mine.id);
  assert.deepEqual([plan.counts.elsewhere, plan.counts.added], [2, 1]);
});

test('only the site that enrolled a face renames it, and the name comes back with undo', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1] });
  const { target } = await south.taken(await north.exported(list.id, south));
  // Nothing of the product renames a face yet; a later version, or another program, may.
  const page = north.site.storage.transferStore.faces.bind(north.site.storage.transferStore);
  t.mock.method(
    north.site.storage.transferStore,
    'faces',
    async function* (...given: Parameters<typeof page>) {
      for await (const faces of page(...given)) yield faces.map((face) => ({ ...face, name: 'Anna Alias' }));
    },
  );
  const bundle = await north.exported(list.id, south);
  const { plan } = await south.plan(bundle);
  assert.deepEqual(plan.examples, [{ change: 'renamed', name: 'Anna Alias', before: 'Person 1' }]);
  const { id } = await south.taken(bundle);
  const [face] = await facesIn(south, target.id as BlacklistId);
  assert.equal(face?.name, 'Anna Alias');
  const undone = await south.undone(id!);
  assert.equal(undone.renamedBack, 1);
  assert.equal((await facesIn(south, target.id as BlacklistId))[0]?.name, 'Person 1');
});

test('a person who is enrolled after an export was recorded is not in it', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1] });
  const { transferStore } = north.site.storage;
  const recordExport = transferStore.recordExport.bind(transferStore);
  t.mock.method(transferStore, 'recordExport', async (...given: Parameters<typeof recordExport>) => {
    await recordExport(...given);
    await north.fill(list.id, [2]);
  });
  const { plan } = await south.plan(await north.exported(list.id, south));
  assert.equal(plan.counts.added, 1);
});

async function facesIn({ site: { storage, company } }: ExchangeSite, list: BlacklistId) {
  const last = await storage.transferStore.lastFace(company.id, list);
  for await (const page of storage.transferStore.faces(company.id, list, last)) return page;
  return [];
}

test('templates of another pipeline are extracted from the photos or refused', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1, 2] });
  const other = 'another/1' as PipelineId;
  const page = north.site.storage.transferStore.faces.bind(north.site.storage.transferStore);
  t.mock.method(
    north.site.storage.transferStore,
    'faces',
    async function* (...given: Parameters<typeof page>) {
      for await (const faces of page(...given))
        yield faces.map((face) => ({
          ...face,
          templates: face.templates.map((template) => ({ ...template, pipelineId: other })),
        }));
    },
  );
  await assert.rejects(
    north.exported(list.id, south, false).then((bundle) => south.plan(bundle)),
    refusedWith(/templates of 2 faces come from another recognition pipeline .* no photos/),
  );
  const bundle = await north.exported(list.id, south, true);
  assert.equal((await south.plan(bundle)).plan.reextracted, 2);
  const { target } = await south.taken(bundle);
  assert.equal((await contentsOf(south, target.id as BlacklistId)).matched, 2);
  const flow = await south.newFlow({
    blacklistDetection: { enabled: true, blacklistIds: [target.id], action: 'review' },
  });
  assert.match(JSON.stringify(await south.verify(flow, 1)), /Person 1/);
});

test('a package for, or from, another installation is refused', async (t) => {
  const { north, south } = await twoSites(t);
  const third = await openExchangeSite(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1] });
  const bundle = await north.exported(list.id, south);
  await assert.rejects(third.plan(bundle), refusedWith(/encrypted for another installation/));
  await assert.rejects(
    third.plan(await north.exported(list.id, third)),
    refusedWith(/does not trust\. It calls itself "Installation [0-9a-f]{8}"/),
  );
  await assert.rejects(south.plan(bundle, 77 as BlacklistId), refusedWith(/no blacklist 77/));
  await assert.rejects(south.plan(Buffer.from('a photo, perhaps')), refusedWith(/not a package made by/));
  await assert.rejects(south.plan(Buffer.alloc(0)), refusedWith(/not a package made by/));
  const taken = await south.newBlacklist('ferry  THIEVES');
  await assert.rejects(south.plan(bundle), refusedWith(new RegExp(`--into ${taken.id}`)));
  await south.service.setActive(south.site.company.id, taken.id, false);
  await assert.rejects(south.plan(bundle, taken.id), refusedWith(/inactive/));
  const other = await south.site.newCompany();
  await assert.rejects(
    south.exchange.receive(other.id, ReadableStream.from([bundle]), {}, 'local-admin'),
    refusedWith(/does not trust/),
    'trust is a company’s own',
  );
  await assert.rejects(
    north.exchange.export(
      north.site.company.id,
      { list: list.id, installation: 99, photos: true },
      'local-admin',
    ),
    refusedWith(/does not trust the other installation/),
  );
});

test('a package changed, cut or extended anywhere is refused and not kept', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', {
    people: Array.from({ length: 24 }, (_, person) => person),
  });
  const bundle = await north.exported(list.id, south);
  assert.ok(bundle.length > 10_000);
  const words = refusedWith(/damaged|another installation|not a package made by|has format/);
  const tried: Buffer[] = [bundle.subarray(0, bundle.length - 1), Buffer.concat([bundle, Buffer.of(0)])];
  for (let at = 0; at < bundle.length; at += 2503) {
    const changed = Buffer.from(bundle);
    changed[at]! ^= 0x01;
    tried.push(changed, bundle.subarray(0, at));
  }
  for (const one of tried) await assert.rejects(south.plan(one), words, `${one.length} of ${bundle.length}`);
  assert.deepEqual(await listsOf(south), []);
  assert.deepEqual(await south.site.imageFiles(), []);
});

test('a name or face added by another sender is refused by its signature', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1] });
  const bundle = await north.exported(list.id, south);
  // South opens what it was sent, and passes it on to a third site as if it came from north.
  const third = await openExchangeSite(t);
  await trust(third, north);
  const forged = await reencrypted(bundle, south, third);
  await assert.rejects(third.plan(forged), refusedWith(/signature of the package does not belong/));
});

test('a package with a manifest above 64 KiB is refused before the manifest is parsed', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1] });
  const bundle = await north.exported(list.id, south);
  const largest = await withManifestOf(64 * 1024, bundle, south);
  await assert.rejects(south.plan(largest), refusedWith(/signature of the package does not belong/));
  const larger = await withManifestOf(64 * 1024 + 1, bundle, south);
  await assert.rejects(south.plan(larger), refusedWith(/larger than 64 KiB.*ask for a new one/));
});

test('a package whose import fails during an erasure does not wait on', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1] });
  const { packageId } = await south.plan(await north.exported(list.id, south));
  const { id } = south.site.company;
  const missing = { into: 99 as BlacklistId };
  await assert.rejects(south.exchange.import(id, packageId, missing, 'local-admin'));
  assert.equal((await south.exchange.waiting(id)).length, 1, 'else it can be tried again');
  const importing = assert.rejects(south.exchange.import(id, packageId, missing, 'local-admin'));
  await south.exchange.forgetWaiting(id);
  await importing;
  assert.deepEqual(await south.exchange.waiting(id), []);
});

test('a received package is deleted after its time, whether or not an operator looks', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1] });
  const files = () => readdir(join(south.site.folder, 'received'));
  await south.plan(await north.exported(list.id, south));
  await south.exchange.forgetUnused();
  assert.equal((await files()).length, 1);
  south.wait(WAITING_TIME);
  await south.exchange.forgetUnused();
  assert.deepEqual(await files(), []);
});

test('packages of one company push out no package of another one', async (t) => {
  const { north, south } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: [1] });
  const bundle = await north.exported(list.id, south);
  const { packageId } = await south.plan(bundle);
  const other = await south.site.newCompany();
  const [{ signingKey, receivingKey, name } = assert.fail('South trusts north.')] =
    await south.site.storage.trustedInstallations.list(south.site.company.id);
  const sender = { name, signingKey, receivingKey };
  await south.site.storage.trustedInstallations.trust(other.id, sender, TEST_ACT);
  const receive = () => south.exchange.receive(other.id, ReadableStream.from([bundle]), {}, 'local-admin');
  const received = [];
  for (let turn = 0; turn < 5; turn += 1) received.push((await receive()).packageId);
  const waiting = async (company = other) =>
    (await south.exchange.waiting(company.id)).map(({ packageId: id }) => id);
  assert.deepEqual(await waiting(south.site.company), [packageId]);
  assert.deepEqual(await waiting(), received.slice(-3));
  await Promise.all(Array.from({ length: 6 }, receive));
  assert.equal((await waiting()).length, 3, 'also when they come together');
  assert.deepEqual(await waiting(south.site.company), [packageId]);
});
