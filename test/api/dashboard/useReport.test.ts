/** The report of use: each use with its four facts, how often an alarm was right, and who used the system. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvRows, CSV_START } from '../../../core/contracts/csv.ts';
import { validationSummary } from '../../../core/contracts/validations.ts';
import { photoOf } from '../../support/people.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openScreeningSite } from '../screeningSite.ts';

test('the report of use has each use with its database, input and verifiers', async (t) => {
  const { site, newBlacklist, newFlow, verify } = await openScreeningSite(t);
  const { company, storage } = site;
  await addOperator(site, 'Ada', 'admin');
  await addOperator(site, 'Rana', 'reviewer');
  await addOperator(site, 'Odo', 'auditor');
  await addOperator(site, 'Eve', 'admin', await site.newCompany());
  const cookie = await signIn(site, 'Ada');
  const file = async (query: string, by = cookie) => {
    const { status, text, headers } = await ask(site, 'GET', `/audit/use?${query}`, { cookie: by });
    assert.equal(status, 200, text);
    assert.match(headers.get('content-type') ?? '', /^(text\/csv|application\/pdf)/);
    return csvRows(text.replace(CSV_START, ''))!.map(({ cells }) => cells);
  };

  const list = await newBlacklist('Wanted', { people: [1, 2] });
  const flow = await newFlow({
    duplicateDetection: { enabled: true },
    blacklistDetection: { enabled: true, blacklistIds: [list.id] },
    onBlacklistMatch: 'review',
  });
  const decisions = { 1: 'reject', 2: 'verify' } as const;
  for (const person of [1, 2] as const) {
    const { id, status } = validationSummary
      .pick({ id: true, status: true })
      .parse(await verify(flow, person));
    const body = { decision: decisions[person], note: 'Looked at both.', seenStatus: status };
    const decided = await ask(site, 'POST', `/validations/${id}/decision`, {
      cookie: await signIn(site, 'Rana'),
      body,
    });
    assert.equal(decided.status, 200, decided.text);
  }
  await verify(flow, 3);
  const searched = await site.call('/api/dashboard/search', {
    method: 'POST',
    token: null,
    headers: { origin: site.address, 'content-type': 'image/jpeg', cookie },
    body: new Uint8Array(photoOf(9)),
  });
  assert.equal(searched.status, 200, searched.text);
  // A second operator confirms: both have verified.
  const at = new Date('2026-03-01T12:00:00.000Z');
  const decided = { company: company.id, action: 'identity.decided' } as const;
  await storage.audit.record(
    { by: 'operator:1', at },
    { ...decided, object: 'identity-decision:7', details: { kind: 'same', faces: 2 } },
  );
  await storage.audit.record(
    { by: 'operator:2', at },
    { ...decided, object: 'identity-decision:8', details: { kind: 'same', faces: 2, confirms: 7 } },
  );
  const examined = { company: company.id, object: 'examination:5' } as const;
  for (const [by, action, step] of [
    ['operator:1', 'examination.begun', undefined],
    ['operator:2', 'examination.saved', 'analysis'],
    ['operator:2', 'examination.saved', 'evaluation'],
  ] as const)
    await storage.audit.record({ by, at }, { ...examined, action, details: step ? { step } : {} });

  const [head, ...rows] = await file('format=csv');
  assert.equal(
    head?.join(),
    'start,end,use,actor,actorName,referenceDatabase,facesCompared,input,result,verifiedBy,decision',
  );
  assert.deepEqual(
    rows.map(([start = '', end = '', ...cells]) => {
      assert.ok(Date.parse(start) <= Date.parse(end), `${start} ${end}`);
      return cells.join(', ');
    }),
    [
      'verification, token:1, a program, duplicates; Wanted, , validation:1, 1, Rana, Rejected',
      'verification, token:1, a program, duplicates; Wanted, , validation:2, 1, Rana, Verified',
      'verification, token:1, a program, duplicates; Wanted, , validation:3, 0, , ',
      'search, operator:1, Ada, duplicates; Wanted, 4, , none, , ',
      'duplicateDecision, operator:1, Ada, , 2, identity-decision:7, , Ada, ',
      'duplicateDecision, operator:2, Rana, , 2, identity-decision:8, , Ada; Rana, ',
      'examination, operator:1, Ada, , , examination:5, , Rana, ',
    ],
  );
  assert.deepEqual((await file('format=csv&to=2020-01-01T00:00:00.000Z')).slice(1), []);
  assert.deepEqual((await file('format=csv', await signIn(site, 'Eve'))).slice(1), []);

  const pdf = await site.call('/api/dashboard/audit/use?format=pdf', { token: null, headers: { cookie } });
  assert.equal(pdf.status, 200);
  const refused = await ask(site, 'GET', '/audit/use?format=pdf', { cookie: await signIn(site, 'Odo') });
  assert.equal(refused.status, 403);
  const exports = await storage.audit.list(company.id, { filter: { action: 'export.taken' }, limit: 9 });
  assert.deepEqual(
    exports.map(({ outcome, details }) => `${outcome} ${details}`),
    [
      'done {"kind":"useReport","rows":7}',
      'done {"kind":"useReport","rows":0}',
      'done {"kind":"useReport","rows":7}',
    ],
  );
});
