/** Any faces of any groups, near pairs and persons can be erased together, on both stores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaceId } from '../../core/contracts/ids.ts';
import { GroupService } from '../../core/domain/duplicates/groups.ts';
import { IdentityService } from '../../core/domain/persons/service.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import { TEST_ACT } from '../support/act.ts';
import {
  beginRun,
  closeNearPairSite,
  enrolSeeds,
  EVERY_FACE,
  openNearPairSite,
  prepareHome,
  searchOf,
  storedPairs,
  type NearPairSite,
} from '../support/nearPairSite.ts';
import { seededRandom } from '../support/seed.ts';
import { temporaryFolder } from '../support/site.ts';

/** `VOUCH_SEQUENCES=2000` for the long run. */
const SEQUENCES = Number(process.env.VOUCH_SEQUENCES ?? 20);

test('any faces of any groups and persons are erased together', async (t) => {
  const random = seededRandom(t);
  const below = (end: number) => Math.floor(random() * end);
  const home = temporaryFolder(t);
  await prepareHome(home);
  const site = await openNearPairSite(home);
  t.after(() => closeNearPairSite(site));
  const { storage, company, gallery, clock } = site;
  const groups = new GroupService({ ...storage, ...PLATFORM, clock });
  const identities = new IdentityService({ ...storage, groups });
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    const seeds = Array.from({ length: 2 + below(10) }, () => below(6));
    await enrolSeeds(site, random() < 0.7 ? 'duplicate' : 'blacklist', seeds);
    await beginRun(site, random() < 0.5 ? 'all' : 'new', 0.1 + random());
    const search = searchOf(site);
    search.start();
    await search.idle();
    await search.stop();
    await groups.refresh(company.id);
    const page = { order: 'newest', limit: 4 } as const;
    for (const group of await storage.duplicateGroups.list(company.id, { states: ['proposed'] }, page)) {
      const decision = (['same', 'different', 'unsure'] as const)[below(4)];
      const about = { kind: 'group' } as const;
      if (decision !== undefined)
        await identities.decide(company.id, group, { about, decision, reason: 'Seen' }, TEST_ACT);
    }
    const faces = gallery.facesIn(company.id, EVERY_FACE);
    const share = random();
    const chosen = faces.filter(() => random() < share);
    if (chosen.length === 0) continue;
    await erase(site, chosen);
    const left = gallery.facesIn(company.id, EVERY_FACE);
    assert.deepEqual(
      left,
      faces.filter((face) => !chosen.includes(face)),
    );
    const standing = new Set(left);
    for (const { first, second } of await storedPairs(site))
      assert.ok(standing.has(first) && standing.has(second), 'a near pair of an erased face');
    await groups.refresh(company.id);
    assert.deepEqual(await storage.duplicateGroups.facesToGroup(company.id), []);
  }
});

async function erase({ storage, company, clock, gallery }: NearPairSite, faces: readonly FaceId[]) {
  const choice = { validations: [], faces: [...faces], photos: [], comparisons: [] };
  const plan = await storage.erasures.plan(company.id, choice);
  assert.ok(plan.kind === 'done');
  const begun = await storage.erasures.begin(company.id, choice, plan.code, TEST_ACT);
  assert.ok(begun.kind === 'done');
  gallery.remove(company.id, begun.pending.faces);
  await storage.erasures.finish([begun.pending], 'keep', () => clock.now());
}
