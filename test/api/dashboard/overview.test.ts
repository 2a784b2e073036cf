import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { activity, overview } from '../../../core/contracts/dashboard/overview.ts';
import { runList } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { Dispatcher } from '../../../core/domain/enrolment/dispatcher.ts';
import { SILENT_LOG } from '../../support/fakes.ts';
import { photoOf } from '../../support/people.ts';
import { formOf, PNG } from '../site.ts';
import { good, openDashboardSite } from './dashboardSite.ts';
import { PLATFORM } from '../../../core/platform/platform.ts';

/** Every list of the dashboard says how long it is. */
const listed = z.object({ total: z.number() });

test('every number of the first page is the length of the list that it opens', async (t) => {
  const { site, as } = await openDashboardSite(t);
  site.setTime(new Date('2026-03-01T09:00:00.000Z'));
  await site.upload(formOf(photoOf(1), photoOf(2)));
  site.setTime(new Date('2026-03-02T09:00:00.000Z'));
  await site.upload(formOf(photoOf(3), PNG));
  const clock = { now: () => new Date('2026-03-02T09:00:01.000Z') };
  const { vision, gallery } = site.engine;
  const dispatcher = new Dispatcher({
    ...site.storage,
    ...PLATFORM,
    vision,
    gallery,
    clock,
    log: SILENT_LOG,
  });
  dispatcher.start();
  while ((await site.storage.queue.waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await dispatcher.stop();
  site.setTime(new Date('2026-03-02T10:00:00.000Z'));
  await site.upload(formOf(photoOf(4)));

  const admin = await as('admin');
  const since = '2026-03-02T00:00:00.000Z';
  const numbers = good(await admin('GET', `/overview?since=${since}`), overview);
  const lengthOf = async (path: string) => good(await admin('GET', path), listed).total;
  assert.deepEqual(numbers.waiting, {
    review: await lengthOf('/validations?status=2'),
    runningUploads: await lengthOf('/runs?show=running'),
    waitingImages: 1,
    failedUploads: await lengthOf(`/runs?show=failed&from=${since}`),
    failedImages: 1,
    draftFlows: 0,
  });
  assert.equal(numbers.waiting.runningUploads, 1);
  assert.equal(numbers.waiting.failedUploads, 1);
  assert.equal(numbers.today.uploads, await lengthOf(`/runs?from=${since}`));
  assert.equal(numbers.today.uploads, 2);
  assert.equal(numbers.today.validations, await lengthOf(`/validations?from=${since}`));
  assert.equal(await lengthOf('/runs'), 3);
  assert.deepEqual(numbers.firstSteps, {
    enrolled: true,
    blacklisted: false,
    flowPublished: false,
    verified: false,
  });
  assert.deepEqual(numbers.hits, []);
  assert.deepEqual(numbers.backup, { keyMadeAt: null, lastGoodAt: null, failed: false, nextAt: null });
  assert.equal(numbers.health.queued, 1);
  const shown = good(await (await as('operator'))('GET', `/overview?since=${since}`), overview);
  assert.equal(shown.backup, null, 'the state of the installation is not for this role');

  const days = '/overview/activity?from=2026-03-01T00:00:00.000Z';
  const chart = good(await admin('GET', `${days}&until=${since}`), activity);
  const counted = await lengthOf(`/validations?from=2026-03-01T00:00:00.000Z&until=${since}`);
  assert.deepEqual(chart.days, [
    { from: '2026-03-01T00:00:00.000Z', validations: counted, duplicates: 0, blacklisted: 0 },
  ]);
  assert.equal((await admin('GET', `${days},later&until=${since}`)).status, 422);
});

test('the list of runs goes on where the page before ended', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  for (let n = 0; n < 5; n++) await site.upload(formOf(photoOf(n)));
  const first = good(await admin('GET', '/runs?limit=3'), runList);
  const rest = good(await admin('GET', `/runs?limit=3&cursor=${first.nextCursor ?? ''}`), runList);
  assert.equal(new Set([...first.items, ...rest.items].map(({ runId }) => runId)).size, 5);
  assert.equal(rest.nextCursor, null);
});

test('every screen has an address that opens it: a reload, a bookmark, a copied link', async (t) => {
  const { site } = await openDashboardSite(t);
  const app = readFileSync(join(import.meta.dirname, '../../../renderer/App.tsx'), 'utf8');
  const paths = [...app.matchAll(/(?:path: |route\()'([^'*]+)'/g)].map(([, path = '']) => path);
  assert.ok(paths.length > 15, 'the screens are listed otherwise than expected');
  for (const path of paths)
    for (const address of [path.replace(/\/:.*/, ''), path.replace(/:(\w+)\?/g, '1')]) {
      const answer = await site.call(`/${address}`, { token: null });
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/, `/${address}`);
    }
});

test('a person who mistyped an address gets a page, a program the envelope', async (t) => {
  const { site } = await openDashboardSite(t);
  const visit = (path: string, accept: string) => site.call(path, { token: null, headers: { accept } });
  const page = await visit('/validatons/7', 'text/html,*/*;q=0.8');
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.notEqual(page.status, 200);
  for (const [path, accept] of [
    ['/validatons/7', '*/*'],
    ['/api/v3/nothing', 'text/html,*/*;q=0.8'],
  ] as const) {
    const answer = await visit(path, accept);
    assert.equal(answer.status, 404);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  }
});
