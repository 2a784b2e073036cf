import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLATFORM } from '../../platform/platform.ts';
import { openSearchedSite } from '../../../test/support/nearPairSite.ts';
import { GroupService } from '../duplicates/groups.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { SeenGroup } from '../ports/persons.ts';
import { PersonService, type DecisionSubject } from './personService.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import { outcomeOf } from '../../../test/support/outcomeOf.ts';

const GROUP: DecisionSubject = { kind: 'group' };

test('of two operators who accept or confirm at the same instant one does', async (t) => {
  const { storage, company, clock, faces } = await openSearchedSite(t, [0, 1], () =>
    Float32Array.of(1, ...new Array<number>(15).fill(0)),
  );
  const groups = new GroupService({ ...storage, ...PLATFORM, clock });
  /** How many decisions have read the group and not yet written. */
  let reading = 0;
  let bothRead = Promise.withResolvers<unknown>();
  const find: Companies['find'] = async (id) => {
    reading += 1;
    if (reading === 2) bothRead.resolve(undefined);
    await bothRead.promise;
    const found = await storage.companies.find(id);
    return found && { ...found, settings: { ...found.settings, secondOperator: true } };
  };
  const personService = new PersonService({ ...storage, groups, companies: { find } });
  const decide = (by: Actor, seen: SeenGroup, about: DecisionSubject) =>
    personService.decide(
      company.id,
      seen,
      { about, decision: 'same', reason: null },
      { by, at: clock.now() },
    );
  const groupNow = async () => {
    await groups.refresh(company.id);
    const states = ['proposed', 'awaitingConfirmation', 'accepted'] as const;
    const [group] = await storage.duplicateGroups.list(company.id, { states }, { order: 'newest', limit: 1 });
    return group!;
  };
  const both = async (seen: SeenGroup, about: DecisionSubject) => {
    reading = 0;
    bothRead = Promise.withResolvers();
    const answers = [decide('operator:2', seen, about), decide('operator:3', seen, about)];
    return (await Promise.all(answers.map(outcomeOf))).toSorted();
  };
  const log = async () => {
    const records = await storage.persons.decisionsOf(company.id, faces);
    return records.map(({ awaitsConfirmation }) => awaitsConfirmation);
  };

  const proposed = await groupNow();
  assert.deepEqual(await both(proposed, GROUP), ['GROUP_CHANGED', 'done']);
  assert.deepEqual([(await groupNow()).state, await log()], ['awaitingConfirmation', [true]]);
  const [own] = await storage.persons.decisionsOf(company.id, faces);
  await personService.undo(company.id, own!.id, { by: own!.by, at: clock.now() });

  const first = await decide('operator:1', await groupNow(), GROUP);
  assert.deepEqual(await both(await groupNow(), { kind: 'confirm', decision: first.decision }), [
    'GROUP_CHANGED',
    'done',
  ]);
  assert.deepEqual([(await groupNow()).state, (await log()).slice(0, 2)], ['accepted', [false, false]]);
});
