import { test } from 'node:test';
import assert from 'node:assert/strict';
import { formOf, JPEG, openSite } from '../site.ts';
import { addOperator, ask, signIn } from './operators.ts';

test('an auditor reads what was done in the company, by whom, and nothing of another company', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'reviewer');
  await addOperator(site, 'Odo', 'auditor');
  await addOperator(site, 'Eve', 'admin', await site.newCompany());
  await site.upload(formOf(JPEG));
  const cookie = await signIn(site, 'Odo');
  await signIn(site, 'Eve');
  const { status, body } = await ask(site, 'GET', '/audit?limit=3', { cookie });
  assert.equal(status, 200);
  const items = body.items as { actor: string; action: string; outcome: string; facts: object }[];
  assert.deepEqual(
    items.map(({ actor, action, outcome }) => `${actor} ${action} ${outcome}`),
    ['operator:2 session.opened done', 'token:1 upload.accepted done', 'owner operator.created done'],
  );
  assert.deepEqual(items[1]?.facts, { kind: 'duplicate', images: 1 });
  const reviewer = await signIn(site, 'Ana');
  assert.equal((await ask(site, 'GET', '/audit', { cookie: reviewer })).status, 403);
});
