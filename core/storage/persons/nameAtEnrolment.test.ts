/** Persons that the sender of photos names. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import type { FaceId, PipelineId, UploadId, UploadItemId } from '../../contracts/ids.ts';
import type { PhotoPerson } from '../../contracts/uploads.ts';
import type { Actor, Company } from '../../domain/ports/auditContext.ts';
import { enrolItem, failItem } from '../../../test/support/answerItem.ts';
import {
  faceAlong,
  newCompany,
  TEST_PIPELINE,
  temporaryStorage,
  writeImage,
} from '../../../test/support/site.ts';
import { openHome, openStorage } from '../index.ts';

const SENDER: Actor = 'operator:7';
const IMAGE = { width: 100, height: 100, format: 'jpeg' } as const;
const person = (name: string | null, externalId: string | null): PhotoPerson => ({ name, externalId });

async function site(t: TestContext) {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const act = () => ({ by: SENDER, at: clock.now() });
  const send = async (
    persons: readonly (PhotoPerson | null)[],
    { to = company, fixes }: { to?: Company; fixes?: UploadItemId } = {},
  ) => {
    const images = await Promise.all(
      persons.map(async (named, index) => ({
        fileName: `photo ${index}.jpg`,
        image: await writeImage(storage, to, randomUUID()),
        person: named,
      })),
    );
    const accepted = await storage.uploads.accept(to.id, {
      id: randomUUID() as UploadId,
      target: { kind: 'duplicate', trustFlowId: await storage.companies.systemTrustFlow(to.id) },
      accepted: act(),
      images,
      ...(fixes !== undefined && { fix: { items: [fixes], face: null, faces: 0 } }),
    });
    assert.deepEqual(accepted, []);
  };
  const enrolAll = async (): Promise<FaceId[]> => {
    const faces: FaceId[] = [];
    for (const item of await storage.queue.lease(50)) {
      const enrolled = await enrolItem(
        storage.queue,
        item,
        { image: IMAGE, face: faceAlong(1) },
        clock.now(),
      );
      faces.push(enrolled!.faceId);
    }
    return faces;
  };
  const personsOf = async (faces: readonly FaceId[]) => {
    const found = await storage.persons.ofFaces(company.id, faces);
    return faces.map((face) => found.get(face));
  };
  return { storage, folder, clock, company, act, send, enrolAll, personsOf };
}

test('photos of one external id are one person; a name alone joins nothing', async (t) => {
  const { storage, company, send, enrolAll, personsOf } = await site(t);
  await send([
    person('Ann', '17'),
    person('Bea', null),
    null,
    person('Ann Smith', '17'),
    person('Bea', null),
    person(null, '18'),
  ]);
  const [ann, bea, none, annToo, otherBea, numbered] = await personsOf(await enrolAll());
  assert.deepEqual([ann?.name, ann?.externalId], ['Ann', '17']);
  assert.equal(annToo?.id, ann?.id, 'the same external id');
  assert.equal(none, undefined);
  assert.deepEqual([bea?.name, otherBea?.name], ['Bea', 'Bea']);
  assert.notEqual(bea?.id, otherBea?.id);
  assert.deepEqual([numbered?.name, numbered?.externalId], ['photo 5', '18']);
  assert.equal(await storage.persons.count(company.id, {}), 4);
});

test('photos beyond the first of a person are counted by list', async (t) => {
  const { storage, company, act, send, enrolAll } = await site(t);
  assert.deepEqual([...(await storage.persons.furtherPhotos(company.id, TEST_PIPELINE))], []);
  await send([person('Ann', '17'), person('Bea', null), null, person('Ann', '17'), person('Ann', '17')]);
  const faces = await enrolAll();
  let later = 0;
  t.mock.method(performance, 'now', () => later);
  const counted = () => {
    // A count serves for a hundred times as long as it took.
    later += 3_600_000;
    return storage.persons.furtherPhotos(company.id, TEST_PIPELINE);
  };
  assert.deepEqual([...(await counted())], [[null, 2]]);
  const merge = [faces[0]!, faces[1]!].map((face, side) => ({ face, side }));
  const merged = await storage.persons.decide(
    company.id,
    { kind: 'merge', faces: merge, reason: null },
    act(),
  );
  assert.deepEqual([...(await counted())], [[null, 3]]);
  await storage.persons.undo(company.id, merged.decision, act());
  assert.deepEqual([...(await counted())], [[null, 2]]);
  // A photo without a template is in no gallery, so it is none of its further photos.
  const other = 'test-2' as PipelineId;
  assert.deepEqual([...(await storage.persons.furtherPhotos(company.id, other))], []);
});

test('the decision has its kind, its account and its audit entry, and can be undone', async (t) => {
  const { storage, company, act, send, enrolAll, personsOf } = await site(t);
  await send([person('Ann', '17'), person('Ann', '17')]);
  const faces = await enrolAll();
  const [ann] = await personsOf(faces);
  const history = await storage.persons.history(company.id, ann!.id);
  assert.deepEqual(
    history.map(({ kind, by, faces: { length } }) => ({ kind, by, faces: length })),
    [
      { kind: 'named', by: SENDER, faces: 2 },
      { kind: 'named', by: SENDER, faces: 1 },
    ],
  );
  const entries = await storage.audit.list(company.id, {
    filter: { action: 'identity.decided' },
    limit: 10,
  });
  assert.deepEqual(
    entries.map(({ actor, details }) => ({ actor, details: JSON.parse(details) as object })),
    [2, 1].map((count) => ({ actor: SENDER, details: { kind: 'named', faces: count } })),
  );
  await storage.persons.undo(company.id, history[0]!.id, act());
  const left = await personsOf(faces);
  assert.deepEqual([left[0]?.id, left[1]], [ann!.id, undefined]);
});

test('a photo of a merged person follows the merge and its undo', async (t) => {
  const { storage, company, act, send, enrolAll, personsOf } = await site(t);
  await send([person('Ann', '17'), person('Bea', '18')]);
  const [ann, bea] = await enrolAll();
  const merge = [bea!, ann!].map((face, side) => ({ face, side }));
  const merged = await storage.persons.decide(
    company.id,
    { kind: 'merge', faces: merge, reason: null },
    act(),
  );
  await send([person('Ann', '17')]);
  const [later] = await enrolAll();
  assert.deepEqual(
    new Set((await personsOf([ann!, bea!, later!])).map((found) => found?.name)),
    new Set(['Bea']),
  );
  await storage.persons.undo(company.id, merged.decision, act());
  assert.deepEqual(
    (await personsOf([ann!, bea!, later!])).map((found) => found?.externalId),
    ['17', '18', '17'],
  );
});

test('an external id of another company is another person', async (t) => {
  const { storage, folder, send, enrolAll, company } = await site(t);
  const other = await newCompany(storage, folder, 'Other');
  await send([person('Ann', '17')]);
  await send([person('Zoe', '17')], { to: other });
  await enrolAll();
  for (const [owner, name] of [[company, 'Ann'] as const, [other, 'Zoe'] as const]) {
    const found = await storage.persons.list(owner.id, { order: 'name', limit: 10 });
    assert.deepEqual(
      found.map((one) => [one.name, one.externalId, one.faces]),
      [[name, '17', 1]],
    );
  }
});

test('an answer of an earlier lease creates no person', async (t) => {
  const { storage, folder, clock, company, send } = await site(t);
  await send([person('Ann', '17')]);
  const [first] = await storage.queue.lease(1);
  await storage.queue.release([first!], { counted: true });
  const [second] = await storage.queue.lease(1);
  const answer = { image: IMAGE, face: faceAlong(1) };
  assert.equal(await enrolItem(storage.queue, first!, answer, clock.now()), undefined);
  assert.equal(await storage.persons.count(company.id, {}), 0);
  assert(await enrolItem(storage.queue, second!, answer, clock.now()));
  await storage.close();
  const reopened = await openStorage(openHome(folder), clock);
  t.after(() => reopened.close());
  const [ann] = await reopened.persons.list(company.id, { order: 'name', limit: 10 });
  assert.deepEqual([ann?.name, ann?.faces], ['Ann', 1]);
  assert.equal((await reopened.persons.history(company.id, ann!.id)).length, 1);
});

test('a failed photo keeps its person for the photo that replaces it', async (t) => {
  const { storage, clock, send, enrolAll, personsOf } = await site(t);
  await send([person('Ann', '17')]);
  const [item] = await storage.queue.lease(1);
  assert.deepEqual(item?.named, { name: 'Ann', externalId: '17', by: SENDER });
  await failItem(storage, item, { code: 'NO_FACE' }, clock.now());
  await send([null], { fixes: item.id });
  const [again] = await storage.queue.lease(1);
  await failItem(storage, again!, { code: 'NO_FACE' }, clock.now());
  await send([null], { fixes: item.id });
  const [ann] = await personsOf(await enrolAll());
  assert.deepEqual([ann?.name, ann?.externalId], ['Ann', '17']);
  // The person has the name now: no photo of the three keeps it.
  await send([null], { fixes: again!.id });
  assert.equal((await storage.queue.lease(1))[0]?.named, null);
});
