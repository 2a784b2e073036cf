/** A search as an examiner runs it: what is listed, what is recorded, and a report of exactly what was shown. */
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { searchAnswer, searchHistory } from '../../../core/contracts/dashboard/search.ts';
import {
  DEFAULT_VIEW,
  readerOf,
  scoreAtRate,
  thresholdOf,
} from '../../../core/contracts/dashboard/searchView.ts';
import { expectation } from '../../../core/contracts/expectation.ts';
import { localApi } from '../../../core/contracts/local.ts';
import { trusted } from '../../../core/contracts/ids.ts';
import type { OperatorRole } from '../../../core/contracts/dashboard/session.ts';
import type { SearchReport } from '../../../core/domain/ports/reports.ts';
import { pdfReports } from '../../../core/reports/index.ts';
import { photoOf } from '../../support/people.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { good } from './dashboardSite.ts';

async function openSearch(t: TestContext) {
  const screening = await openScreeningSite(t);
  const { site } = screening;
  const reports: SearchReport[] = [];
  t.mock.method(pdfReports, 'search', (report: SearchReport) => {
    reports.push(report);
    return Promise.resolve(Buffer.from('%PDF-'));
  });
  const as = async (role: OperatorRole, name: string = role) => {
    await addOperator(site, name, role);
    const cookie = await signIn(site, name);
    return {
      ask: (method: string, path: string, body?: unknown) =>
        ask(site, method, path, { cookie, ...(body !== undefined && { body }) }),
      search: async (photo: Buffer, query = '') =>
        good(
          await site.call(`/api/dashboard/search${query}`, {
            method: 'POST',
            token: null,
            headers: { origin: site.address, 'content-type': 'image/jpeg', cookie },
            body: new Uint8Array(photo),
          }),
          searchAnswer,
        ),
    };
  };
  const entries = (action: 'search.run' | 'search.changed' | 'export.taken') =>
    site.storage.audit.list(site.company.id, { filter: { action }, limit: 20 });
  return { ...screening, as, entries, reports };
}

const request = (part: object = {}) => ({
  view: DEFAULT_VIEW,
  face: 0,
  candidate: null,
  file: 'probe.jpg',
  language: 'en',
  ...part,
});

test('a search lists the nearest faces of each group, also below every threshold', async (t) => {
  const { newBlacklist, as, entries } = await openSearch(t);
  const list = await newBlacklist('Refused entry', { people: [1, 2, 3] });
  const { search } = await as('investigator');
  const answer = await search(photoOf(1, 9), '?oneIn=1000&list=blacklists&below=true');
  const [face] = answer.faces;
  const found = face?.candidates.map(({ name, blacklistId, reading }) => [name, blacklistId, reading.band]);
  assert.deepEqual(found?.[0], ['Person 1', list.id, 'strong']);
  // Both are as far away: the face that was enrolled first comes first.
  assert.deepEqual(found.slice(1).toSorted(), [
    ['Person 2', list.id, 'none'],
    ['Person 3', list.id, 'none'],
  ]);
  assert.equal(answer.sha256, createHash('sha256').update(photoOf(1, 9)).digest('hex'));
  const scores = answer.scale.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((one, other) => one - other),
  );
  const [entry] = await entries('search.run');
  assert.equal(entry?.object, `search:${answer.id}`);
  const { took, ...details } = JSON.parse(entry.details) as { took: number };
  assert.ok(took >= 0);
  assert.deepEqual(details, {
    watchlists: [null, list.id],
    faces: 3,
    found: 1,
    band: 'strong',
    per: 'comparison',
    oneIn: 1000,
    list: 'blacklists',
    below: true,
  });
});

