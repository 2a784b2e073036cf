/** A walk of a program through runs, groups, decisions and persons; each answer is held against what it must say. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  groupDecided,
  groupDetailView,
  groupsPage,
  runStarted,
  runView,
} from '../../core/contracts/duplicateGroups.ts';
import {
  personDeleted,
  personFaceView,
  personsChanged,
  personsPage,
  personView,
} from '../../core/contracts/persons.ts';
import { z } from 'zod';
import { photoOf } from '../support/people.ts';
import type { ScreeningSite } from './screeningSite.ts';
import { formOf, type Answer } from './site.ts';

const PERSONS = '/api/v3/persons';
const DETECTION = '/api/v3/duplicate-detection';

function dataOf<T extends z.ZodType>({ status, text, body }: Answer, shape: T): z.infer<T> {
  assert.ok(status < 300, text);
  return shape.parse(body.data);
}

/** Enrols three photos of one person and one of another, finds the group, decides, and changes persons. */
export async function walkPersons({ site, work }: ScreeningSite): Promise<void> {
  const send = (method: string, path: string, fields?: object, key?: string) =>
    site.call(path, {
      method,
      headers: {
        'x-request-id': randomUUID(),
        ...(fields !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(fields !== undefined && { body: JSON.stringify(fields) }),
    });
  const refused = async (expected: readonly [number, string], answer: Promise<Answer>) => {
    const { status, body } = await answer;
    assert.deepEqual([status, body.code], expected);
    return body;
  };

  // Runs: too few faces, start, a second one, pause, resume, cancel, and one that ends.
  const runs = `${DETECTION}/runs`;
  await refused([409, 'TOO_FEW_FACES'], send('POST', runs, {}));
  const photos = [1, 1, 1, 2].map((person, i) => ({ name: `Photo ${i}.jpg`, content: photoOf(person, i) }));
  // The photos of one upload become faces in any order, so the other person comes later.
  for (const some of [photos.slice(0, 3), photos.slice(3)]) {
    assert.equal((await site.upload(formOf(...some))).status, 202);
    await work();
  }
  const first = dataOf(await send('POST', runs, { mode: 'new' }), runStarted);
  assert.deepEqual([first.state, first.mode, first.faces], ['running', 'all', 4]);
  await refused([409, 'DUPLICATE_SEARCH_UNFINISHED'], send('POST', runs, {}));
  await refused([404, 'NOT_FOUND'], send('POST', runs, { blacklists: [99] }));
  const change = (step: string) => send('POST', `${runs}/${first.runId}/${step}`);
  for (const [step, state] of [
    ['pause', 'paused'],
    ['pause', 'paused'],
    ['resume', 'running'],
    ['cancel', 'cancelled'],
  ] as const)
    assert.equal(dataOf(await change(step), runView).state, state, 'a repetition has no second effect');
  for (const step of ['pause', 'resume']) await refused([409, 'DUPLICATE_SEARCH_STATE'], change(step));
  const { runId } = dataOf(await send('POST', runs, {}), runStarted);
  site.engine.duplicateSearch.start();
  await site.engine.duplicateSearch.idle();
  const done = dataOf(await send('GET', `${runs}/${runId}`), runView);
  assert.deepEqual([done.state, done.pairs, done.startedBy.slice(0, 6)], ['done', 3, 'token:']);
  await refused([409, 'DUPLICATE_SEARCH_STATE'], send('POST', `${runs}/${runId}/cancel`));
  for (const list of [runs, `${DETECTION}/groups`, PERSONS])
    await refused([422, 'VALIDATION'], send('GET', `${list}?cursor=none`));
  const page = await send('GET', `${runs}?limit=1`);
  assert.match((page.body.links as { next: string }).next, /limit=1&cursor=2$/);

  // Groups: a pair is different, so that a face is near the group and not in it; then the rest is accepted.
  const groups = async (query = '') =>
    groupsPage.parse((await send('GET', `${DETECTION}/groups${query}`)).body).data;
  const detail = async (id: number) =>
    dataOf(await send('GET', `${DETECTION}/groups/${id}`), groupDetailView);
  const decide = (id: number, fields: object, key?: string) =>
    send('POST', `${DETECTION}/groups/${id}/decisions`, { about: { kind: 'group' }, ...fields }, key);
  const [group] = await groups();
  assert.ok(group !== undefined);
  assert.deepEqual([group.state, group.numberOfFaces, group.band], ['proposed', 3, 'strong']);
  const [one, two, three] = group.faceIds as [number, number, number];
  const stale = await refused(
    [409, 'GROUP_CHANGED'],
    decide(group.groupId, { version: 9, decision: 'same' }),
  );
  assert.deepEqual(stale.parameters, { id: group.groupId, version: group.version });
  const apart = {
    version: group.version,
    decision: 'different',
    about: { kind: 'pair', first: one, second: three },
  };
  const parted = dataOf(await decide(group.groupId, apart), groupDecided);
  const { version } = parted.group!;
  const near = (await detail(group.groupId)).alsoNear;
  assert.deepEqual([near.length, near[0]?.faceId, near[0]?.reason], [1, three, 'different']);
  const key = randomUUID();
  const same = { version, decision: 'same', reason: 'One passport.' };
  const accepted = dataOf(await decide(group.groupId, same, key), groupDecided);
  assert.deepEqual([accepted.group?.state, accepted.person?.numberOfFaces], ['accepted', 2]);
  const repeated = dataOf(await decide(group.groupId, same, key), groupDecided);
  assert.deepEqual(repeated, accepted, 'the same key and content has one effect');
  const body = await decide(group.groupId, { ...same, reason: null }, key);
  assert.deepEqual([body.status, body.body.code], [422, 'REQUEST_KEY_REUSED']);
  const undo = (id: number | null) => send('POST', `${DETECTION}/decisions/${id}/undo`);
  const reopened = dataOf(await undo(accepted.decisionId), groupDecided);
  assert.deepEqual([reopened.group?.state, reopened.person], ['proposed', null]);
  await refused([409, 'DECISION_UNDONE'], undo(accepted.decisionId));
  assert.equal(dataOf(await undo(parted.decisionId), groupDecided).group?.numberOfFaces, 3);

  // Persons: created of faces, found by external id, changed, split, moved, merged, deleted and brought back.
  const persons = async (query: string) => personsPage.parse((await send('GET', `${PERSONS}${query}`)).body);
  const changed = async (answer: Promise<Answer>) => dataOf(await answer, personsChanged);
  const fields = { name: 'Ada', externalId: 'E-1', faces: [one, two] };
  const created = await changed(send('POST', PERSONS, fields, key + key));
  assert.deepEqual(await changed(send('POST', PERSONS, fields, key + key)), created);
  const ada = created.persons[0]!.personId;
  const path = `${PERSONS}/${ada}`;
  await refused([409, 'FACE_HAS_PERSON'], send('POST', PERSONS, { name: 'Ben', faces: [two, three] }));
  const nul = await refused([422, 'VALIDATION'], send('POST', PERSONS, { name: 'Ben\0', faces: [three] }));
  assert.deepEqual(Object.keys(nul.errors as object), ['name']);
  await refused([409, 'FACE_HAS_PERSON'], send('POST', `${path}/faces`, { version: 1, faces: [two] }));
  await refused([422, 'EXTERNAL_ID_TAKEN'], send('POST', PERSONS, { ...fields, faces: [three] }));
  const ben = (await changed(send('POST', PERSONS, { name: 'Ben', faces: [three] }))).persons[0]!.personId;
  assert.deepEqual(
    (await persons('?externalId=E-1')).data.map(({ personId }) => personId),
    [ada],
  );
  assert.match(String((await persons('?limit=1')).links.next), /limit=1&cursor=/);
  const old = { version: 0, sourceVersion: 0 };
  for (const [method, target, sent] of [
    ['PATCH', path, { version: 0, name: 'Ada Byron' }],
    ['POST', `${path}/split`, { version: 0, faces: [one], name: 'Eve' }],
    ['POST', `${path}/merge/${ben}`, old],
    ['POST', `${path}/move/${ben}/faces/${three}`, old],
    ['DELETE', `${path}?version=0`, undefined],
  ] as const) {
    const { parameters } = await refused([409, 'PERSON_CHANGED'], send(method, target, sent));
    assert.equal((parameters as { version: number }).version, 1, target);
  }
  const renamed = dataOf(
    await send('PATCH', path, { version: 1, note: 'Two passports.', coverFaceId: two }),
    personView,
  );
  assert.deepEqual([renamed.version, renamed.coverFaceId], [2, two]);
  const moved = await changed(
    send('POST', `${path}/move/${ben}/faces/${three}`, { version: 2, sourceVersion: 1 }),
  );
  assert.deepEqual(
    moved.persons.map(({ numberOfFaces }) => numberOfFaces),
    [3],
    'its only photo leaves a person',
  );
  const split = await changed(send('POST', `${path}/split`, { version: 3, faces: [three], name: 'Eve' }));
  const eve = split.persons[1]!;
  const merged = await changed(
    send('POST', `${path}/merge/${eve.personId}`, { version: 4, sourceVersion: eve.version }),
  );
  assert.deepEqual(
    merged.persons.map(({ name, numberOfFaces }) => [name, numberOfFaces]),
    [['Ada', 3]],
  );
  const more = await changed(send('POST', `${path}/faces`, { version: 5, faces: [three + 1] }));
  assert.equal(more.persons[0]?.numberOfFaces, 4);
  const faces = dataOf(await send('GET', `${path}/faces`), z.array(personFaceView));
  assert.deepEqual(
    faces.map(({ faceId, personId }) => [faceId, personId]),
    [one, two, three, three + 1].map((id) => [id, ada]),
  );
  const deleted = dataOf(await send('DELETE', `${path}?version=6`), personDeleted);
  await refused([404, 'NOT_FOUND'], send('GET', path));
  assert.equal((await persons('?externalId=E-1')).meta.total, 0);
  dataOf(await undo(deleted.decisionId), groupDecided);
  assert.equal((await persons('?externalId=E-1')).data[0]?.numberOfFaces, 4);
  const again = (await persons('?text=Ada')).data[0]!;
  dataOf(await send('DELETE', `${path}?version=${again.version}`), personDeleted);
  const [fresh] = (await changed(send('POST', PERSONS, fields))).persons;
  assert.deepEqual(
    [fresh?.externalId, fresh?.numberOfFaces],
    ['E-1', 2],
    'a deleted person gives its external id up',
  );
  await undo(deleted.decisionId + 1_000).then(({ status }) => assert.equal(status, 404));
}
