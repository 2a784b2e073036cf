import { test } from 'node:test';
import assert from 'node:assert/strict';
import { blacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import { flowList, flowRow } from '../../../core/contracts/dashboard/flows.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

test('tool settings are a draft until the flow is saved, and can be dropped', async (t) => {
  const { as } = await openDashboardSite(t);
  const admin = await as('admin');
  const list = good(await admin('POST', '/blacklists', { name: 'Refused', description: null }), blacklistRow);
  const flow = good(await admin('POST', '/flows', { name: ' Border desk ' }), flowRow);
  assert.equal(flow.name, 'Border desk');
  assert.equal(flow.saved?.blacklistDetection.enabled, false);
  assert.equal(flow.draft, null);

  const wanted = { blacklistDetection: { enabled: true, blacklistIds: [list.id], action: 'reject' } };
  const drafted = good(await admin('PUT', `/flows/${flow.id}/tool`, wanted), flowRow);
  assert.equal(drafted.saved?.blacklistDetection.enabled, false, 'nothing is screened by a draft');
  assert.deepEqual(drafted.draft?.blacklistDetection, wanted.blacklistDetection);
  assert.deepEqual(drafted.blacklistNames, { [list.id]: 'Refused' });

  const dropped = good(await admin('DELETE', `/flows/${flow.id}/tool`), flowRow);
  assert.equal(dropped.draft, null);
  await admin('PUT', `/flows/${flow.id}/tool`, wanted);
  const saved = good(await admin('POST', `/flows/${flow.id}/save`), flowRow);
  assert.equal(saved.draft, null);
  assert.equal(saved.version, 2);
  assert.deepEqual(saved.saved?.blacklistDetection, wanted.blacklistDetection);
  const { items, enrolledFaces } = good(await admin('GET', '/flows'), flowList);
  assert.equal(enrolledFaces, 0);
  assert.deepEqual(
    items.filter(({ system }) => !system),
    [saved],
  );
});

test('a draft that another operator stores while the flow is saved is not lost', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const flow = good(await admin('POST', '/flows', { name: 'Border desk' }), flowRow);
  const tool = (enabled: boolean) => ({ duplicateDetection: { enabled } });
  const [first, second] = [tool(true), tool(false)];
  await admin('PUT', `/flows/${flow.id}/tool`, first);
  const { flows } = site.storage;
  const saveVersion = flows.saveVersion.bind(flows);
  t.mock.method(flows, 'saveVersion', async (...wanted: Parameters<typeof saveVersion>) => {
    t.mock.restoreAll();
    await admin('PUT', `/flows/${flow.id}/tool`, second);
    return saveVersion(...wanted);
  });
  const saved = good(await admin('POST', `/flows/${flow.id}/save`), flowRow);
  assert.equal(saved.saved?.duplicateDetection.enabled, false);
  assert.equal(saved.draft, null);
  assert.equal(saved.version, 2);
});

test('an inactive blacklist cannot be selected, nor kept by saving the flow later', async (t) => {
  const { as } = await openDashboardSite(t);
  const admin = await as('admin');
  const list = good(await admin('POST', '/blacklists', { name: 'Refused', description: null }), blacklistRow);
  const flow = good(await admin('POST', '/flows', { name: 'Border desk' }), flowRow);
  const tool = { blacklistDetection: { enabled: true, blacklistIds: [list.id] } };
  assert.equal((await admin('PUT', `/flows/${flow.id}/tool`, tool)).status, 200);
  await admin('PATCH', `/blacklists/${list.id}`, { status: 0 });
  for (const refused of [
    await admin('POST', `/flows/${flow.id}/save`),
    await admin('PUT', `/flows/${flow.id}/tool`, tool),
  ]) {
    assert.equal(refused.status, 422, refused.text);
    assert.ok('blacklistDetection.blacklistIds.0' in (refused.body.errors as object));
  }
});

test('flows are of one company, and only who may write changes them', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const flow = good(await admin('POST', '/flows', { name: 'Border desk' }), flowRow);
  const rival = await site.newCompany();
  assert.deepEqual(
    (await site.storage.flows.list(rival.id)).filter(({ system }) => !system),
    [],
  );
  const reviewer = await as('reviewer');
  assert.equal((await reviewer('GET', '/flows')).status, 200);
  assert.equal((await reviewer('POST', `/flows/${flow.id}/save`)).status, 403);
  assert.equal((await admin('PATCH', '/flows/999', { name: 'x' })).status, 404);
  assert.equal((await admin('PATCH', `/flows/${flow.id}`, { name: ' ' })).status, 422);
});