test('a changed threshold is recorded before it applies, and nothing else changes', async (t) => {
  const { site, as, entries } = await openSearch(t);
  const before = (await site.storage.companies.find(site.company.id))?.settings;
  const { ask: call, search } = await as('investigator');
  const { id } = await search(photoOf(1));
  const view = { per: 'search', oneIn: 500, list: 'watchlist', below: true };
  assert.equal((await call('PUT', `/search/${id}/view`, view)).status, 204);
  const [entry] = await entries('search.changed');
  assert.equal(entry?.object, `search:${id}`);
  assert.deepEqual(JSON.parse(entry.details), view);
  for (const wrong of [{ per: 'day' }, { oneIn: 9 }, { oneIn: 1_000_001 }, { list: 'every' }])
    assert.equal((await call('PUT', `/search/${id}/view`, wrong)).status, 422);
  assert.equal((await entries('search.changed')).length, 1);
  assert.deepEqual((await site.storage.companies.find(site.company.id))?.settings, before);
});

test('the use of the last weeks counts searches and finished verifications', async (t) => {
  const { site, newFlow, verify, as } = await openSearch(t);
  const { ask: call, search } = await as('investigator');
  await search(photoOf(1));
  const flow = await newFlow({});
  await verify(flow, 2);
  const { weeks, searches, verifications, found } = good(
    await call('GET', '/search/expectation'),
    expectation,
  );
  const { createdAt } = (await site.storage.companies.find(site.company.id))!;
  assert.equal(
    weeks,
    Math.min(4, (Date.parse('2026-03-01T12:00:00.000Z') - createdAt.getTime()) / 604_800_000),
  );
  assert.deepEqual([searches, verifications], [1, [{ flow, number: 1 }]]);
  assert.equal(found, null, 'the pipeline of the tests was not measured');
  site.setTime(new Date('2026-03-31T12:00:00.000Z'));
  const { ask: callLater } = await as('investigator', 'later');
  const later = good(await callLater('GET', '/search/expectation'), expectation);
  assert.deepEqual([later.weeks, later.searches, later.verifications], [4, 0, []]);
});

test('a rate per search is one threshold at the dashboard and in the terminal', async (t) => {
  const { site, newBlacklist, as, entries } = await openSearch(t);
  await newBlacklist('Refused entry', { people: [1, 2] });
  const { search } = await as('investigator');
  const answer = await search(photoOf(1, 9), '?per=search&oneIn=1000');
  assert.deepEqual(
    answer.watchlists.map(({ faces, persons }) => [faces, persons]),
    [
      [0, 0],
      [2, 2],
    ],
  );
  const view = { ...DEFAULT_VIEW, per: 'search', oneIn: 1000 } as const;
  const { rate, persons } = thresholdOf(answer, view);
  assert.ok(Math.abs((1 - (1 - rate) ** persons) / 1e-3 - 1) < 1e-6);
  const asked = { company: site.company.name, query: { oneIn: 1000 }, body: photoOf(1, 9) };
  const { threshold, faces } = await site.engine.terminal.ask(localApi.search, asked);
  assert.ok(Math.abs(threshold!.falsePositiveIdentificationRate / 1e-3 - 1) < 1e-9);
  assert.ok(Math.abs(threshold!.falseMatchRate / rate - 1) < 1e-9);
  assert.ok(Math.abs(threshold!.similarityScore - scoreAtRate(answer.scale, rate)) <= 0.011);
  assert.deepEqual(
    faces[0]?.candidates.map(({ band }) => band),
    answer.faces[0]?.candidates.map((found) => readerOf(answer, view)(found).band),
  );
  const [inTerminal, atDashboard] = await entries('search.run');
  for (const entry of [inTerminal, atDashboard]) {
    const { per, oneIn } = JSON.parse(entry!.details) as Record<string, unknown>;
    assert.deepEqual([per, oneIn], ['search', 1000]);
  }
});

