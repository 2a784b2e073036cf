import { test } from 'node:test';
import assert from 'node:assert/strict';
import { auditPage } from '../../../core/contracts/audit.ts';
import {
  erasureAnswer,
  erasureList,
  receiptVerdict,
  erasurePlan,
  signedReceipt,
} from '../../../core/contracts/erasure.ts';
import { trusted } from '../../../core/contracts/ids.ts';
import { retentionPreview } from '../../../core/contracts/retention.ts';
import { TEST_ACT } from '../../support/act.ts';
import { photoOf } from '../../support/people.ts';
import { answerImages } from '../engine.ts';
import { formOf } from '../site.ts';
import { TEST_SERVER } from '../../support/testServer.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

const KEEP = {
  enrolled: null,
  verified: null,
  rejected: null,
  reviewNeeded: null,
  incomplete: null,
  blacklistFaces: null,
  failedPhotos: null,
  comparisons: null,
};

test('an admin sees what would go, confirms that very plan, and has the receipt', async (t) => {
  const { site, as } = await openDashboardSite(t);
  await site.upload(formOf(photoOf(1), photoOf(2)));
  await answerImages(site, TEST_ACT.at, ['face', 'face']);
  const admin = await as('admin');
  const choice = { validations: [1] };
  const pair = [trusted.face(2), trusted.face(1)] as const;
  const early = good(await admin('POST', '/erasures/plan', { choice }), erasurePlan);
  const examination = await site.storage.examinations.begin(site.company.id, pair, TEST_ACT);
  const plan = good(await admin('POST', '/erasures/plan', { choice }), erasurePlan);
  assert.deepEqual(
    [plan.validations.map(({ id }) => id), plan.images.count, plan.photos.length],
    [[1], 1, 1],
  );
  assert.deepEqual(plan.examinations, [{ id: examination, at: TEST_ACT.at.toISOString() }]);
  assert.notEqual(plan.code, early.code);
  const stale = await admin('POST', '/erasures', { choice, code: '0000', copies: 'keep' });
  assert.equal(stale.status, 409);
  assert.equal((await admin('POST', '/erasures/plan', { choice: {} })).status, 422);
  assert.equal((await admin('POST', '/erasures/plan', { choice: { faces: [99] } })).status, 404);

  const done = good(
    await admin('POST', '/erasures', { choice, code: plan.code, copies: 'keep' }),
    erasureAnswer,
  );
  // The pages of a server are not searched.
  assert.ok(done.signed !== null);
  assert.equal(done.signed.receipt.erased.examinations, 1);
  assert.equal(done.signed.receipt.proof?.found, TEST_SERVER === undefined ? 0 : undefined);
  assert.match(done.signed.receipt.by, /^operator:/);
  assert.equal((await admin('GET', '/validations/1')).status, 404);
  assert.equal((await admin('GET', '/validations/2')).status, 200);
  assert.deepEqual(good(await admin('GET', `/erasures/${done.id}`), signedReceipt), done.signed);
  const { items } = good(await admin('GET', '/erasures'), erasureList);
  assert.deepEqual(
    items.map(({ id, finished, validations, byName, found, verified }) => [
      ...[id, finished, validations],
      ...[byName, found, verified],
    ]),
    [[done.id, true, 1, 'admin', done.signed.receipt.proof?.found ?? null, true]],
  );
});

test('an auditor reads, checks and downloads receipts as a PDF, which is logged', async (t) => {
  const { site, as } = await openDashboardSite(t);
  await site.upload(formOf(photoOf(1)));
  await answerImages(site, TEST_ACT.at, ['face']);
  const admin = await as('admin');
  const choice = { validations: [1] };
  const { code } = good(await admin('POST', '/erasures/plan', { choice }), erasurePlan);
  const body = { choice, code, copies: 'keep' };
  const { id } = good(await admin('POST', '/erasures', body), erasureAnswer);
  const auditor = await as('auditor');
  assert.equal((await auditor('POST', '/erasures/plan', { choice })).status, 403);
  const signed = good(await auditor('GET', `/erasures/${id}`), signedReceipt);
  const ours = async (receipt: typeof signed) =>
    good(await auditor('POST', '/erasures/verify', receipt), receiptVerdict).ours;
  assert.equal(await ours(signed), true);
  assert.equal(await ours({ ...signed, receipt: { ...signed.receipt, by: 'local-admin' } }), false);
  const lastByte = signed.publicKey.endsWith('00') ? '01' : '00';
  assert.equal(await ours({ ...signed, publicKey: signed.publicKey.slice(0, -2) + lastByte }), false);
  for (const language of ['en', 'ar']) {
    const pdf = await auditor('POST', `/erasures/${id}/report`, { language });
    assert.match(pdf.text, /^%PDF-/);
  }
  const { items } = good(await auditor('GET', '/audit?action=export.taken'), auditPage);
  assert.deepEqual(items[0]?.details, { kind: 'erasureReceipt', rows: 1 });
  assert.equal(
    (await auditor('POST', '/erasures/5f0c6f1e-0d2b-4c56-9a53-7f3a2f4f3b11/report', {})).status,
    404,
  );
});

test('a retention rule needs the code of its preview, then erases what is due', async (t) => {
  const { site, as } = await openDashboardSite(t);
  await site.upload(formOf(photoOf(1), photoOf(2)));
  await answerImages(site, TEST_ACT.at, ['face', 'face']);
  const admin = await as('admin');
  assert.deepEqual(good(await admin('GET', '/retention'), retentionPreview).rules, KEEP);
  const rules = { ...KEEP, enrolled: 1 };
  const preview = good(await admin('POST', '/retention/preview', { rules }), retentionPreview);
  assert.equal(preview.due.enrolled, 2);
  assert.deepEqual(
    good(await admin('GET', '/retention'), retentionPreview).rules,
    KEEP,
    'a look sets nothing',
  );
  const other = { rules: { ...rules, rejected: 1 }, code: preview.code };
  assert.equal((await admin('PUT', '/retention', other)).status, 409);
  assert.equal(
    (await admin('PUT', '/retention', { rules: { enrolled: 0 }, code: preview.code })).status,
    422,
  );
  const set = good(await admin('PUT', '/retention', { rules, code: preview.code }), retentionPreview);
  assert.deepEqual(set.rules, rules);
});
