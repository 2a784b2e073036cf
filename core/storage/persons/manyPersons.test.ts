import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GroupService } from '../../domain/duplicates/groups.ts';
import { PersonService } from '../../domain/persons/personService.ts';
import type { PersonPage } from '../../domain/ports/persons.ts';
import { PLATFORM } from '../../platform/platform.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import {
  closeNearPairSite,
  enrolSeeds,
  openNearPairSite,
  prepareHome,
} from '../../../test/support/nearPairSite.ts';
import { temporaryFolder } from '../../../test/support/site.ts';

/** Three pages of a list. */
const PERSONS = 120;

test('a company of 120 persons lists each once in both orders, and finds the last', async (t) => {
  const home = temporaryFolder(t);
  await prepareHome(home);
  const site = await openNearPairSite(home);
  t.after(() => closeNearPairSite(site));
  const { storage, company, clock } = site;
  const persons = new PersonService({
    ...storage,
    groups: new GroupService({ ...storage, ...PLATFORM, clock }),
  });
  const faces = await enrolSeeds(
    site,
    'duplicate',
    Array.from({ length: PERSONS }, (_, index) => index),
  );
  for (const [index, face] of faces.entries())
    await persons.create(company.id, [face], { name: `Person ${String(index).padStart(3, '0')}` }, TEST_ACT);
  for (const order of ['newest', 'name'] as const) {
    const names: string[] = [];
    for (let after: PersonPage['after']; ;) {
      const page = await storage.persons.list(company.id, { order, limit: 50, after });
      names.push(...page.map(({ name }) => name));
      after = page.at(-1);
      if (after === undefined) break;
    }
    const expected = faces.map((_, index) => `Person ${String(index).padStart(3, '0')}`);
    assert.deepEqual(names, order === 'name' ? expected : expected.toReversed());
  }
  const filter = { text: 'person 119' };
  assert.equal(await storage.persons.count(company.id, filter), 1);
  const [last] = await storage.persons.list(company.id, { ...filter, order: 'newest', limit: 1 });
  assert.equal(last?.name, 'Person 119');
});
