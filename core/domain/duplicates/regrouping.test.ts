import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLATFORM } from '../../platform/platform.ts';
import { beginRun, enrolSeeds, openSearchedSite, searchOf } from '../../../test/support/nearPairSite.ts';
import { PersonService } from '../persons/personService.ts';
import { GroupService, type GroupPorts } from './groups.ts';

test('a decision that is stored while groups are worked out is followed by them', async (t) => {
  const { storage, company, clock } = await openSearchedSite(t, [0, 1], () =>
    Float32Array.of(1, ...new Array<number>(15).fill(0)),
  );
  const groups = new GroupService({ ...storage, ...PLATFORM, clock });
  await groups.refresh(company.id);
  const [seen] = await storage.duplicateGroups.list(
    company.id,
    { states: ['proposed'] },
    { order: 'newest', limit: 1 },
  );
  const other = new GroupService({ ...storage, ...PLATFORM, clock });
  const personService = new PersonService({ ...storage, groups: other, companies: storage.companies });
  const hasRead = Promise.withResolvers<undefined>();
  const decided = Promise.withResolvers<undefined>();
  // Another service has read the decisions, and writes after this one has decided and grouped the faces.
  const persons: GroupPorts['persons'] = {
    awaiting: (...asked) => storage.persons.awaiting(...asked),
    standing: async (...asked) => {
      const read = await storage.persons.standing(...asked);
      hasRead.resolve(undefined);
      await decided.promise;
      return read;
    },
  };
  const slow = new GroupService({ ...storage, ...PLATFORM, clock, persons });
  await storage.duplicateGroups.regroupAll(company.id);
  const regrouped = slow.refresh(company.id);
  await hasRead.promise;
  await personService.decide(
    company.id,
    seen!,
    { about: { kind: 'group' }, decision: 'different', reason: null },
    { by: 'operator:2', at: clock.now() },
  );
  decided.resolve(undefined);
  await regrouped;
  const group = await storage.duplicateGroups.find(company.id, seen!.id);
  assert.equal(group?.state, 'rejected');
});

test('a run that ends while groups are worked out is followed by them', async (t) => {
  const vectorOf = () => Float32Array.of(1, ...new Array<number>(15).fill(0));
  const site = await openSearchedSite(t, [0, 1], vectorOf);
  const { storage, company, clock } = site;
  const other = new GroupService({ ...storage, ...PLATFORM, clock });
  await other.refresh(company.id);
  const hasRead = Promise.withResolvers<undefined>();
  const ended = Promise.withResolvers<undefined>();
  const persons: GroupPorts['persons'] = {
    awaiting: (...asked) => storage.persons.awaiting(...asked),
    standing: async (...asked) => {
      hasRead.resolve(undefined);
      await ended.promise;
      return storage.persons.standing(...asked);
    },
  };
  const slow = new GroupService({ ...storage, ...PLATFORM, clock, persons });
  await storage.duplicateGroups.regroupAll(company.id);
  const regrouped = slow.refresh(company.id);
  await hasRead.promise;
  // Another service compares all faces anew, and groups them.
  await enrolSeeds(site, 'blacklist', [2], vectorOf);
  await beginRun(site, 'all', 0.2);
  const search = searchOf(site);
  search.start();
  await search.idle();
  await search.stop();
  await other.refresh(company.id);
  ended.resolve(undefined);
  await regrouped;
  await other.refresh(company.id);
  const [group] = await storage.duplicateGroups.list(
    company.id,
    { states: ['proposed'] },
    { order: 'newest', limit: 1 },
  );
  assert.equal(group?.size, 3);
});
