/** The decisions, persons and groups that remain when their faces or templates are erased. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaceId, PipelineId } from '../../core/contracts/ids.ts';
import { GroupService } from '../../core/domain/duplicates/groups.ts';
import { PersonService } from '../../core/domain/persons/personService.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import { TEST_ACT } from '../support/act.ts';
import { seededVector } from '../support/galleryChurn.ts';
import {
  ANY_TAIL,
  beginRun,
  closeNearPairSite,
  enrolSeeds,
  openNearPairSite,
  prepareHome,
  searchOf,
  storedPairs,
} from '../support/nearPairSite.ts';
import { temporaryFolder, TEST_PIPELINE } from '../support/site.ts';
import { outcomeOf } from '../support/outcomeOf.ts';

test('a person goes with its last face, a decision that parts faces with one of them', async (t) => {
  const home = temporaryFolder(t);
  await prepareHome(home);
  const site = await openNearPairSite(home);
  t.after(() => closeNearPairSite(site));
  const { storage, company, list } = site;
  const [a, b, c, d] = (await enrolSeeds(site, 'blacklist', [1, 1, 2, 2])) as [
    FaceId,
    FaceId,
    FaceId,
    FaceId,
  ];
  const { persons } = storage;
  const decide = async (kind: 'same' | 'different' | 'merge', ...sides: FaceId[][]) => {
    const faces = sides.flatMap((ids, side) => ids.map((face) => ({ face, side })));
    return persons.decide(company.id, { kind, faces, reason: 'Seen' }, TEST_ACT);
  };
  const erase = (face: FaceId) => storage.blacklists.deleteFace(company.id, list, face, TEST_ACT);
  const kinds = async () => (await persons.decisionsOf(company.id, [a, b, c, d])).map(({ kind }) => kind);

  await decide('different', [a], [c]);
  const one = await decide('same', [a, b]);
  await decide('same', [c, d]);
  assert.deepEqual(await kinds(), ['same', 'same', 'different']);
  await erase(c);
  assert.deepEqual(await kinds(), ['same', 'same']);
  const reasons = (await persons.decisionsOf(company.id, [a, d])).map(({ reason }) => reason);
  assert.deepEqual(reasons, [null, 'Seen'], 'what an operator typed may name the erased face');
  const merge = await decide('merge', [a, b], [d]);
  assert.deepEqual(await persons.facesOf(company.id, one.person!), [a, b, d]);
  await erase(d);
  await persons.undo(company.id, merge.decision, TEST_ACT);
  assert.equal(await persons.count(company.id, {}), 1, 'the merged person does not return');
  await erase(a);
  assert.deepEqual(await persons.facesOf(company.id, one.person!), [b]);
  await erase(b);
  assert.equal(await persons.count(company.id, {}), 0);
  assert.deepEqual(await kinds(), []);
});

test('a dissolved person whose first faces were erased returns with its name', async (t) => {
  const home = temporaryFolder(t);
  await prepareHome(home);
  const site = await openNearPairSite(home);
  t.after(() => closeNearPairSite(site));
  const { storage, company, list, clock } = site;
  const faces = await enrolSeeds(site, 'blacklist', [1, 1, 1, 1]);
  const [a, b, c, d] = faces as [FaceId, FaceId, FaceId, FaceId];
  const groups = new GroupService({ ...storage, ...PLATFORM, clock });
  const personService = new PersonService({ ...storage, groups });
  const { persons } = storage;
  const made = await personService.create(company.id, [a, b], { name: 'Ada' }, TEST_ACT);
  assert.ok(made.person !== null);
  const id = made.person;
  const seen = async () => ({ id, version: (await persons.find(company.id, id))!.version });
  await personService.add(company.id, await seen(), { faces: [c, d], reason: null }, TEST_ACT);
  for (const face of [a, b]) await storage.blacklists.deleteFace(company.id, list, face, TEST_ACT);
  const dissolved = await personService.dissolve(company.id, await seen(), null, TEST_ACT);
  assert.equal(await persons.count(company.id, {}), 0);
  await personService.undo(company.id, dissolved.decision, TEST_ACT);
  assert.equal((await persons.find(company.id, id))?.name, 'Ada');
  assert.deepEqual(await persons.facesOf(company.id, id), [c, d]);
});

test('decisions outlive a pipeline, and near pairs go with its templates', async (t) => {
  const home = temporaryFolder(t);
  await prepareHome(home);
  const site = await openNearPairSite(home);
  t.after(() => closeNearPairSite(site));
  const { storage, company, clock } = site;
  const faces = await enrolSeeds(site, 'blacklist', [1, 1, 2, 2, 3, 3]);
  const groups = new GroupService({ ...storage, ...PLATFORM, clock });
  const personService = new PersonService({ ...storage, groups });
  const shown = async () => {
    await groups.refresh(company.id);
    const page = { order: 'newest', limit: 10 } as const;
    const found = await storage.duplicateGroups.list(company.id, { states: ['proposed', 'accepted'] }, page);
    return found.toSorted((a, b) => a.id - b.id);
  };
  await beginRun(site, 'all', 0);
  const search = searchOf(site);
  search.start();
  await search.idle();
  await search.stop();
  const [first, second, third] = await shown();
  const decide = (group: typeof first, decision: 'same' | 'different') =>
    personService.decide(company.id, group!, { about: { kind: 'group' }, decision, reason: null }, TEST_ACT);
  await decide(first, 'same');
  await decide(second, 'different');

  const other = 'other/1' as PipelineId;
  const templates = faces.map((faceId, index) => ({ faceId, vector: seededVector(index >> 1) }));
  await storage.pipelines.begin(company.id, other, { chosen: true }, TEST_ACT);
  await storage.pipelines.keep(company.id, other, templates);
  assert.ok(await storage.pipelines.switchTo(company.id, other, TEST_ACT));
  assert.equal(await storage.pipelines.discard(company.id, TEST_PIPELINE, TEST_ACT), faces.length);
  assert.deepEqual(await storedPairs(site), []);
  assert.deepEqual(await shown(), [], 'no group shows a distance of templates that are gone');
  assert.equal(await storage.persons.count(company.id, {}), 1);

  const choice = { mode: 'new', blacklists: [site.list], oneIn: 1_000 } as const;
  const run = await storage.duplicateRuns.begin(
    company.id,
    choice,
    { pipeline: other, total: faces.length },
    TEST_ACT,
  );
  await storage.duplicateRuns.choose(run, ANY_TAIL, 0.1);
  const pairs = [0, 2, 4].map((at) => ({ first: faces[at]!, second: faces[at + 1]!, distance: 0 }));
  await storage.duplicateRuns.store(run, { pairs, compared: faces, truncated: [] }, faces.at(-1)!);
  await storage.duplicateRuns.finish(run, { state: 'done' }, TEST_ACT);
  assert.deepEqual(
    (await shown()).map(({ state, size }) => [state, size]),
    [
      ['accepted', 2],
      ['proposed', 2],
    ],
    'the pair of different people is not proposed again',
  );
  assert.equal(await outcomeOf(decide(third, 'same')), 'NOT_FOUND', 'a group of the former pipeline is gone');
});