test('a report has what the search found, not what is enrolled by now', async (t) => {
  const { site, service, newBlacklist, fill, as, entries, reports } = await openSearch(t);
  const list = await newBlacklist('Refused entry', { people: [1, 2] });
  const { ask: call, search } = await as('admin');
  const answer = await search(photoOf(1, 9));
  const shown = answer.faces[0]?.candidates ?? [];
  // Another photo of the same person joins the list, and one of the candidates is erased.
  await fill(list.id, [1]);
  const erased = trusted.face(shown[1]?.faceId ?? 0);
  assert.ok(await service.deleteFace(site.company.id, list.id, erased));
  site.setTime(new Date(Date.parse(answer.at) + 60_000));
  const view = { ...DEFAULT_VIEW, oneIn: 10, below: true };
  const asked = request({ view, candidate: shown[0]?.faceId });
  const answered = await call('POST', `/search/${answer.id}/report`, asked);
  assert.equal(answered.headers.get('content-type'), 'application/pdf');
  const [report] = reports;
  assert.ok(report !== undefined);
  assert.deepEqual(
    report.candidates.map(({ name, id, reading, isChosen, thumbnail, sha256 }) => ({
      name,
      id,
      score: reading.score,
      isChosen,
      hasPicture: thumbnail !== undefined,
      hasHash: sha256 !== null,
    })),
    shown.map(({ faceId, name, reading }, index) => ({
      name: index === 1 ? null : name,
      id: faceId,
      score: reading.score,
      isChosen: index === 0,
      hasPicture: index === 0,
      hasHash: index === 0,
    })),
  );
  assert.equal(report.searchedAt.toISOString(), answer.at);
  assert.equal(report.probe.sha256, answer.sha256);
  assert.deepEqual([report.view, report.matches, report.faces.length], [view, 1, 1]);
  const [entry] = await entries('export.taken');
  assert.equal(entry?.object, `search:${answer.id}`);
  assert.deepEqual(JSON.parse(entry.details), { kind: 'searchReport', rows: 2 });
});

test('a result is of one session, and says when it is no longer kept', async (t) => {
  const { as, reports, entries } = await openSearch(t);
  const own = await as('investigator', 'Ira');
  const other = await as('admin', 'Ada');
  const { id } = await own.search(photoOf(1));
  const report = async (of: typeof own, search: string) => {
    const { status, body } = await of.ask('POST', `/search/${search}/report`, request());
    return [status, body.code];
  };
  assert.deepEqual(await report(other, id), [410, 'SEARCH_EXPIRED']);
  assert.equal((await report(own, id))[0], 200);
  // A session has its four newest results.
  for (const person of [2, 3, 4, 5]) await own.search(photoOf(person));
  assert.deepEqual(await report(own, id), [410, 'SEARCH_EXPIRED']);
  assert.equal((await own.ask('PUT', `/search/${id}/view`, DEFAULT_VIEW)).status, 410);
  assert.deepEqual([reports.length, (await entries('export.taken')).length], [1, 1]);
});

test('the history has the searches of the operator, or all with the audit log', async (t) => {
  const { site, newBlacklist, as } = await openSearch(t);
  await newBlacklist('Refused entry', { people: [1] });
  const ira = await as('investigator', 'Ira');
  const ada = await as('admin', 'Ada');
  await ira.search(photoOf(1));
  await ada.search(photoOf(2), '?per=search&oneIn=100000');
  const history = async (of: typeof ira) => {
    const { items } = good(await of.ask('GET', '/search/history'), searchHistory);
    return items.map(({ operator, watchlists, compared, found, band, per, oneIn }) => ({
      operator,
      watchlists,
      compared,
      found,
      band,
      per,
      oneIn,
    }));
  };
  const covered = { watchlists: 2, compared: 1, found: 1 };
  const [second, first] = [
    { operator: 'Ada', ...covered, band: 'none', per: 'search', oneIn: 100_000 },
    { operator: 'Ira', ...covered, band: 'strong', per: 'comparison', oneIn: 10_000 },
  ];
  assert.deepEqual(await history(ira), [first]);
  assert.deepEqual(await history(ada), [second, first]);
  const facts = { watchlists: [null], faces: 1, took: 1 };
  for (const by of ['token:1', 'local-admin'] as const)
    await site.storage.audit.record(
      { by, at: new Date() },
      { company: site.company.id, action: 'search.run', object: null, details: facts },
    );
  const actors = (await history(ada)).map(({ operator }) => operator);
  assert.deepEqual(actors, ['local-admin', 'a program', 'Ada', 'Ira']);
});
