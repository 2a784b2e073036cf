/**
 * Any faces of any groups, near pairs, persons and lists can be erased together, on both stores: after decisions, merges, splits,
 * moves and their undo, with stored signatures, while a duplicate search is unfinished.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaceId, PersonDecisionId, SignatureSpecimenId } from '../../core/contracts/ids.ts';
import { GroupService } from '../../core/domain/duplicates/groups.ts';
import { PersonService } from '../../core/domain/persons/personService.ts';
import type { Person } from '../../core/storage/persons/personRows.ts';
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
import { CodedError } from '../../core/contracts/errors/problem.ts';

/** `VOUCH_SEQUENCES=2000` for the long run. */
const SEQUENCES = Number(process.env.VOUCH_SEQUENCES ?? 20);
/** More than the faces of a sequence, so that a page has all of their persons. */
const ALL_PERSONS = { order: 'newest', limit: 200 } as const;

test('any faces of any groups and persons are erased together', async (t) => {
  const random = seededRandom(t);
  const below = (end: number) => Math.floor(random() * end);
  const home = temporaryFolder(t);
  await prepareHome(home);
  const site = await openNearPairSite(home);
  t.after(() => closeNearPairSite(site));
  const { storage, company, gallery, clock } = site;
  await storage.companies.changeSettings(company.id, { signatureSpecimens: true }, TEST_ACT);
  const groups = new GroupService({ ...storage, ...PLATFORM, clock });
  const personService = new PersonService({ ...storage, groups });
  const decisions: PersonDecisionId[] = [];
  const counts = new Map<string, number>();
  const did = (what: string, amount = 1) => counts.set(what, (counts.get(what) ?? 0) + amount);

  const persons = () => storage.persons.list(company.id, ALL_PERSONS);
  const specimens = async () => {
    const found = new Map<Person['id'], { faces: FaceId[]; specimens: SignatureSpecimenId[] }>();
    for (const { id } of await persons())
      found.set(id, {
        faces: await storage.persons.facesOf(company.id, id),
        specimens: (await storage.signatureSpecimens.of(company.id, id)).map((each) => each.id),
      });
    return found;
  };

  /** Changes persons as operators do; some changes are refused, which is as good. */
  const change = async (step: number) => {
    const all = await persons();
    const [one, other] = [all[below(all.length)], all[below(all.length)]];
    if (one === undefined || other === undefined) return;
    const faces = await storage.persons.facesOf(company.id, one.id);
    const face = faces[below(faces.length)]!;
    const undone = decisions[below(decisions.length)];
    const name = `Person ${step}`;
    const operations: Record<
      string,
      () => Promise<{ decision?: PersonDecisionId; person?: unknown } | undefined>
    > = {
      merge: () => personService.merge(company.id, { target: one, source: other }, 'Seen', TEST_ACT),
      split: () => personService.split(company.id, one, { faces: [face], name, reason: null }, TEST_ACT),
      move: () =>
        personService.move(
          company.id,
          one,
          { faces: [face], to: random() < 0.5 ? other : null, reason: null },
          TEST_ACT,
        ),
      dissolve: () => personService.dissolve(company.id, one, 'Seen', TEST_ACT),
      undo: () => personService.undo(company.id, undone ?? (0 as PersonDecisionId), TEST_ACT),
      specimen: async () => {
        const ink = ReadableStream.from([Buffer.from(name)]);
        const image = await storage.images.write(company.id, 'png', ink);
        try {
          await storage.signatureSpecimens.add(company.id, one.id, image, TEST_ACT);
          return {};
        } catch (error) {
          if (!(error instanceof CodedError)) throw error;
          await storage.images.discard(company.id, [image.id]);
          return undefined;
        }
      },
    };
    const names = Object.keys(operations);
    const chosen = names[below(names.length)]!;
    const done = await operations[chosen]!().catch(ifRefused);
    if (done === undefined) return;
    did(chosen);
    if (done.decision !== undefined) decisions.push(done.decision);
  };

  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    for (const kind of ['duplicate', 'blacklist'] as const)
      if (random() < 0.7) {
        const seeds = Array.from({ length: 1 + below(8) }, () => below(6));
        await enrolSeeds(site, kind, seeds);
      }
    await beginRun(site, random() < 0.5 ? 'all' : 'new', 0.1 + random());
    const search = searchOf(site);
    search.start();
    // Some erasures come while the comparison goes on.
    if (random() < 0.8) await search.idle();
    await search.stop();
    await groups.refresh(company.id);
    const page = { order: 'newest', limit: 4 } as const;
    for (const group of await storage.duplicateGroups.list(company.id, { states: ['proposed'] }, page)) {
      const decision = (['same', 'same', 'different', 'unsure'] as const)[below(5)];
      if (decision === undefined) continue;
      const about = { kind: 'group' } as const;
      const wish = { about, decision, reason: 'Seen' };
      const decided = await personService.decide(company.id, group, wish, TEST_ACT).catch(ifRefused);
      if (decided !== undefined) decisions.push(decided.decision);
    }
    for (let step = below(10); step > 0; step -= 1) await change(step);

    const faces = gallery.facesIn(company.id, EVERY_FACE);
    const share = random();
    const chosen = faces.filter(() => random() < share);
    if (chosen.length === 0) continue;
    const before = await specimens();
    await erase(site, chosen);
    did('erasure');
    did('erased face', chosen.length);
    const left = gallery.facesIn(company.id, EVERY_FACE);
    const standing = new Set(left);
    assert.deepEqual(
      left,
      faces.filter((face) => !chosen.includes(face)),
    );
    for (const { first, second } of await storedPairs(site))
      assert.ok(standing.has(first) && standing.has(second), 'a near pair of an erased face');
    const after = await specimens();
    for (const [id, { faces: had, specimens: stored }] of before) {
      const remaining = had.filter((face) => standing.has(face));
      const expected = remaining.length === 0 ? undefined : { faces: remaining, specimens: stored };
      assert.deepEqual(after.get(id), expected, 'a person keeps its faces and its signatures, or goes');
      if (remaining.length === 0) did('erased specimen', stored.length);
    }
    if (standing.size === 0) assert.equal(await storage.signatureSpecimens.count(company.id), 0);
    await groups.refresh(company.id);
    assert.deepEqual((await storage.duplicateGroups.changes(company.id)).faces, []);
  }
  t.diagnostic([...counts].map(([what, count]) => `${what} ${count}`).join(', '));
});

async function erase({ storage, company, clock, gallery }: NearPairSite, faces: readonly FaceId[]) {
  const choice = { validations: [], faces: [...faces], photos: [], comparisons: [] };
  const plan = await storage.erasures.plan(company.id, choice);
  const begun = await storage.erasures.begin(company.id, choice, plan.code, TEST_ACT);
  gallery.remove(company.id, begun.faces);
  await storage.erasures.finish([begun], 'keep', () => clock.now());
}

function ifRefused(error: unknown): undefined {
  if (!(error instanceof CodedError)) throw error;
}
