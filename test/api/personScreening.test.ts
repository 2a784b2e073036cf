/** Photos of one person are one match, and a change of persons counts in the next verification. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trusted, type FaceId } from '../../core/contracts/ids.ts';
import { blacklistEntry } from '../../core/contracts/validations.ts';
import { SIDE, type NewDecision } from '../../core/domain/ports/persons.ts';
import { TEST_ACT } from '../support/act.ts';
import { validationPage } from '../../core/contracts/dashboard/validations.ts';
import { addOperator, ask, signIn } from './access/operators.ts';
import { good } from './dashboard/dashboardSite.ts';
import { formOf } from './site.ts';
import { photoOf } from '../support/people.ts';
import { TEST_PIPELINE } from '../support/site.ts';
import { openScreeningSite } from './screeningSite.ts';

test('two or three photos of a person on a blacklist count as one match', async (t) => {
  const { site, newBlacklist, newFlow, verify, service } = await openScreeningSite(t);
  const list = await newBlacklist('VIP', { people: [1, 1, 1, 2] });
  const flow = await newFlow({ blacklistDetection: { enabled: true, blacklistIds: [list.id] } });
  const company = site.company.id;
  const { persons } = site.storage;
  /** Of each photo that matches person 1: its face, the person, the photos of the person, and how many agree. */
  const matches = async () => {
    const { blacklistMatches } = await verify(flow, 1);
    const [entry] = blacklistEntry.array().parse(blacklistMatches);
    return (entry?.matches ?? []).map(
      ({ blacklistFaceUploadId: face, person: { id, photos, agreeing } }) => ({
        face: trusted.face(face),
        found: [id, photos, agreeing],
      }),
    );
  };
  const found = async () => (await matches()).map((match) => match.found);
  const single = [null, 1, 1];
  const before = await matches();
  assert.deepEqual(
    before.map((match) => match.found),
    [single, single, single],
  );
  const [first, second, third] = before.map(({ face }) => face) as [FaceId, FaceId, FaceId];
  const decide = async (decision: NewDecision) => {
    const { person, decision: id } = await persons.decide(company, decision, TEST_ACT);
    return { person, id };
  };
  const sided = (faces: readonly FaceId[], side: number) => faces.map((face) => ({ face, side }));
  const make = (...faces: FaceId[]) =>
    decide({ kind: 'same', faces: sided(faces, SIDE.stays), reason: null, person: { name: 'One' } });
  const one = await make(first, second);
  assert.deepEqual(await found(), [[one.person, 2, 2], [one.person, 2, 2], single]);
  const listed = await site.storage.blacklists.photos(company, list.id, { limit: 10 });
  const stranger = listed.find(({ name }) => name === 'Person 2')!.faceId!;
  const wrong = await make(third, stranger);
  const others = [wrong.person, 2, 1];
  assert.deepEqual((await found()).toSorted(), [[one.person, 2, 2], [one.person, 2, 2], others].toSorted());
  const faces = [...sided([first, second], SIDE.stays), ...sided([third, stranger], SIDE.chosen)];
  const merged = await decide({ kind: 'merge', faces, reason: null });
  assert.deepEqual(
    await found(),
    [0, 1, 2].map(() => [one.person, 4, 3]),
  );
  await persons.undo(company, merged.id, TEST_ACT);
  assert.equal((await found()).length, 3);
  const move = [...sided([third], SIDE.chosen), ...sided([stranger], SIDE.stays)];
  await decide({ kind: 'move', faces: [...move, ...sided([first, second], SIDE.target)], reason: null });
  assert.deepEqual(
    await found(),
    [0, 1, 2].map(() => [one.person, 3, 3]),
  );
  await service.deleteFace(company, list.id, second);
  assert.deepEqual(
    await found(),
    [0, 1].map(() => [one.person, 2, 2]),
  );
  await decide({
    kind: 'split',
    faces: [...sided([first], SIDE.stays), ...sided([third], SIDE.chosen)],
    reason: null,
    person: { name: 'Two' },
  });
  assert.deepEqual(
    (await found()).map(([, photos, agreeing]) => [photos, agreeing]),
    [
      [1, 1],
      [1, 1],
    ],
  );
});

test('a blacklist match of somebody else is no match of a person that was found too', async (t) => {
  const { site, newBlacklist, newFlow, verify, work } = await openScreeningSite(t);
  const company = site.company.id;
  const form = formOf({ name: 'Ada.jpg', content: photoOf(1) });
  assert.equal((await site.upload(form)).status, 202);
  await work();
  const list = await newBlacklist('Barred', { people: [1] });
  const stored = (await Array.fromAsync(site.storage.faces.all(company, TEST_PIPELINE))).flat();
  const enrolled = stored.filter(({ watchlist }) => watchlist.kind === 'duplicate');
  const faces = enrolled.map(({ faceId: face }) => ({ face, side: SIDE.stays }));
  const ada = await site.storage.persons.decide(company, { kind: 'named', faces, reason: null }, TEST_ACT);
  const flow = await newFlow({
    duplicateDetection: { enabled: true, action: 'review' },
    blacklistDetection: { enabled: true, blacklistIds: [list.id] },
  });
  const { id } = await verify(flow, 1);
  await addOperator(site, 'Maren', 'admin');
  const cookie = await signIn(site, 'Maren');
  const found = async (hit: string) => {
    const path = `/validations?person=${ada.person}&hit=${hit}`;
    return good(await ask(site, 'GET', path, { cookie }), validationPage).items.map((row) => row.id);
  };
  assert.deepEqual(await found('duplicate'), [id]);
  assert.deepEqual(await found('blacklist'), []);
});

test('photos of persons are read however many they have', async (t) => {
  const { site } = await openScreeningSite(t);
  const { faces, faceListings, views } = site.storage;
  const company = site.company.id;
  const many = Array.from({ length: 70_000 }, (_, index) => trusted.face(index + 1));
  assert.deepEqual(await faces.summaries(company, many), []);
  assert.deepEqual(await views.faceImages(company, many), []);
  assert.deepEqual(await faceListings.expiredOf(company, many, new Date()), []);
});
