import { createHash } from 'node:crypto';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import {
  comparisonAnswer,
  comparisonPage,
  comparisonRow,
  knownSetAnswer,
  knownSetRow,
} from '../../../core/contracts/dashboard/signatures.ts';
import { PNG } from '../site.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

const file = (text: string) => Buffer.concat([PNG.subarray(0, 8), Buffer.from(text)]);
const uri = (text: string) => `data:image/png;base64,${file(text).toString('base64')}`;
const pair = (one: string, references: { template_id: string; verification_id: string }) => ({
  image1: uri(one),
  image2: uri('x'),
  ...references,
});
const FIRST = { template_id: 'accounts', verification_id: 'v-1' };

test('a dashboard comparison is kept with its operator and both hashes', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const reviewer = await as('reviewer');
  const answer = good(await reviewer('POST', '/signatures/compare', pair('91', FIRST)), comparisonAnswer);
  assert.equal(answer.similarity, 91);
  assert.equal(answer.operator, 'reviewer');
  assert.equal(answer.sha256.image1, createHash('sha256').update(file('91')).digest('hex'));
  assert.equal(answer.alignment?.length, 6);
  const kept = good(await reviewer('GET', `/signatures/${answer.id}`), comparisonRow);
  assert.equal(kept.sha256.image2, answer.sha256.image2);
  const audit = await site.storage.audit.list(site.company.id, {
    filter: { action: 'signature.compared' },
    limit: 10,
  });
  assert.deepEqual(
    audit.map(({ actor, object }) => [actor, object]),
    [[kept.credential, `signatureComparison:${kept.id}`]],
  );
});

test('the history is found by the references of either', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const reviewer = await as('reviewer');
  const second = { template_id: 'leases', verification_id: 'v-2' };
  for (const [one, references] of [
    ['91', FIRST],
    ['55', second],
    ['blank', { ...FIRST, verification_id: 'v-3' }],
  ] as const)
    good(await reviewer('POST', '/signatures/compare', pair(one, references)), comparisonAnswer);
  const ids = async (query: string) =>
    good(await reviewer('GET', `/signatures${query}`), comparisonPage).items.map((row) => row.verificationId);
  assert.deepEqual(await ids(''), ['v-3', 'v-2', 'v-1']);
  assert.deepEqual(await ids('?template_id=accounts'), ['v-3', 'v-1']);
  assert.deepEqual(await ids('?verification_id=v-2'), ['v-2']);
  assert.deepEqual(await ids('?verdict=INCONCLUSIVE'), ['v-3']);
  const page = good(await reviewer('GET', '/signatures?limit=2'), comparisonPage);
  assert.equal(page.total, 3);
  assert.deepEqual(await ids(`?limit=2&cursor=${page.nextCursor ?? ''}`), ['v-1']);
  const rival = await site.newCompany();
  assert.equal(await site.storage.comparisons.count(rival.id, {}), 0);
});

test('a known set is compared with its pictures and alignments, and is in the history', async (t) => {
  const { as } = await openDashboardSite(t);
  const reviewer = await as('reviewer');
  const known = ['90 a', '85 b', '60 c'].map(uri);
  const sent = { questioned: uri('q'), known, ...FIRST };
  const answer = good(await reviewer('POST', '/signatures/compare-known', sent), knownSetAnswer);
  assert.equal(answer.operator, 'reviewer');
  assert.equal(answer.known.findings?.nearest, 0);
  assert.equal(answer.pictures.known.filter((picture) => picture !== null).length, 3);
  assert.deepEqual(
    answer.alignments?.map(({ length }) => length),
    [6, 6, 6],
  );
  const kept = good(await reviewer('GET', `/signatures/${answer.id}`), knownSetRow);
  assert.deepEqual(kept.known, answer.known);
  good(await reviewer('POST', '/signatures/compare', pair('91', FIRST)), comparisonAnswer);
  const { items } = good(await reviewer('GET', '/signatures?template_id=accounts'), comparisonPage);
  assert.deepEqual(
    items.map((row) => 'known' in row),
    [false, true],
  );
  const investigator = await as('investigator');
  const path = `/signatures/${answer.id}/known-report`;
  for (const body of [{}, { questioned: sent.questioned, known, language: 'ar' }]) {
    const report = await investigator('POST', path, body);
    assert.deepEqual([report.status, report.text.slice(0, 5)], [200, '%PDF-'], report.text.slice(0, 300));
  }
  const swapped = { questioned: sent.questioned, known: [known[1], known[0], known[2]] };
  const other = await investigator('POST', path, swapped);
  assert.deepEqual([other.status, Object.keys(other.body.errors as object)], [422, ['known.0', 'known.1']]);
  assert.equal((await reviewer('POST', path, {})).status, 403);
  assert.equal((await investigator('POST', `/signatures/${answer.id}/report`, {})).status, 404);
  const faulty = await reviewer('POST', '/signatures/compare-known', { ...sent, known: [known[0], 'x'] });
  assert.deepEqual([faulty.status, Object.keys(faulty.body.errors as object)], [422, ['known.1']]);
  const blank = { ...sent, questioned: uri('blank') };
  const none = good(await reviewer('POST', '/signatures/compare-known', blank), knownSetAnswer);
  assert.deepEqual([none.verdict, none.known.reasons.questioned], ['INCONCLUSIVE', 'BLANK']);
  assert.equal(none.alignments, null);
});

test('an auditor reads the history and compares nothing', async (t) => {
  const { as } = await openDashboardSite(t);
  const auditor = await as('auditor');
  assert.equal((await auditor('GET', '/signatures')).status, 200);
  assert.equal((await auditor('POST', '/signatures/compare', pair('91', FIRST))).status, 403);
});

test('a report states the stored result, takes only its files, and is logged', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const investigator = await as('investigator');
  const { id } = good(await investigator('POST', '/signatures/compare', pair('91', FIRST)), comparisonAnswer);
  const path = `/signatures/${id}/report`;
  const { image1, image2 } = pair('91', FIRST);
  for (const body of [{}, { image1, image2, language: 'ar' }]) {
    const answer = await investigator('POST', path, body);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('content-type'), 'application/pdf');
    assert.ok(answer.text.startsWith('%PDF-'));
  }
  const other = await investigator('POST', path, { image1: uri('92'), image2 });
  assert.equal(other.status, 422);
  assert.deepEqual(Object.keys(other.body.errors as object), ['image1']);
  const taken = await site.storage.audit.list(site.company.id, {
    filter: { action: 'export.taken' },
    limit: 10,
  });
  assert.equal(taken.length, 2);
  const reviewer = await as('reviewer');
  assert.equal((await reviewer('POST', path, {})).status, 403);
  assert.equal((await investigator('POST', '/signatures/999/report', {})).status, 404);
});
