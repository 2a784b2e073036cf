import { test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { auditPage } from '../../../core/contracts/audit.ts';
import { demoState } from '../../../core/contracts/dashboard/overview.ts';
import { TEST_ACT } from '../../support/act.ts';
import { photoOf } from '../../support/people.ts';
import { answerImages } from '../engine.ts';
import { formOf } from '../site.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

test('removing the demo photos erases all of them, and no other photo', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const run = randomUUID();
  const send = async (query: string, ...people: number[]) => {
    const answer = await admin('POST', `/uploads?${query}`, formOf(...people.map((one) => photoOf(one))));
    assert.equal(answer.status, 202, answer.text);
  };
  const left = async () => good(await admin('GET', '/demo'), demoState).photos;
  assert.equal(await left(), 0);
  await send(`demo=true&run=${run}&runName=Demo`, 1, 2, 3);
  // A photo without the mark does not join the run, whatever id it declares.
  await send(`run=${run}`, 4);
  await answerImages(site, TEST_ACT.at, ['face', 'face', 'NO_FACE', 'face']);
  assert.equal(await left(), 3);
  const operator = await as('operator');
  assert.equal((await operator('DELETE', '/demo')).status, 403);

  assert.equal(good(await admin('DELETE', '/demo'), demoState).photos, 0);
  for (const [id, status] of [
    [1, 404],
    [2, 404],
    [3, 200],
  ] as const)
    assert.equal((await admin('GET', `/validations/${id}`)).status, status, `validation ${id}`);
  assert.equal(await left(), 0);
  assert.equal(good(await admin('DELETE', '/demo'), demoState).photos, 0, 'a second time changes nothing');
  const auditor = await as('auditor');
  const { items } = good(await auditor('GET', '/audit?actor=operator&limit=50'), auditPage);
  const actions = items.map(({ action }) => action);
  assert.equal(actions.filter((action) => action === 'upload.accepted').length, 2);
  assert.equal(actions.filter((action) => action === 'person.erased').length, 1);
});
