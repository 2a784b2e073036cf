/** A walk through duplicates: search, decide in the terminal and the dashboard, undo, report, file, and a later search. */
import {
  duplicateApi,
  decisionAnswer,
  groupPage,
  sample,
  sampleAccepted,
  sampleUndone,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { personApi } from '../../../core/contracts/dashboard/persons.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { photoOf } from '../../support/people.ts';
import { textOf } from '../../support/pdfText.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { formOf } from '../site.ts';
import { good } from './dashboardSite.ts';

test('groups are decided, reported, undone, and remembered by a later search', async (t) => {
  const { site, work } = await openScreeningSite(t);
  const { engine, company } = site;
  site.token = await site.newToken();
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const dashboard = (method: string, path: string, body?: unknown) =>
    ask(site, method, path, { cookie, ...(body !== undefined && { body }) });
  const { terminal } = engine;
  const named = { company: company.name };
  const list = async () => (await terminal.ask(duplicateApi.groups, named)).items;
  t.after(() => engine.duplicateSearch.stop());
  const search = async () => {
    await terminal.open('POST /duplicates/runs', { ...named, body: {} });
    engine.duplicateSearch.start();
    await engine.duplicateSearch.idle();
    const { items } = await terminal.ask(duplicateApi.runs, named);
    assert.deepEqual([items[0]?.state, items[0]?.pairs], ['done', 2]);
  };
  const people = [1, 1, 2, 2, 3];
  const form = formOf(...people.map((person, i) => ({ name: `Photo ${i}.jpg`, content: photoOf(person) })));
  assert.equal((await site.upload(form)).status, 202);
  await work();
  await search();
  const found = await list();
  assert.deepEqual(
    found.map(({ size, identical }) => [size, identical]),
    [
      [2, true],
      [2, true],
    ],
  );
  // Two workers process the photos in any order, so the first group may be of either person.
  const first = found.find(({ faces }) => faces.some(({ name }) => name === 'Photo 0'));

  // Same, in the terminal; the person is renamed, shown and split there.
  const decide = (version: number) =>
    terminal.ask(duplicateApi.decide, {
      params: { id: first!.id },
      ...named,
      body: { version, about: { kind: 'group' }, decision: 'same', reason: 'One passport.' },
    });
  await assert.rejects(decide(99), /The group has changed/);
  const decided = await decide(first!.version);
  const person = decided.person!.id;
  const shown = await terminal.ask(personApi.read, { ...named, params: { id: person } });
  assert.equal(shown.faces.length, 2);
  const { version: seen } = shown;
  await assert.rejects(
    terminal.open(`POST /persons/${person}/merge/${person}`, {
      ...named,
      body: { version: seen, sourceVersion: seen },
    }),
    /cannot be merged with itself/,
  );

  const report = await fetch(`${site.address}/api/dashboard/duplicates/groups/${first!.id}/report`, {
    method: 'POST',
    headers: { cookie, origin: site.address, 'content-type': 'application/json' },
    body: JSON.stringify({ language: 'en' }),
  });
  assert.equal(report.status, 200);
  const text = textOf(new Uint8Array(await report.arrayBuffer()));
  for (const said of ['Duplicate group', 'Same person', 'One passport.', 'Score then', 'Photo 0'])
    assert.ok(text.includes(said.replaceAll(' ', '')), said);

  // Undone in the dashboard, then different: a later search does not propose the two together.
  good(await dashboard('POST', `/duplicates/decisions/${decided.decisionId}/undo`, {}), decisionAnswer);
  assert.equal((await terminal.ask(personApi.list, named)).total, 0);
  const open = good(await dashboard('GET', '/duplicates/groups'), groupPage);
  assert.equal(open.total, 2);
  const { version } = open.items.find(({ id }) => id === first!.id)!;
  const request = { version, about: { kind: 'group' }, decision: 'different' };
  good(await dashboard('POST', `/duplicates/groups/${first!.id}/decisions`, request), decisionAnswer);
  await search();
  assert.deepEqual(
    (await list()).map(({ faces }) => faces.map(({ name }) => name).toSorted()),
    [['Photo 2', 'Photo 3']],
  );
});

test('groups accepted in bulk are undone together, once', async (t) => {
  const { site, work } = await openScreeningSite(t);
  site.token = await site.newToken();
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const dashboard = (method: string, path: string, body?: unknown) =>
    ask(site, method, path, { cookie, ...(body !== undefined && { body }) });
  const photos = [1, 1, 2, 2, 3].map((person, i) => ({ name: `Photo ${i}.jpg`, content: photoOf(person) }));
  assert.equal((await site.upload(formOf(...photos))).status, 202);
  await work();
  const search = site.engine.duplicateSearch;
  t.after(() => search.stop());
  assert.equal((await dashboard('POST', '/duplicates/runs', {})).status, 200);
  search.start();
  await search.idle();
  const groupsOf = async (state: string) =>
    good(await dashboard('GET', `/duplicates/groups?state=${state}`), groupPage).total;
  const drawn = good(
    await dashboard('POST', '/duplicates/samples', { filter: {}, certainty: 0, size: 60 }),
    sample,
  );
  const path = `/duplicates/samples/${drawn.id}`;
  const early = await dashboard('POST', `${path}/undo`, {});
  assert.deepEqual([early.status, early.body.code], [409, 'SAMPLE_NOT_ACCEPTED']);
  const { items } = good(await dashboard('GET', '/duplicates/groups'), groupPage);
  const groupOf = new Map(
    items.flatMap(({ id, faces }) => faces.map(({ faceImage }) => [faceImage.thumbnailUrl, id])),
  );
  const answers = drawn.pairs.map(({ thumbnails: [one, other] }) =>
    groupOf.get(one) === groupOf.get(other) ? 'same' : 'different',
  );
  assert.equal((await dashboard('POST', `${path}/answers`, { answers })).status, 200);
  const accepted = good(await dashboard('POST', `${path}/accept`, {}), sampleAccepted);
  assert.deepEqual([accepted, await groupsOf('proposed')], [{ accepted: 2, changed: 0 }, 0]);
  assert.equal((await dashboard('POST', `${path}/accept`, {})).status, 409, 'accepted once');
  const undone = good(await dashboard('POST', `${path}/undo`, {}), sampleUndone);
  assert.deepEqual([undone, await groupsOf('proposed')], [{ undone: 2, kept: 0 }, 2]);
  assert.equal((await dashboard('POST', `${path}/undo`, {})).status, 410, 'undone once');
});
