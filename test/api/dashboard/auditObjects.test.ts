/** The audit log of a person, found by a name or a number. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { auditPage } from '../../../core/contracts/audit.ts';
import { validationPage } from '../../../core/contracts/dashboard/validations.ts';
import { TEST_ACT } from '../../support/act.ts';
import { photoOf } from '../../support/people.ts';
import { answerImages } from '../engine.ts';
import { formOf } from '../site.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

test('the audit log finds who has seen a person by name and by number', async (t) => {
  const { site, as } = await openDashboardSite(t);
  await site.upload(formOf(photoOf(1), photoOf(2)));
  await answerImages(site, TEST_ACT.at, ['face', 'face']);
  const [reviewer, auditor] = [await as('reviewer'), await as('auditor')];
  const { items } = good(await reviewer('GET', '/validations'), validationPage);
  const seen = items[0]!;
  await reviewer('GET', `/validations/${seen.id}`);
  const about = async (object: string) =>
    good(await auditor('GET', `/audit?limit=50&object=${encodeURIComponent(object)}`), auditPage);
  const byNumber = await about(`validation:${seen.id}`);
  assert.ok(byNumber.items.some(({ action }) => action === 'validation.viewed'));
  const byName = await about(seen.name.toUpperCase());
  const sequences = ({ items: entries }: typeof byName) => entries.map(({ sequence }) => sequence);
  assert.ok(sequences(byNumber).every((sequence) => sequences(byName).includes(sequence)));
  const nobody = await about('No such name');
  assert.deepEqual([nobody.items, nobody.total, nobody.objects], [[], 0, 0]);
  assert.equal((await about('operator')).objects, 1, 'a kind alone is an object');
});

test('the log of the only company has the entries of the installation', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const note = { company: null, action: 'backup.taken', object: null } as const;
  await site.storage.audit.record(TEST_ACT, note);
  const auditor = await as('auditor');
  const taken = async () => good(await auditor('GET', '/audit?action=backup.taken'), auditPage).total;
  assert.equal(await taken(), 1);
  await site.newCompany();
  assert.equal(await taken(), 0, 'beside a second company they are of neither');
});
