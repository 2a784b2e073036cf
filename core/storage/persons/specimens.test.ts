/** Signature specimens follow their person through every change of persons, and go with the last face. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { ErasureChoice } from '../../contracts/erasure.ts';
import type { FaceId, PersonId } from '../../contracts/ids.ts';
import type { DecisionKind } from '../../domain/ports/persons.ts';
import { SPECIMEN_LIMITS } from '../../contracts/persons.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import { enrolPeople, openErasureSite } from '../../../test/support/erasureSite.ts';
import { newCompany, temporaryFolder } from '../../../test/support/site.ts';

/** A company that stores specimens, with six enrolled faces; the first two are one person. */
async function openPersons(t: TestContext) {
  const folder = temporaryFolder(t);
  const site = await openErasureSite(folder);
  t.after(() => site.close());
  const { storage } = site;
  const { id } = await newCompany(storage, folder);
  await storage.companies.changeSettings(id, { signatureSpecimens: true }, TEST_ACT);
  const photos = Array.from({ length: 6 }, (_, person) => ({ person, fileName: `${person}.jpg` }));
  const upload = await enrolPeople(site, (await storage.companies.find(id))!, photos);
  const { items } = (await storage.uploads.find(id, 'duplicate', upload))!;
  const faces = items.map(({ faceId }) => faceId!);
  const decide = async (kind: DecisionKind, sides: readonly FaceId[][]) => {
    const named = sides.flatMap((some, side) => some.map((face) => ({ face, side })));
    const decision = { kind, faces: named, reason: null };
    return storage.persons.decide(id, decision, TEST_ACT);
  };
  const write = (text: string) => storage.images.write(id, 'png', ReadableStream.from([Buffer.from(text)]));
  const add = async (person: PersonId, text = 'ink') =>
    storage.signatureSpecimens.add(id, person, await write(text), TEST_ACT);
  const of = async (person: PersonId) => (await storage.signatureSpecimens.of(id, person)).length;
  const personOf = async (face: FaceId) => (await storage.persons.ofFaces(id, [face])).get(face)!.id;
  const erase = async (some: readonly FaceId[]) => {
    const chosen = items.filter(({ faceId }) => some.includes(faceId!));
    const validations = chosen.map(({ trustValidationId }) => trustValidationId!);
    const choice: ErasureChoice = { validations, faces: [], photos: [], comparisons: [] };
    const plan = await site.service.plan(id, choice);
    const done = await site.service.run(id, { choice, code: plan.code, copies: 'keep' }, TEST_ACT);
    return done.receipt!.receipt;
  };
  const { person } = await decide('same', [[faces[0]!, faces[1]!]]);
  return { site, storage, id, faces, decide, add, of, personOf, erase, person: person!, write };
}

test('a specimen follows its face through merge, split and undo', async (t) => {
  const { storage, id, faces, decide, add, of, personOf, person } = await openPersons(t);
  await add(person);
  const { person: other } = await decide('same', [[faces[2]!, faces[3]!]]);
  await add(other!, 'ink of the other');
  const merged = await decide('merge', [
    [faces[2]!, faces[3]!],
    [faces[0]!, faces[1]!],
  ]);
  assert.deepEqual([await of(other!), await of(person)], [2, 0]);
  await storage.persons.undo(id, merged.decision, TEST_ACT);
  assert.deepEqual([await of(await personOf(faces[2]!)), await of(await personOf(faces[0]!))], [1, 1]);
  const dissolved = await decide('dissolve', [[], [faces[0]!, faces[1]!]]);
  assert.deepEqual([await of(person), await storage.signatureSpecimens.count(id)], [0, 2]);
  await storage.persons.undo(id, dissolved.decision, TEST_ACT);
  assert.equal(await of(await personOf(faces[0]!)), 1);
});

test('the erasure of one photo keeps the specimens, of the last one it erases them', async (t) => {
  const { storage, id, faces, add, of, erase, person } = await openPersons(t);
  const added = await add(person);
  const { erased } = await erase([faces[0]!]);
  assert.deepEqual([erased.specimens, erased.images.length, await of(person)], [0, 1, 1]);
  const all = await erase([faces[1]!]);
  assert.deepEqual([all.erased.specimens, all.erased.images.length, all.files.images], [1, 2, 2]);
  assert.equal(await storage.signatureSpecimens.count(id), 0);
  assert.equal(await storage.images.read(id, added.image), undefined);
});

test('faces of a person that are erased together take the specimens with them', async (t) => {
  const { storage, id, faces, add, erase, person } = await openPersons(t);
  await add(person);
  assert.equal((await erase([faces[0]!, faces[1]!])).erased.specimens, 1);
  assert.equal(await storage.signatureSpecimens.count(id), 0);
});

test('a specimen is refused beyond the limit, twice, of no person, and when turned off', async (t) => {
  const { site, storage, id, add, of, person } = await openPersons(t);
  await assert.rejects(add(999 as PersonId), new CodedError('NOT_FOUND'));
  await add(person, '0');
  await assert.rejects(add(person, '0'), new CodedError('SPECIMEN_PRESENT'));
  for (let at = 1; at < SPECIMEN_LIMITS.most; at += 1) await add(person, String(at));
  const full = new CodedError(problem('SPECIMENS_FULL', { most: SPECIMEN_LIMITS.most }));
  await assert.rejects(add(person, 'one more'), full);
  const other = await newCompany(storage, site.home.folder, 'Other');
  assert.deepEqual(await storage.signatureSpecimens.of(other.id, person), []);
  const [specimen] = await storage.signatureSpecimens.of(id, person);
  assert.equal(await storage.signatureSpecimens.erase(other.id, person, specimen!.id, TEST_ACT), undefined);
  assert.equal(await storage.signatureSpecimens.erase(id, person, specimen!.id, TEST_ACT), specimen!.image);
  const turnOff = (confirmed: number) =>
    storage.companies.changeSettings(id, { signatureSpecimens: false }, TEST_ACT, {
      eraseSpecimens: confirmed,
    });
  const left = SPECIMEN_LIMITS.most - 1;
  await assert.rejects(
    turnOff(left - 1),
    new CodedError(problem('SPECIMENS_ERASURE_UNCONFIRMED', { specimens: left })),
  );
  assert.equal(await of(person), left);
  const off = await turnOff(left);
  assert.deepEqual([off.length, await of(person)], [left, 0]);
  await assert.rejects(add(person), new CodedError('SPECIMENS_OFF'));
});
