/** Duplicate searches of the dashboard: start, pause, resume, cancel, what they find, and what other companies see of them. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  duplicateRun,
  duplicateRunPage,
  duplicateRunPlan,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { TEST_ACT } from '../../support/act.ts';
import { photoOf } from '../../support/people.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { formOf } from '../site.ts';
import { good } from './dashboardSite.ts';

async function openDashboard(t: TestContext) {
  const screening = await openScreeningSite(t);
  const { site, work } = screening;
  site.token = await site.newToken();
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const dashboard = (method: string, path: string, body?: unknown) =>
    ask(site, method, path, { cookie, ...(body !== undefined && { body }) });
  const enrol = async (...photos: Buffer[]) => {
    const form = formOf(...photos.map((content, i) => ({ name: `Photo ${i}.jpg`, content })));
    assert.equal((await site.upload(form)).status, 202);
    await work();
  };
  const { id: list } = await screening.newBlacklist('Barred persons', { people: [1, 2] });
  const runs = async () => good(await dashboard('GET', '/duplicates/runs'), duplicateRunPage);
  const search = site.engine.duplicateSearch;
  return { site, dashboard, enrol, list, runs, search };
}

test('a duplicate search finds near pairs, and a later one compares new faces alone', async (t) => {
  const { site, dashboard, enrol, list, runs, search } = await openDashboard(t);
  const { storage, company } = site;
  const refused = await dashboard('POST', '/duplicates/runs', {});
  assert.deepEqual([refused.status, refused.body.code], [409, 'TOO_FEW_FACES']);
  await enrol(photoOf(1, 7), photoOf(3), photoOf(3), photoOf(4));
  assert.equal((await runs()).newFaces, 4, 'before the first search all faces are new');

  const choice = { blacklists: [list], oneIn: 500 };
  const plan = good(await dashboard('POST', '/duplicates/plan', choice), duplicateRunPlan);
  const { expected, seconds, ...counts } = plan;
  assert.deepEqual(counts, {
    faces: 6,
    allFaces: 6,
    comparisons: 15,
    oneIn: 500,
    measuredPairs: 6,
    falseAlarms: 6 / 500,
  });
  assert.ok(expected !== null && expected.pairs < 0.01 && expected.extrapolated);
  assert.equal(seconds, null, 'no search has shown the speed of the machine');

  const begun = good(await dashboard('POST', '/duplicates/runs', choice), duplicateRun);
  const { startedBy, startedByName, pipelineId, blacklists } = begun;
  assert.match(startedBy, /^operator:/);
  assert.deepEqual([startedByName, blacklists], ['admin', [{ id: list, name: 'Barred persons' }]]);
  assert.equal(pipelineId, site.engine.vision.pipelineId);
  search.start();
  await search.idle();
  const [first] = (await runs()).items;
  assert.ok(first !== undefined && first.nearFrom !== null && first.nearFrom > 69);
  const { state, mode, faces, compared, pairs, identical, truncated } = first;
  assert.deepEqual(
    { state, mode, faces, compared, pairs, identical, truncated },
    { state: 'done', mode: 'all', faces: 6, compared: 6, pairs: 2, identical: 1, truncated: 0 },
  );
  // Without a pair to compare there is nothing to divide by, however fast the search was.
  const rest = good(
    await dashboard('POST', '/duplicates/plan', { ...choice, mode: 'new' }),
    duplicateRunPlan,
  );
  assert.deepEqual([rest.faces, rest.comparisons, rest.seconds], [0, 0, 0]);
  const found = await storage.duplicateRuns.pairs(company.id, { limit: 10 });
  assert.deepEqual(
    found.map(({ distance, identical: same }) => [distance, same]),
    [
      [0, false],
      [0, true],
    ],
  );

  const { mock: counted } = t.mock.method(storage.duplicateRuns, 'comparedFaces');
  assert.equal((await runs()).newFaces, 0);
  await enrol(photoOf(4, 5));
  assert.equal((await runs()).newFaces, 1);
  assert.equal((await runs()).newFaces, 1);
  assert.ok(
    counted.callCount() <= 1,
    'a screen that is open counts all compared faces once, not every second',
  );
  good(await dashboard('POST', '/duplicates/runs', { ...choice, mode: 'new' }), duplicateRun);
  await search.idle();
  const [second] = (await runs()).items;
  assert.deepEqual([second!.mode, second!.compared, second!.pairs], ['new', 1, 1]);
  assert.equal((await storage.duplicateRuns.pairs(company.id, { limit: 10 })).length, 3);

  const [pair] = found;
  await dashboard('POST', `/blacklists/${list}/faces/remove`, { ids: [pair!.first] });
  const left = await storage.duplicateRuns.pairs(company.id, { limit: 10 });
  assert.ok(
    left.length === 2 && left.every(({ first: one }) => one !== pair!.first),
    'a pair goes with a face',
  );
  await search.stop();
});

test('one search at a time is paused, resumed and cancelled, by its own company alone', async (t) => {
  const { site, dashboard, enrol, runs, search } = await openDashboard(t);
  await enrol(photoOf(1), photoOf(2));
  const { id } = good(await dashboard('POST', '/duplicates/runs', {}), duplicateRun);
  const change = async (step: string, run = id) => {
    const { status, body } = await dashboard('POST', `/duplicates/runs/${run}/${step}`);
    return status === 200 ? body.state : body.code;
  };
  const again = await dashboard('POST', '/duplicates/runs', {});
  assert.deepEqual([again.status, again.body.code], [409, 'DUPLICATE_SEARCH_UNFINISHED']);
  assert.equal(await change('resume'), 'DUPLICATE_SEARCH_STATE');
  assert.equal(await change('pause'), 'paused');
  search.start();
  await search.idle();
  assert.deepEqual([(await runs()).current?.id, (await runs()).current?.compared], [id, 0]);
  assert.equal(await change('cancel'), 'cancelled');
  await search.idle();
  assert.deepEqual([(await runs()).current, await change('cancel')], [null, 'DUPLICATE_SEARCH_STATE']);

  const other = await site.newCompany();
  const choice = { mode: 'all' as const, blacklists: [], oneIn: 1_000 };
  const begun = await site.storage.duplicateRuns.begin(
    other.id,
    choice,
    { pipeline: site.engine.vision.pipelineId, total: 2 },
    TEST_ACT,
  );
  assert.equal(await change('pause', begun.id as typeof id), 'NOT_FOUND');
  assert.equal((await runs()).items.length, 1);
  const foreign = await dashboard('POST', '/duplicates/plan', { blacklists: [999] });
  assert.equal(foreign.status, 404);
  await search.stop();
});
