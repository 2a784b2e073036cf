import { test } from 'node:test';
import assert from 'node:assert/strict';
import { blacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import { trusted } from '../../../core/contracts/ids.ts';
import { good, openDashboardSite } from './dashboardSite.ts';
import { CodedError } from '../../../core/contracts/errors/problem.ts';
import { flowList, flowRow, flowsSearched, type FlowRow } from '../../../core/contracts/flows.ts';

test('tool settings are a draft until the flow is saved, and can be dropped', async (t) => {
  const { as } = await openDashboardSite(t);
  const admin = await as('admin');
  const list = good(await admin('POST', '/blacklists', { name: 'Refused', description: null }), blacklistRow);
  const flow = good(await admin('POST', '/flows', { name: ' Border desk ' }), flowRow);
  assert.equal(flow.name, 'Border desk');
  assert.equal(flow.saved?.blacklistDetection.enabled, false);
  assert.equal(flow.draft, null);

  const blacklistDetection = {
    enabled: true,
    blacklistIds: [list.id],
    action: 'reject',
    targetFmr: null,
    targetFpir: null,
    ownRates: [{ blacklistId: list.id, targetFpir: 0.01 }],
  };
  const wanted = { blacklistDetection };
  const { revision } = flow;
  const drafted = good(await admin('PUT', `/flows/${flow.id}/tool`, { settings: wanted, revision }), flowRow);
  assert.equal(drafted.saved?.blacklistDetection.enabled, false, 'nothing is screened by a draft');
  assert.deepEqual(drafted.draft?.blacklistDetection, wanted.blacklistDetection);
  assert.deepEqual(drafted.blacklistNames, { [list.id]: 'Refused' });

  const put = async (settings: unknown, seen: FlowRow) =>
    good(await admin('PUT', `/flows/${flow.id}/tool`, { settings, revision: seen.revision }), flowRow);
  const dropped = await put(null, drafted);
  assert.equal(dropped.draft, null);
  const again = await put(wanted, dropped);
  const saved = good(await admin('POST', `/flows/${flow.id}/save`, { revision: again.revision }), flowRow);
  assert.equal(saved.draft, null);
  assert.equal(saved.version, 2);
  assert.deepEqual(saved.saved?.blacklistDetection, wanted.blacklistDetection);
  const twice = [0.01, 0.1].map((targetFpir) => ({ blacklistId: list.id, targetFpir }));
  const refused = { settings: { blacklistDetection: { ownRates: twice } }, revision: saved.revision };
  assert.equal((await admin('PUT', `/flows/${flow.id}/tool`, refused)).status, 422);
  const { items } = good(await admin('GET', '/flows'), flowList);
  const { lists: searched } = good(await admin('GET', '/flows/searched'), flowsSearched);
  assert.deepEqual(searched, [
    { id: null, persons: 0 },
    { id: list.id, persons: 0 },
  ]);
  assert.deepEqual(
    items.filter(({ system }) => !system),
    [saved],
  );
});

test('an operator neither replaces nor publishes a draft of another without seeing it', async (t) => {
  const { as } = await openDashboardSite(t);
  const [one, other] = [await as('admin'), await as('admin')];
  const seen = good(await one('POST', '/flows', { name: 'Border desk' }), flowRow);
  const put = (who: typeof one, enabled: boolean, { revision }: FlowRow) =>
    who('PUT', `/flows/${seen.id}/tool`, { settings: { duplicateDetection: { enabled } }, revision });
  const save = (who: typeof one, { revision }: FlowRow) =>
    who('POST', `/flows/${seen.id}/save`, { revision });
  const drafted = good(await put(one, true, seen), flowRow);
  const replaced = good(await put(other, false, drafted), flowRow);

  for (const late of [
    await put(one, true, seen),
    await one('PUT', `/flows/${seen.id}/tool`, { settings: null, revision: drafted.revision }),
    await save(one, drafted),
  ])
    assert.deepEqual([late.status, late.body.code], [409, 'FLOW_CHANGED'], late.text);

  const saved = good(await save(other, replaced), flowRow);
  assert.deepEqual([saved.version, saved.draft], [2, null]);
  assert.equal(saved.saved?.duplicateDetection.enabled, false);
  assert.equal((await save(one, replaced)).status, 409, 'what was published is not published again');
});

test('a draft that is stored while the flow is published stays a draft', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const flow = good(await admin('POST', '/flows', { name: 'Border desk' }), flowRow);
  const put = async (enabled: boolean, { revision }: FlowRow) => {
    const settings = { duplicateDetection: { enabled } };
    return good(await admin('PUT', `/flows/${flow.id}/tool`, { settings, revision }), flowRow);
  };
  const first = await put(true, flow);
  const { flows } = site.storage;
  const seen = { id: trusted.trustFlow(flow.id), revision: first.revision };
  const disabled = { duplicateDetection: { enabled: false } };
  const [drafted, saved] = await Promise.allSettled([
    flows.setDraft(site.company.id, seen, disabled, 'local-admin'),
    flows.save(site.company.id, seen, 'local-admin'),
  ]);
  assert.equal(drafted.status, 'fulfilled');
  assert.deepEqual(saved.status === 'rejected' && saved.reason, new CodedError('FLOW_CHANGED'));
  const now = (await flows.list(site.company.id)).find(({ id }) => id === flow.id);
  assert.equal(now?.draft?.duplicateDetection.enabled, false);
  assert.equal(now.version, 1);
});

test('an inactive blacklist cannot be selected, nor kept by saving the flow later', async (t) => {
  const { as } = await openDashboardSite(t);
  const admin = await as('admin');
  const list = good(await admin('POST', '/blacklists', { name: 'Refused', description: null }), blacklistRow);
  const flow = good(await admin('POST', '/flows', { name: 'Border desk' }), flowRow);
  const settings = { blacklistDetection: { enabled: true, blacklistIds: [list.id] } };
  const tool = { settings, revision: flow.revision };
  const drafted = good(await admin('PUT', `/flows/${flow.id}/tool`, tool), flowRow);
  await admin('PATCH', `/blacklists/${list.id}`, { status: 0 });
  for (const refused of [
    await admin('POST', `/flows/${flow.id}/save`, { revision: drafted.revision }),
    await admin('PUT', `/flows/${flow.id}/tool`, { ...tool, revision: drafted.revision }),
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
  assert.equal((await reviewer('POST', `/flows/${flow.id}/save`, { revision: flow.revision })).status, 403);
  assert.equal((await admin('PATCH', '/flows/999', { name: 'x' })).status, 404);
  assert.equal((await admin('PATCH', `/flows/${flow.id}`, { name: ' ' })).status, 422);
});

test('a flow that begins as a draft serves no verification until it is published', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const body = { name: 'Turnstiles', settings: { targetFmr: 1e-5 }, draft: true };
  const flow = good(await admin('POST', '/flows', body), flowRow);
  assert.deepEqual([flow.saved, flow.version, flow.draft?.targetFmr], [null, null, 1e-5]);
  const found = await site.storage.flows.find(site.company.id, trusted.trustFlow(flow.id));
  assert.equal(found?.version, null, 'no verification can begin with it');
  const dropped = await admin('PUT', `/flows/${flow.id}/tool`, { settings: null, revision: flow.revision });
  assert.equal(dropped.status, 422, 'a flow without version and draft would be nothing');
  const path = `/flows/${flow.id}/save`;
  const saved = good(await admin('POST', path, { revision: flow.revision }), flowRow);
  assert.deepEqual([saved.version, saved.draft, saved.saved?.targetFmr], [1, null, 1e-5]);
});
