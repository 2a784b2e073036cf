/** Runs, groups, decisions and persons as programs use them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walkPersons } from './personWalk.ts';
import { openScreeningSite } from './screeningSite.ts';

test('a program finds duplicates, decides on them, and keeps persons', async (t) => {
  const opened = await openScreeningSite(t);
  const { site } = opened;
  t.after(() => site.engine.duplicateSearch.stop());
  await walkPersons(opened);
  const actions = await site.storage.audit.list(site.company.id, { filter: {}, limit: 100 });
  const byProgram = actions.filter(({ actor }) => actor.startsWith('token:')).map(({ action }) => action);
  for (const action of ['duplicates.started', 'identity.decided', 'identity.undone', 'person.changed'])
    assert.ok(
      byProgram.some((each) => each === action),
      action,
    );
});
