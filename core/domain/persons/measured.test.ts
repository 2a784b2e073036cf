import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaceId } from '../../contracts/ids.ts';
import { PLATFORM } from '../../platform/platform.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import { openSearchedSite } from '../../../test/support/nearPairSite.ts';
import { TEST_PIPELINE } from '../../../test/support/site.ts';
import { GroupService } from '../duplicates/groups.ts';
import { PersonService, type DecisionSubject } from './personService.ts';

/** Radians between two neighbours on the arc. */
const STEP = 0.05;

function arcVector(seed: number): Float32Array {
  return Float32Array.of(Math.cos(seed * STEP), Math.sin(seed * STEP), ...new Array<number>(14).fill(0));
}

test('a decision keeps the distance of its least similar pair, and the pipeline', async (t) => {
  const { storage, company, clock, faces } = await openSearchedSite(t, [0, 1, 2], arcVector);
  const groups = new GroupService({ ...storage, ...PLATFORM, clock });
  const personService = new PersonService({ ...storage, groups });
  const decide = async (about: DecisionSubject) => {
    await groups.refresh(company.id);
    const page = { order: 'newest', limit: 1 } as const;
    const [group] = await storage.duplicateGroups.list(
      company.id,
      { states: ['proposed', 'partlyDecided', 'deferred'] },
      page,
    );
    const seen = { id: group!.id, version: group!.version };
    const decision = { about, decision: 'unsure', reason: null } as const;
    await personService.decide(company.id, seen, decision, TEST_ACT);
    const [record] = await storage.persons.decisionsOf(company.id, faces);
    return record!.measured!;
  };
  const [first, second] = faces as [FaceId, FaceId, FaceId];
  const pair = await decide({ kind: 'pair', first, second });
  assert.ok(Math.abs(pair.distance - 2 * Math.sin(STEP / 2)) < 1e-6, String(pair.distance));
  assert.equal(pair.pipeline, TEST_PIPELINE);
  const whole = await decide({ kind: 'group' });
  assert.ok(Math.abs(whole.distance - 2 * Math.sin(STEP)) < 1e-6, String(whole.distance));
});
