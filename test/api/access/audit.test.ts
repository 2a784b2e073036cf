import { problem } from '../../../core/contracts/errors/problem.ts';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { auditPage, auditState, auditVerdict } from '../../../core/contracts/audit.ts';
import { formOf, JPEG, openSite } from '../site.ts';
import { addOperator, ask, PASSPHRASE, signIn } from './operators.ts';

test('an auditor reads who did what in the company, and nothing of another one', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'reviewer');
  await addOperator(site, 'Odo', 'auditor');
  await addOperator(site, 'Eve', 'admin', await site.newCompany());
  await site.upload(formOf(JPEG));
  const cookie = await signIn(site, 'Odo');
  await signIn(site, 'Eve');
  const { status, body } = await ask(site, 'GET', '/audit?limit=3', { cookie });
  assert.equal(status, 200);
  const items = body.items as { actor: string; action: string; outcome: string; details: object }[];
  assert.deepEqual(
    items.map(({ actor, action, outcome }) => `${actor} ${action} ${outcome}`),
    ['operator:2 session.opened done', 'token:1 upload.accepted done', 'local-admin operator.created done'],
  );
  assert.deepEqual(items[1]?.details, { kind: 'duplicate', images: 1 });
  const reviewer = await signIn(site, 'Ana');
  assert.equal((await ask(site, 'GET', '/audit', { cookie: reviewer })).status, 403);
});

test('the audit log is filtered, counted and paged', async (t) => {
  const site = await openSite(t);
  const bea = await addOperator(site, 'Bea', 'reviewer');
  await addOperator(site, 'Odo', 'auditor');
  for (let n = 0; n < 5; n += 1) await site.upload(formOf(JPEG));
  await ask(site, 'POST', '/session', { body: { operator: 'Bea', passphrase: 'not the passphrase' } });
  site.setTime(new Date('2026-03-02T00:00:00.000Z'));
  const cookie = await signIn(site, 'Odo');
  const page = async (query: string) => {
    const { status, body, text } = await ask(site, 'GET', `/audit?${query}`, { cookie });
    assert.equal(status, 200, text);
    return auditPage.parse(body);
  };
  const uploads = await page('action=upload.accepted&limit=2');
  assert.deepEqual([uploads.items.length, uploads.total], [2, 5]);
  const next = await page(`action=upload.accepted&limit=4&before=${uploads.nextBefore ?? 0}`);
  assert.deepEqual([next.items.length, next.nextBefore], [3, null]);
  assert.equal(uploads.items[0]?.actorName, 'a program');
  assert.equal((await page('actor=token')).total, 5);
  assert.equal((await page('actor=token:99')).total, 0);
  const refused = await page('outcome=refused');
  assert.deepEqual(
    refused.items.map(({ action, objectName }) => `${action} ${objectName ?? ''}`),
    ['session.refused Bea'],
  );
  assert.equal((await page(`object=operator:${bea.id}`)).total, 2);
  assert.equal((await page('from=2026-03-02T00:00:00.000Z')).total, 1);
  assert.equal((await page('to=2026-03-02T00:00:00.000Z&actor=operator')).total, 0);
  assert.equal((await ask(site, 'GET', '/audit?actor=x%27--', { cookie })).status, 422);
});

test('an auditor verifies and anchors the log; damage is named, reading adds nothing', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Odo', 'auditor');
  const cookie = await signIn(site, 'Odo');
  const anchored = auditState.parse((await ask(site, 'POST', '/audit/anchor', { cookie })).body);
  assert.deepEqual(anchored.anchor, anchored.head);
  assert.equal((await site.storage.anchors.read()).kept[0]?.anchors.at(-1)?.hash, anchored.head?.hash);
  const verdict = auditVerdict.parse((await ask(site, 'POST', '/audit/verify', { cookie })).body);
  assert.deepEqual([verdict.whole, verdict.anchoredUpTo], [true, anchored.head?.sequence]);
  const state = auditState.parse((await ask(site, 'GET', '/audit/state', { cookie })).body);
  assert.equal(state.lastVerified?.actorName, 'Odo');
  // An anchor of a later head: the log was truncated or rolled back.
  await site.storage.anchors.next(() => Promise.resolve({ ...anchored.head!, sequence: 99 }));
  const before = await site.storage.audit.head(new Date());
  const bad = auditVerdict.parse((await ask(site, 'POST', '/audit/verify', { cookie })).body);
  assert.equal(bad.whole, false);
  assert.ok(bad.firstBad !== null);
  assert.equal((await site.storage.audit.head(new Date()))?.sequence, before?.sequence);
});

test('a damaged anchor line is named and stops nothing', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Odo', 'auditor');
  const cookie = await signIn(site, 'Odo');
  const anchor = () => ask(site, 'POST', '/audit/anchor', { cookie });
  const first = auditState.parse((await anchor()).body);
  const file = join(site.folder, 'audit-anchors.jsonl');
  const damage = '{"sequence":"three",';
  appendFileSync(file, damage);
  assert.equal((await anchor()).status, 200);
  assert.deepEqual(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line === damage),
    [false, true, false, false],
  );
  const { status, body } = await ask(site, 'POST', '/audit/verify', { cookie });
  assert.equal(status, 200);
  const { whole, anchors, firstBad } = auditVerdict.parse(body);
  assert.deepEqual([whole, anchors], [false, 2]);
  assert.equal(firstBad?.sequence, (first.head?.sequence ?? 0) + 1);
  assert.deepEqual(
    firstBad.problem,
    problem('AUDIT_ANCHOR_UNREADABLE', { line: 2, file: 'audit-anchors.jsonl' }),
  );
  await site.restart();
});

