/** Actions on many validations at once, and lists as files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CSV_START } from '../../../core/contracts/csv.ts';
import type { AuditFilter } from '../../../core/contracts/audit.ts';
import { findAnswer } from '../../../core/contracts/dashboard/paletteSearch.ts';
import { validationDetail, validationPage } from '../../../core/contracts/dashboard/validations.ts';
import { pathId } from '../../../core/contracts/ids.ts';
import { TEST_ACT } from '../../support/act.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { photoOf } from '../../support/people.ts';
import { answerImages } from '../engine.ts';
import { formOf } from '../site.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

test('many validations are decided with one note, sorted by score, and exported', async (t) => {
  const { site, newBlacklist, newFlow, verify } = await openScreeningSite(t);
  const barred = await newBlacklist('=Barred, "persons"', { people: [-1, 1] });
  const blacklistDetection = { enabled: true, blacklistIds: [barred.id], action: 'review' };
  const flow = await newFlow({ blacklistDetection });
  const hit = await verify(flow, 1);
  const clean = await verify(flow, 2);
  const none = await verify(flow, null);
  const { storage, company } = site;
  const face = (await storage.blacklists.photos(company.id, barred.id, { limit: 1 }))[0]!.faceId!;
  const selfies = await Promise.all(
    [hit, clean].map(({ id }) => storage.views.faceImageOf(company.id, pathId.trustValidation.parse(id))),
  );
  for (const [name, faces] of [
    ['Ada', [face, selfies[0]!.faceId]],
    ['Ben', [selfies[1]!.faceId]],
  ] as const) {
    const decision = {
      kind: 'same',
      faces: faces.map((one) => ({ face: one, side: 0 })),
      reason: null,
    } as const;
    await storage.persons.decide(company.id, { ...decision, person: { name } }, TEST_ACT);
  }
  await addOperator(site, 'Maren', 'admin');
  const cookie = await signIn(site, 'Maren');
  const call = (method: string, path: string, body?: unknown) =>
    ask(site, method, path, { cookie, ...(body !== undefined && { body }) });
  const list = async (query: string) =>
    good(await call('GET', `/validations?${query}`), validationPage).items;

  const [best, ...rest] = await list('sort=score');
  assert.deepEqual([best?.id, best?.bestMatch?.blacklistName], [hit.id, barred.name]);
  assert.deepEqual([best?.person?.name, best?.bestMatch?.person?.name], ['Ada', 'Ada']);
  assert.deepEqual(rest.map(({ bestMatch, person }) => [bestMatch, person?.name]).toSorted(), [
    [null, undefined],
    [null, 'Ben'],
  ]);
  const found = good(await call('GET', '/find?text=ada'), findAnswer);
  assert.deepEqual(
    found.persons.map(({ name, photos }) => [name, photos]),
    [['Ada', 2]],
  );
  assert.equal((await list('status=4'))[0]?.incompleteReason, 'NO_SELFIE');
  const detailOf = async ({ id }: Record<string, unknown>) =>
    good(await call('GET', `/validations/${String(id)}`), validationDetail);
  assert.equal((await detailOf(none)).incompleteReason, 'NO_SELFIE');
  const selfie = (await detailOf(clean)).history.find(({ action }) => action === 'selfie-accepted');
  assert.equal(
    selfie?.operator,
    (await storage.apiTokens.list(company.id))[0]?.name,
    'a program by its token',
  );
  const first = good(await call('GET', '/validations?sort=name&order=asc&limit=1'), validationPage);
  const next = await list(`sort=name&order=asc&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
  assert.deepEqual(
    next.map(({ id }) => id),
    [clean.id, none.id],
  );
  assert.equal((await call('GET', '/validations?cursor=nothing')).status, 422);

  const decided = await call('POST', '/validations/decisions', {
    decision: 'reject',
    note: 'Checked together.',
    validations: [
      { id: hit.id, seenStatus: 2 },
      { id: clean.id, seenStatus: 2 },
      { id: 987654, seenStatus: 2 },
    ],
  });
  assert.deepEqual(decided.body, {
    results: [
      { id: hit.id, outcome: 'decided' },
      { id: clean.id, outcome: 'changed' },
      { id: 987654, outcome: 'unknown' },
    ],
  });
  const entries = await site.storage.audit.list(site.company.id, { filter: {}, limit: 20 });
  assert.deepEqual(
    entries
      .filter(({ action }) => /^validation\..*decided$/.test(action))
      .map(({ action, object, details }) => [action, object, JSON.parse(details) as unknown]),
    [
      ['validation.decided', `validation:${String(hit.id)}`, { from: 2, to: 1 }],
      ['validation.batch-decided', null, { to: 1, validations: 3 }],
    ],
  );

  const file = async (path: string, body: object) => {
    const { status, text, headers } = await call('POST', path, body);
    assert.equal(status, 200, text);
    assert.match(headers.get('content-type') ?? '', /^text\/csv/);
    return text.replace('\ufeff', '').trimEnd().split('\r\n');
  };
  const columns = ['number', 'person', 'status', 'bestMatchIn', 'incompleteReason'];
  assert.deepEqual(await file('/validations/export', { rows: 'validations', filter: {}, columns }), [
    'number,person,status,bestMatchIn,incompleteReason',
    `${String(none.id)},,Incomplete,,NO_SELFIE`,
    `${String(clean.id)},Ben,Verified,,`,
    `${String(hit.id)},Ada,Rejected,"'=Barred, ""persons""",`,
  ]);
  const one = { rows: 'validations', filter: {}, ids: [clean.id], columns: ['number'] };
  assert.deepEqual(await file('/validations/export', one), ['number', String(clean.id)]);
  const oldest = { rows: 'validations', filter: { sort: 'name', order: 'asc' }, columns: ['name'] };
  const names = await file('/validations/export', oldest);
  assert.deepEqual(names.slice(1), names.slice(1).toSorted(), 'in the order of the screen');
  const matches = await file('/validations/export', { rows: 'matches', filter: {} });
  assert.match(matches[0]!, /^validation,name,reference,.*,blacklist,severity,reason,matchedName,/);
  assert.equal(matches.length, 2);
  assert.match(matches[1]!, new RegExp(`^${String(hit.id)},.*,Rejected,blacklist,.*,Person 1,Ada,`));
  const faces = await file(`/blacklists/${barred.id}/faces/export`, {});
  assert.match(faces[1]!, /^\d+,Person 1,Ada,Enrolled,/);
  assert.match(faces[2]!, /^,Person -1,,Failed,NO_FACE,/);
  const exports = await site.storage.audit.list(site.company.id, {
    filter: { action: 'export.taken' },
    limit: 9,
  });
  assert.deepEqual(
    exports.map(({ object, details }) => [object, JSON.parse(details) as unknown]),
    [
      [`blacklist:${barred.id}`, { kind: 'blacklistFaces', rows: 2 }],
      [null, { kind: 'matchList', rows: 1 }],
      [null, { kind: 'validationList', rows: 3 }],
      [null, { kind: 'validationList', rows: 1 }],
      [null, { kind: 'validationList', rows: 3 }],
    ],
  );
  assert.equal((await call('POST', '/blacklists/987654/faces/export', {})).status, 404);

  await call('GET', `/validations/${String(hit.id)}`);
  const newest = async (filter: AuditFilter) =>
    (await site.storage.audit.list(site.company.id, { filter, limit: 1 }))[0]?.action;
  assert.equal(await newest({}), 'validation.viewed');
  assert.equal(await newest({ views: 'hidden' }), 'export.taken', 'views can be left out');
});

test('photos of enrolment are Enrolled in lists and files, and no verification', async (t) => {
  const { site, as } = await openDashboardSite(t);
  await site.upload(formOf(photoOf(1)));
  await answerImages(site, TEST_ACT.at, ['face']);
  const reviewer = await as('reviewer');
  const listed = async (query: string) =>
    good(await reviewer('GET', `/validations?${query}`), validationPage).items;
  assert.deepEqual(
    (await listed('status=3&source=enrolment')).map(({ status, source }) => [status, source]),
    [[3, 'enrolment']],
  );
  assert.deepEqual(await listed('status=3&source=verification'), []);
});

test('every CSV file begins with the byte order mark that spreadsheets need', async (t) => {
  const { site, newBlacklist } = await openScreeningSite(t);
  const list = await newBlacklist('Barred persons');
  await addOperator(site, 'Maren Holt', 'admin');
  const cookie = await signIn(site, 'Maren Holt');
  const files = [
    ['POST', '/validations/export', { rows: 'validations', filter: {}, columns: ['number'] }],
    ['POST', '/validations/export', { rows: 'matches', filter: {} }],
    ['POST', `/blacklists/${list.id}/faces/export`, {}],
    ['POST', '/duplicates/export', { filter: {} }],
    ['GET', '/audit/export?format=csv', undefined],
  ] as const;
  for (const [method, path, body] of files) {
    // A text of `fetch` has lost its mark.
    const answer = await fetch(`${site.address}/api/dashboard${path}`, {
      method,
      headers: { cookie, origin: site.address, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.equal(answer.status, 200, path);
    const [...start] = new Uint8Array(await answer.arrayBuffer()).subarray(0, 3);
    assert.deepEqual(start, [...Buffer.from(CSV_START)], path);
  }
});
