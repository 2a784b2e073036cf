import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemState } from '../../../core/contracts/dashboard/system.ts';
import { TEST_SERVER } from '../../support/testServer.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

test('the System status screen lists the services of a database, and SQLite has one', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const report = { version: '1.0.0', address: null, draining: false, leads: false, answered: 7 };
  await site.storage.nodes?.report({ ...report, role: 'vision' });
  const { nodes } = good(await (await as('admin'))('GET', '/system'), systemState);
  if (TEST_SERVER === undefined) {
    assert.equal(nodes, null);
    return;
  }
  assert.ok(nodes);
  assert.equal(nodes.own, site.storage.nodes?.name);
  assert.deepEqual(
    nodes.all.map(({ name, role, alive, answered }) => [name, role, alive, answered]),
    [[nodes.own, 'vision', true, 7]],
  );
});

test('System status names the pipeline that the company uses for its workers', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const { workers } = good(await (await as('admin'))('GET', '/system'), systemState);
  assert.deepEqual(
    workers.map(({ work, version }) => [work, version]),
    [['faces', site.engine.vision.pipelineId]],
  );
});
