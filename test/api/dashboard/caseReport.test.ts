/** The PDF of a case: its content, the permission it needs, and its entry in the audit log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../support/pdfText.ts';
import { trusted, type FaceId } from '../../../core/contracts/ids.ts';
import { screenedLists } from '../../../core/api/dashboard/caseReport.ts';
import { blacklistEntry, screeningFacts } from '../../../core/contracts/validations.ts';
import { SIDE } from '../../../core/domain/ports/persons.ts';
import { TEST_ACT } from '../../support/act.ts';
import { addOperator, ask as request, signIn } from '../access/operators.ts';
import { photoOf } from '../../support/people.ts';
import { openScreeningSite, VALIDATIONS } from '../screeningSite.ts';
import { formOf } from '../site.ts';

/** The pictures of this site are damaged: only their first three bytes are stored. */
const UNREADABLE = 'No readable image is stored.';

test('a case report shows the match and the decision, and is logged as an export', async (t) => {
  const { site, newBlacklist, newFlow, verify, work } = await openScreeningSite(t);
  const barred = await newBlacklist('Barred persons', { people: [1, 2] });
  const flow = await newFlow({
    blacklistDetection: { enabled: true, blacklistIds: [barred.id], action: 'review' },
  });
  const { id, blacklistMatches } = await verify(flow, 1);
  const [{ blacklistFaceUploadId }] = blacklistMatches as [{ blacklistFaceUploadId: number }];
  const dashboard = async (name: string, role: Parameters<typeof addOperator>[2], validation = id) => {
    await addOperator(site, name, role);
    const cookie = await signIn(site, name);
    return async (path: string, body?: object) => {
      const answer = await fetch(`${site.address}/api/dashboard/validations/${String(validation)}${path}`, {
        method: 'POST',
        headers: { cookie, origin: site.address, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
    };
  };
  const ask = await dashboard('Maren', 'admin');
  const note = 'Same scar above the left eye.';
  assert.equal((await ask('/decision', { decision: 'reject', note, seenStatus: 2 })).status, 200);

  const { status, bytes } = await ask(`/report?match=blacklist:${blacklistFaceUploadId}`);
  assert.equal(status, 200);
  const text = textOf(bytes);
  for (const words of [
    'Barred persons',
    'Match, rank by similarity: 1 of 1',
    'Same person: on the blacklist (Rejected)',
    'Maren',
    note,
    UNREADABLE,
  ])
    assert.ok(text.includes(words.replaceAll(' ', '')), words);
  const byToken = text.match(/aprogram/gu)?.length;
  assert.equal(byToken, 3, 'the program created the verification, sent the selfie and finalised it');

  const exported = await site.storage.audit.list(site.company.id, {
    filter: { action: 'export.taken' },
    limit: 5,
  });
  assert.deepEqual(
    exported.map(({ object, details }) => [object, JSON.parse(details) as unknown]),
    [[`validation:${String(id)}`, { kind: 'caseReport', rows: 2 }]],
  );
  assert.equal((await ask('/report?match=blacklist:987654')).status, 404);
  assert.equal((await ask('/report?match=everything')).status, 422);
  assert.equal((await (await dashboard('Rea', 'reviewer'))('/report')).status, 403);

  const form = formOf({ name: 'Ada.jpg', content: photoOf(3) });
  await site.call('/api/v3/duplicate-detection/faces', { method: 'POST', body: form });
  await work();
  const { data } = (await site.call(VALIDATIONS)).body as { data: { id: number; name: string }[] };
  const enrolled = data.find(({ name }) => name === 'Ada');
  const report = await (await dashboard('Ines', 'admin', enrolled?.id))('/report');
  assert.equal(report.status, 200);
  assert.ok(
    !textOf(report.bytes).includes('bulkenrolment'),
    'the service is named in the language of the report',
  );
});

test('a case report names the most severe listing of a person', async (t) => {
  const { site, newBlacklist, newFlow, verify } = await openScreeningSite(t);
  const company = site.company.id;
  const barred = await newBlacklist('Barred persons', { people: [1, 1] });
  const flow = await newFlow({ blacklistDetection: { enabled: true, blacklistIds: [barred.id] } });
  const nearestFirst = async () => {
    const { id, blacklistMatches } = await verify(flow, 1);
    const [entry] = blacklistEntry.array().parse(blacklistMatches);
    return { id, faces: entry!.matches.map(({ blacklistFaceUploadId: face }) => trusted.face(face)) };
  };
  const { faces } = await nearestFirst();
  const [nearest, other] = faces as [FaceId, FaceId];
  const sides = faces.map((face) => ({ face, side: SIDE.stays }));
  await site.storage.persons.decide(company, { kind: 'same', faces: sides, reason: null }, TEST_ACT);
  const list = (face: FaceId, severity: 'information' | 'stop', reason: string) =>
    site.storage.faceListings.change(company, barred.id, [face], { severity, reason }, TEST_ACT);
  await list(nearest, 'information', 'Lost a badge.');
  await list(other, 'stop', 'Attacked a guard.');
  const { id } = await nearestFirst();
  await addOperator(site, 'Maren', 'admin');
  const cookie = await signIn(site, 'Maren');
  for (const match of ['', `?match=blacklist:${nearest}`, `?match=blacklist:${other}`]) {
    const path = `${site.address}/api/dashboard/validations/${String(id)}/report${match}`;
    const answer = await fetch(path, { method: 'POST', headers: { cookie, origin: site.address } });
    const text = textOf(new Uint8Array(await answer.arrayBuffer()));
    assert.ok(text.includes('Attackedaguard.'), match);
    assert.ok(text.includes('rankbysimilarity:1of1'), 'one person is one match');
  }
});

test('a report shows nothing that was erased before its export was recorded', async (t) => {
  const { site, newFlow, verify } = await openScreeningSite(t);
  const { id } = await verify(await newFlow({}), 1);
  await addOperator(site, 'Maren', 'admin');
  const cookie = await signIn(site, 'Maren');
  const { audit, erasures } = site.storage;
  const choice = {
    validations: [trusted.trustValidation(Number(id))],
    faces: [],
    photos: [],
    comparisons: [],
  };
  const plan = await erasures.plan(site.company.id, choice);
  const record = audit.record.bind(audit);
  audit.record = async (...given) => {
    // The receipt of this erasure cannot name an export that follows.
    await erasures.begin(site.company.id, choice, plan.code, TEST_ACT);
    await record(...given);
  };
  const answer = await request(site, 'POST', `/validations/${String(id)}/report`, { cookie });
  assert.equal(answer.status, 404);
  const filter = { action: 'export.taken' } as const;
  const logged = await audit.list(site.company.id, { filter, limit: 5 });
  assert.equal(logged.length, 1, 'that the operator asked for it');
});

test('a case report states the threshold of each blacklist by its own persons', async (t) => {
  const { site, newBlacklist, newFlow, verify } = await openScreeningSite(t);
  const short = await newBlacklist('Short', { people: [1] });
  const long = await newBlacklist('Long', { people: [1, 2, 3, 4] });
  const blacklistIds = [short.id, long.id];
  const flow = await newFlow({ blacklistDetection: { enabled: true, blacklistIds, targetFpir: 0.0001 } });
  const { id, screening } = await verify(flow, 1);
  const rates = screeningFacts.parse(screening).perSearch!.map(({ targetFmr }) => Math.round(1 / targetFmr));
  assert.deepEqual(rates, [10_000, 39_998]);
  await addOperator(site, 'Maren', 'admin');
  const answer = await fetch(`${site.address}/api/dashboard/validations/${String(id)}/report`, {
    method: 'POST',
    headers: { cookie: await signIn(site, 'Maren'), origin: site.address },
  });
  const text = textOf(new Uint8Array(await answer.arrayBuffer()));
  for (const words of ['1in10,000', '1in39,998']) assert.ok(text.includes(words), text);
});

test('each screened list states its rate at the screening', () => {
  const followed = { persons: 9, targetFpir: 0.01, keptFpir: 0.02 };
  const facts = screeningFacts.parse({
    screenedAt: new Date(0).toISOString(),
    duplicateDetection: true,
    blacklists: [
      { blacklistId: 4, blacklistName: 'Barred' },
      { blacklistId: 5, blacklistName: 'Visitors' },
    ],
    notScreened: [],
    targetFmr: 1e-4,
    maxDistance: 1,
    blacklistTargetFmr: 1e-5,
    blacklistMaxDistance: 0.9,
    pipelineId: 'test',
    selfies: 1,
    perSearch: [{ blacklistId: 5, ...followed, targetFmr: 1e-3, maxDistance: 1.1 }],
  });
  assert.deepEqual(screenedLists(facts).thresholds, [
    { list: null, targetFmr: 1e-4, perSearch: null },
    { list: 'Barred', targetFmr: 1e-5, perSearch: null },
    { list: 'Visitors', targetFmr: 1e-3, perSearch: followed },
  ]);
  assert.deepEqual(screenedLists(null).thresholds, []);
});