test('twenty anchor requests at once are all answered, in order', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Odo', 'auditor');
  const cookie = await signIn(site, 'Odo');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(site, 'POST', '/audit/anchor', { cookie })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const [file] = (await site.storage.anchors.read()).kept;
  const numbers = file!.anchors.map(({ sequence }) => sequence);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  const verdict = auditVerdict.parse((await ask(site, 'POST', '/audit/verify', { cookie })).body);
  assert.equal(verdict.firstBad, null);
});

test('a log that contradicts an anchor gets no other anchor, and a remedy', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Odo', 'auditor');
  const cookie = await signIn(site, 'Odo');
  const head = (await site.storage.audit.head(new Date()))!;
  await site.storage.anchors.next(() => Promise.resolve({ ...head, sequence: head.sequence + 50 }));
  const before = await site.storage.anchors.text();
  const { status, body } = await ask(site, 'POST', '/audit/anchor', { cookie });
  assert.deepEqual([status, body.code], [409, 'AUDIT_CONTRADICTED']);
  assert.equal(await site.storage.anchors.text(), before);
  assert.equal((await site.storage.audit.head(new Date()))?.sequence, head.sequence);
});

test('a caller refused without end does not fill the audit log', async (t) => {
  const site = await openSite(t);
  const body = { operator: 'Ana', recoveryCode: 'no key at all', passphrase: PASSPHRASE };
  for (let n = 0; n < 45; n += 1)
    assert.equal((await ask(site, 'POST', '/session/recover', { body })).status, 401);
  const before = (await site.storage.audit.head(new Date()))?.sequence ?? 0;
  await ask(site, 'POST', '/session/recover', { body });
  assert.equal((await site.storage.audit.head(new Date()))?.sequence, before);
  await addOperator(site, 'Ana', 'admin');
  await ask(site, 'POST', '/session/recover', { body });
  const [entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'session.refused' },
    limit: 1,
  });
  assert.equal(entry?.details, '{"withinHour":1}');
});

test('an export holds every filtered entry as CSV or JSON lines, and is logged', async (t) => {
  const site = await openSite(t);
  await addOperator(site, '=1+1', 'admin');
  for (let n = 0; n < 3; n += 1) await site.upload(formOf(JPEG));
  const cookie = await signIn(site, '=1+1');
  const get = (query: string) => ask(site, 'GET', `/audit/export?${query}`, { cookie });
  const csv = await get('format=csv');
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
  assert.match(csv.headers.get('content-disposition') ?? '', /filename="vouch-audit\.csv"/);
  const lines = csv.text.trimEnd().split('\r\n');
  assert.equal(lines[0], 'sequence,at,actor,actorName,action,object,objectName,outcome,details');
  assert.match(lines.at(-1) ?? '', /,operator:1,'=1\+1,session\.opened,operator:1,'=1\+1,done,$/);
  const json = await get('format=jsonl&action=upload.accepted');
  const rows = json.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { action: string });
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['upload.accepted', 'upload.accepted', 'upload.accepted'],
  );
  const entries = await site.storage.audit.list(site.company.id, {
    filter: { action: 'export.taken' },
    limit: 9,
  });
  assert.deepEqual(
    entries.map(({ details }) => details),
    ['{"kind":"auditLog","rows":3}', `{"kind":"auditLog","rows":${lines.length - 1}}`],
  );
});

test('an export needs its permission, names records and is counted', async (t) => {
  const site = await openSite(t);
  for (const role of ['admin', 'operator', 'investigator', 'auditor'] as const)
    await addOperator(site, role, role);
  const { body } = await site.upload(formOf(JPEG, JPEG));
  const uploads = [(body.data as { uploadId: string }).uploadId];
  const post = async (name: string, notice: object) =>
    (await ask(site, 'POST', '/exports', { cookie: await signIn(site, name), body: notice })).status;
  assert.equal(await post('operator', { kind: 'uploadResults', uploads }), 403);
  assert.equal(await post('admin', { kind: 'auditLog', object: 'validation:1', rows: 999_999 }), 422);
  assert.equal(await post('admin', { kind: 'comparison', object: 'validation:1' }), 404);
  assert.equal(
    await post('admin', { kind: 'uploadResults', uploads: ['00000000-0000-4000-8000-000000000000'] }),
    404,
  );
  assert.equal(await post('admin', { kind: 'uploadResults', uploads, rows: 999_999 }), 204);
  for (const [name, status] of [
    ['auditor', 403],
    ['investigator', 403],
    ['admin', 200],
  ] as const) {
    const cookie = await signIn(site, name);
    assert.equal((await ask(site, 'GET', '/audit/export?format=csv', { cookie })).status, status, name);
  }
  const cookie = await signIn(site, 'admin');
  // The session stays in use, and its last export is more than thirty minutes ago.
  site.setTime(new Date('2026-03-01T12:20:00.000Z'));
  assert.equal((await ask(site, 'GET', '/validations', { cookie })).status, 200);
  site.setTime(new Date('2026-03-01T12:45:00.000Z'));
  const stale = await ask(site, 'GET', '/audit/export?format=csv', { cookie });
  assert.equal(stale.body.code, 'REAUTHENTICATE');
  const entries = await site.storage.audit.list(site.company.id, {
    filter: { action: 'export.taken' },
    limit: 9,
  });
  assert.deepEqual(
    entries.slice(1).map(({ outcome, details }) => `${outcome} ${details}`),
    ['done {"kind":"uploadResults","rows":2}', 'refused {}'],
  );
});
