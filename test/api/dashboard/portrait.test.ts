/** Portrait checks of a stored face and of a file that is stored nowhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portraitApi, portraitChecks } from '../../../core/contracts/portrait.ts';
import { NOBODY, photoOf } from '../../support/people.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { answerImages } from '../engine.ts';
import { formOf } from '../site.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

const AT = new Date('2026-03-01T12:00:10.000Z');

test('portrait checks are of the own company alone, logged, and of files not stored', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const { storage, company } = site;
  const admin = await as('admin');
  await admin('POST', '/uploads', formOf(photoOf(1)));
  await answerImages(site, AT, ['face']);
  const measured = { refused: null, checks: [{ component: 'headSize', native: 0.45, value: 100 }] };
  assert.deepEqual(good(await admin('GET', '/faces/1/portrait'), portraitChecks), measured);
  const [entry] = await storage.audit.list(company.id, { filter: {}, limit: 1 });
  assert.deepEqual([entry?.action, entry?.object], ['image.read', 'face:1']);
  await addOperator(site, 'Eve', 'admin', await site.newCompany());
  const other = await ask(site, 'GET', '/faces/1/portrait', { cookie: await signIn(site, 'Eve') });
  assert.equal(other.status, 404);

  const { terminal } = site.engine;
  const ofFile = (body: Buffer) => terminal.ask(portraitApi.ofFile, { company: company.name, body });
  assert.deepEqual(await ofFile(photoOf(2)), measured);
  assert.deepEqual((await ofFile(NOBODY)).checks, []);
  assert.equal(
    (await storage.audit.list(company.id, { filter: { action: 'image.read' }, limit: 9 })).length,
    1,
  );
});
