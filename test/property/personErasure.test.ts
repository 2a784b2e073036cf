/** What stays of decisions and persons when their faces are erased. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaceId } from '../../core/contracts/ids.ts';
import { TEST_ACT } from '../support/act.ts';
import { closeNearPairSite, enrolSeeds, openNearPairSite, prepareHome } from '../support/nearPairSite.ts';
import { temporaryFolder } from '../support/site.ts';

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
    const decided = await persons.decide(company.id, { kind, faces, reason: 'Seen' }, TEST_ACT);
    assert.ok(decided.kind === 'done', decided.kind);
    return decided;
  };
  const erase = (face: FaceId) => storage.blacklists.deleteFace(company.id, list, face, TEST_ACT);
  const kinds = async () => (await persons.decisionsOf(company.id, [a, b, c, d])).map(({ kind }) => kind);

  await decide('different', [a], [c]);
  const one = await decide('same', [a, b]);
  await decide('same', [c, d]);
  assert.deepEqual(await kinds(), ['same', 'same', 'different']);
  await erase(c);
  assert.deepEqual(await kinds(), ['same', 'same']);
  const merge = await decide('merge', [a, b], [d]);
  assert.deepEqual(await persons.facesOf(company.id, one.person!), [a, b, d]);
  await erase(d);
  const undone = await persons.undo(company.id, merge.decision, TEST_ACT);
  assert.equal(undone.kind, 'done');
  assert.equal(await persons.count(company.id, {}), 1, 'the merged person does not return');
  await erase(a);
  assert.deepEqual(await persons.facesOf(company.id, one.person!), [b]);
  await erase(b);
  assert.equal(await persons.count(company.id, {}), 0);
  assert.deepEqual(await kinds(), []);
});
