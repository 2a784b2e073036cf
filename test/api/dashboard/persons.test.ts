/** Groups of near faces, decisions about them with undo, and the persons that follow, through the dashboard. */
import { auditPage } from '../../../core/contracts/audit.ts';
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  decisionAnswer,
  duplicateCounts,
  duplicateRun,
  groupDetail,
  groupPage,
  sample,
  sampleAccepted,
  sampleResult,
  type PersonDecision,
} from '../../../core/contracts/dashboard/duplicates.ts';
import {
  alikePersons,
  personDetail,
  personPage,
  personRow,
  personsAnswer,
} from '../../../core/contracts/dashboard/persons.ts';
import { searchAnswer } from '../../../core/contracts/dashboard/search.ts';
import { agreeingPhotos, DEFAULT_VIEW } from '../../../core/contracts/dashboard/searchView.ts';
import { enrolledFace } from '../../../core/contracts/dashboard/faceImages.ts';
import {
  validationDetail,
  validationPage,
  verificationAnswer,
} from '../../../core/contracts/dashboard/validations.ts';
import { madeCredential } from '../../../core/contracts/dashboard/credentials.ts';
import { companyProfile } from '../../../core/contracts/dashboard/company.ts';
import type { CompanyId, FaceId, PipelineId } from '../../../core/contracts/ids.ts';
import type { Actor } from '../../../core/domain/ports/auditContext.ts';
import { TEST_ACT } from '../../support/act.ts';
import { photoOf } from '../../support/people.ts';
import { TEST_PIPELINE } from '../../support/site.ts';
import { addOperator, ask, operatorServiceOf, PASSPHRASE, signIn } from '../access/operators.ts';
import { dataUri, openScreeningSite } from '../screeningSite.ts';
import { formOf } from '../site.ts';
import { good } from './dashboardSite.ts';
import { GIVEN_LIMIT } from '../../../core/storage/persons/persons.ts';

/** A site where a search has found one group for each entry, of so many photos. */
async function openSearched(t: TestContext, sizes: readonly number[]) {
  const { site, work } = await openScreeningSite(t);
  site.token = await site.newToken();
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const dashboard = (method: string, path: string, body?: unknown) =>
    ask(site, method, path, { cookie, ...(body !== undefined && { body }) });
  const enrol = async (...photos: Buffer[]) => {
    const form = formOf(...photos.map((content, i) => ({ name: `Photo ${i}.jpg`, content })));
    assert.equal((await site.upload(form)).status, 202);
    await work();
  };
  const search = site.engine.duplicateSearch;
  t.after(() => search.stop());
  const run = async (mode = 'all') => {
    good(await dashboard('POST', '/duplicates/runs', { mode }), duplicateRun);
    search.start();
    await search.idle();
  };
  await enrol(...sizes.flatMap((size, person) => Array.from({ length: size }, () => photoOf(person + 1))));
  await run();
  const groups = async (query = '') => good(await dashboard('GET', `/duplicates/groups${query}`), groupPage);
  const group = async (id: number) => good(await dashboard('GET', `/duplicates/groups/${id}`), groupDetail);
  const decide = async (
    id: number,
    version: number,
    decision: PersonDecision,
    about: object = { kind: 'group' },
  ) => dashboard('POST', `/duplicates/groups/${id}/decisions`, { version, about, decision });
  const undo = async (id: number) => dashboard('POST', `/duplicates/decisions/${id}/undo`, {});
  const person = async (id: number) => good(await dashboard('GET', `/persons/${id}`), personDetail);
  return { site, cookie, dashboard, enrol, work, run, groups, group, decide, undo, person };
}

test('a group becomes a person, a second decision on the old version is refused', async (t) => {
  const { site, cookie, dashboard, groups, group, decide, undo, person } = await openSearched(t, [3, 2, 1]);
  const { items, total } = await groups();
  assert.deepEqual([total, items.map(({ size }) => size)], [2, [3, 2]]);
  const [first, second] = items;
  assert.equal(first!.certainty, 1, 'the photos are the same bytes');
  const detail = await group(first!.id);
  assert.deepEqual([detail.pairs.length, detail.pairCount, detail.alsoNear], [3, 3, []]);

  const stale = await decide(first!.id, first!.version + 1, 'same');
  assert.deepEqual([stale.status, stale.body.code], [409, 'GROUP_CHANGED']);
  const accepted = good(await decide(first!.id, first!.version, 'same'), decisionAnswer);
  assert.equal(accepted.group?.state, 'accepted');
  const { faces, history, version } = await person(accepted.person!.id);
  assert.deepEqual([faces.length, history.map(({ kind }) => kind), version], [3, ['accepted'], 1]);
  const [face] = faces;
  const candidate = async () => {
    const answer = await site.call('/api/dashboard/search', {
      method: 'POST',
      token: null,
      headers: { origin: site.address, 'content-type': 'image/jpeg', cookie },
      body: new Uint8Array(photoOf(1)),
    });
    const [found] = good(answer, searchAnswer).faces;
    return found?.candidates.find(({ faceId }) => faceId === face!.id)?.faceImage.person;
  };
  const shown = async () => [
    await candidate(),
    good(await dashboard('GET', `/faces/${face!.id}`), enrolledFace).faceImage.person,
    good(await dashboard('GET', `/validations/${face!.trustValidationId}`), validationDetail).faceImage
      ?.person,
  ];
  assert.deepEqual(
    await shown(),
    [accepted.person, accepted.person, accepted.person],
    'the photo names its person',
  );
  assert.equal((await decide(first!.id, first!.version, 'different')).body.code, 'GROUP_CHANGED');
  const contradicting = await decide(first!.id, accepted.group.version, 'different');
  assert.equal(contradicting.body.code, 'DECISION_CONTRADICTED');

  const refused = good(await decide(second!.id, second!.version, 'different'), decisionAnswer);
  assert.equal(refused.group?.state, 'rejected');
  assert.equal((await groups()).total, 0);
  const [decided] = (await group(second!.id)).history;
  assert.deepEqual(decided?.measured, { score: 100, pipeline: TEST_PIPELINE });
  const undone = good(await undo(refused.decisionId!), decisionAnswer);
  assert.deepEqual(
    [undone.group?.id, undone.group?.state, undone.decisionId],
    [second!.id, 'proposed', null],
  );
  assert.equal((await undo(refused.decisionId!)).body.code, 'DECISION_UNDONE');
  good(await undo(accepted.decisionId!), decisionAnswer);
  assert.deepEqual(await shown(), [null, null, null]);
  assert.equal((await dashboard('GET', `/persons/${accepted.person!.id}`)).status, 404);
  const counts = good(await dashboard('GET', '/duplicates/counts'), duplicateCounts);
  assert.deepEqual(counts, { open: 2, deferred: 0, running: false });

  const other = await site.newCompany();
  const { duplicateGroups, persons } = site.storage;
  assert.equal(
    await duplicateGroups.find(
      other.id,
      (
        await site.storage.duplicateGroups.list(
          site.company.id,
          { states: ['proposed'] },
          { order: 'newest', limit: 1 },
        )
      )[0]!.id,
    ),
    undefined,
  );
  assert.equal(await persons.count(other.id, {}), 0);
  assert.deepEqual(
    await persons.decisionsOf(
      other.id,
      faces.map(({ id }) => id as FaceId),
    ),
    [],
  );
});

test('the next search remembers decisions, and a new face reopens a deferred group', async (t) => {
  const { enrol, run, groups, group, decide } = await openSearched(t, [2, 2]);
  const { items: found } = await groups();
  // Photos are enrolled side by side, so the numbers of faces and groups do not tell which person a group shows.
  const names = await Promise.all(
    found.map(async ({ id }) => (await group(id)).faces.map(({ name }) => name)),
  );
  const [second] = found.filter((_, index) => names[index]?.includes('Photo 0'));
  const [first] = found.filter((each) => each !== second);
  good(await decide(first!.id, first!.version, 'different'), decisionAnswer);
  const deferred = good(await decide(second!.id, second!.version, 'unsure'), decisionAnswer);
  assert.equal(deferred.group?.state, 'deferred');
  await run();
  const { items } = await groups();
  assert.deepEqual(
    items.map(({ id, state }) => [id, state]),
    [[second!.id, 'deferred']],
  );
  await enrol(photoOf(1));
  await run('new');
  const [reopened] = (await groups()).items;
  assert.deepEqual([reopened!.id, reopened!.state, reopened!.size], [second!.id, 'partlyDecided', 3]);
});

test('persons are renamed, split, merged and undone, and a face is moved', async (t) => {
  const { dashboard, groups, decide, undo, person } = await openSearched(t, [3, 2]);
  const [large, small] = (await groups()).items;
  const one = good(await decide(large!.id, large!.version, 'same'), decisionAnswer).person!.id;
  const two = good(await decide(small!.id, small!.version, 'same'), decisionAnswer).person!.id;
  const post = (path: string, body: object) => dashboard('POST', `/persons/${path}`, body);
  const renamed = await dashboard('PATCH', `/persons/${one}`, { version: 1, name: 'Ada', externalId: 'E-1' });
  assert.deepEqual([good(renamed, personRow).name, good(renamed, personRow).version], ['Ada', 2]);
  const taken = await dashboard('PATCH', `/persons/${two}`, { version: 1, externalId: 'E-1' });
  assert.equal(taken.body.code, 'EXTERNAL_ID_TAKEN');

  const { faces } = await person(one);
  const split = good(
    await post(`${one}/split`, { version: 2, faces: [faces[2]!.id], name: 'Ben' }),
    personsAnswer,
  );
  assert.deepEqual(
    split.persons.map(({ name, faces: count }) => [name, count]),
    [
      ['Ada', 2],
      ['Ben', 1],
    ],
  );
  const log = good(await dashboard('GET', '/audit?limit=50'), auditPage).items;
  const named = (object: string) => log.find((entry) => entry.object === object)?.objectName;
  assert.equal(named(`person:${one}`), 'Ada');
  assert.equal(named(`identity-decision:${split.decisionId}`), 'Ada, Ben', 'the persons of its faces');
  for (const { object, objectName } of log)
    if (object?.startsWith('identity-decision:') === true) assert.notEqual(objectName, null, object);
  const move = { version: 3, faces: [faces[1]!.id], to: { id: two, version: 1 } };
  const moved = good(await post(`${one}/move`, move), personsAnswer);
  assert.deepEqual(
    moved.persons.map(({ faces: count }) => count),
    [1, 3],
  );
  assert.equal(
    (await post(`${one}/merge/${one}`, { version: 4, sourceVersion: 4 })).body.code,
    'PERSON_MERGE_SELF',
  );
  assert.equal(
    (await post(`${one}/merge/${two}`, { version: 1, sourceVersion: 2 })).body.code,
    'PERSON_CHANGED',
  );
  const merged = good(await post(`${one}/merge/${two}`, { version: 4, sourceVersion: 2 }), personsAnswer);
  assert.deepEqual(
    merged.persons.map(({ name, faces: count }) => [name, count]),
    [['Ada', 4]],
  );
  assert.equal(good(await dashboard('GET', '/persons?order=name'), personPage).total, 2);

  // In another order than they were made.
  good(await undo(split.decisionId), decisionAnswer);
  assert.equal((await person(one)).faces.length, 5);
  good(await undo(merged.decisionId), decisionAnswer);
  assert.deepEqual([(await person(one)).faces.length, (await person(two)).faces.length], [2, 3]);
  good(await undo(moved.decisionId), decisionAnswer);
  const back = await person(one);
  assert.deepEqual([back.name, back.externalId, back.faces.length], ['Ada', 'E-1', 3]);
  const { faces: theirs, history } = await person(two);
  assert.equal(theirs.length, 2);
  const steps = history
    .filter(({ kind }) => kind === 'merged' || kind === 'moved')
    .map(({ kind, faces: changed, undoneAt }) => [kind, changed, undoneAt !== null]);
  assert.deepEqual(steps, [
    ['merged', 3, true],
    ['moved', 1, true],
  ]);
});

test('the history of a person calls no decision of different persons an acceptance', async (t) => {
  const { groups, group, decide, person } = await openSearched(t, [3]);
  const [{ id, version, faces } = assert.fail('No group.')] = (await groups()).items;
  const pair = (first: number, second: number) => ({
    kind: 'pair',
    first: faces[first]!.id,
    second: faces[second]!.id,
  });
  const accepted = good(await decide(id, version, 'same', pair(0, 1)), decisionAnswer);
  const { version: now } = await group(id);
  good(await decide(id, now, 'different', pair(0, 2)), decisionAnswer);
  const { history } = await person(accepted.person!.id);
  assert.deepEqual(
    history.map(({ kind }) => kind),
    ['different', 'accepted'],
  );
});

test('a clean random sample accepts all its groups, one wrong answer accepts none', async (t) => {
  const { dashboard, groups, undo } = await openSearched(t, [2, 2, 2]);
  const draw = async () =>
    good(await dashboard('POST', '/duplicates/samples', { filter: {}, certainty: 0.5, size: 60 }), sample);
  const faceOf = (address: string | null) => Number(/faces\/(\d+)\//.exec(address!)![1]);
  const pairs = new Map(
    (await groups()).items.flatMap(({ id, faces }) => faces.map((face) => [face.id, id])),
  );
  const answersTo = ({ pairs: asked }: Awaited<ReturnType<typeof draw>>): PersonDecision[] =>
    asked.map(({ thumbnails: [one, other] }) =>
      pairs.get(faceOf(one)) === pairs.get(faceOf(other)) ? 'same' : 'different',
    );
  const blind = await draw();
  assert.deepEqual([blind.groups, blind.pairs.length], [3, 4], 'one pair is of different people');
  const all = blind.pairs.map(() => 'same');
  const failed = await dashboard('POST', `/duplicates/samples/${blind.id}/answers`, { answers: all });
  assert.equal(good(failed, sampleResult).state, 'failed');
  assert.equal(
    (await dashboard('POST', `/duplicates/samples/${blind.id}/accept`, {})).body.code,
    'SAMPLE_NOT_CLEAN',
  );

  const good1 = await draw();
  const answered = await dashboard('POST', `/duplicates/samples/${good1.id}/answers`, {
    answers: answersTo(good1),
  });
  assert.deepEqual(good(answered, sampleResult), { state: 'clean', confirmed: 3, bound: 1 });
  const accepted = await dashboard('POST', `/duplicates/samples/${good1.id}/accept`, {});
  assert.deepEqual(good(accepted, sampleAccepted), { accepted: 3, changed: 0 });
  assert.equal((await groups('?state=accepted')).total, 3);
  assert.equal((await undo(1_000_000)).status, 404);
});

test('an accepted group takes effect when a different operator confirms it', async (t) => {
  const { site, dashboard, groups, group, decide, undo } = await openSearched(t, [3, 2]);
  const second = await addOperator(site, 'second', 'reviewer');
  const cookie = await signIn(site, 'second');
  const company = await dashboard('PATCH', '/company', { secondOperator: true });
  assert.equal(good(company, companyProfile).secondOperator, true);
  const [large, small] = (await groups()).items;
  const decideAs = (id: number, version: number, about: object, decision: PersonDecision = 'same') =>
    ask(site, 'POST', `/duplicates/groups/${id}/decisions`, { cookie, body: { version, about, decision } });

  const first = good(await decide(large!.id, large!.version, 'same'), decisionAnswer);
  assert.deepEqual([first.group?.state, first.person], ['awaitingConfirmation', null]);
  const { version, history } = await group(large!.id);
  assert.deepEqual([history[0]!.awaitsConfirmation, history[0]!.undoneAt], [true, null]);
  assert.equal((await decide(large!.id, version, 'same')).body.code, 'SECOND_OPERATOR_NEEDED');
  const confirm = { kind: 'confirm', decision: first.decisionId };
  assert.equal((await decide(large!.id, version, 'same', confirm)).body.code, 'SECOND_OPERATOR_NEEDED');
  const path = `/api/v3/duplicate-detection/groups/${large!.id}/decisions`;
  const program = await site.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version, about: confirm, decision: 'same' }),
  });
  assert.equal(program.body.code, 'SECOND_OPERATOR_NEEDED', 'a program confirms nothing');
  assert.equal(good(await dashboard('GET', '/duplicates/counts'), duplicateCounts).open, 2);

  const confirmed = good(await decideAs(large!.id, version, confirm), decisionAnswer);
  assert.deepEqual([confirmed.group?.state, confirmed.person === null], ['accepted', false]);
  assert.equal((await group(large!.id)).history.filter((entry) => entry.awaitsConfirmation).length, 0);
  // Without its first half a confirmation has no effect, and without the confirmation the first half waits again.
  const waiting = good(await undo(confirmed.decisionId!), decisionAnswer);
  assert.equal(waiting.group?.state, 'awaitingConfirmation');
  const again = good(await decideAs(large!.id, waiting.group.version, confirm), decisionAnswer);
  assert.equal(again.group?.state, 'accepted');
  assert.equal(good(await undo(first.decisionId!), decisionAnswer).group?.state, 'proposed');

  // A different decision of the second operator replaces the first one.
  good(await decide(small!.id, small!.version, 'same'), decisionAnswer);
  const now = await group(small!.id);
  const rejected = good(await decideAs(now.id, now.version, { kind: 'group' }, 'different'), decisionAnswer);
  assert.equal(rejected.group?.state, 'rejected');
  const [, replaced] = (await group(small!.id)).history;
  assert.deepEqual([replaced?.decision, replaced?.undoneAt === null], ['same', false]);
  assert.equal(history[0]!.by === `operator:${second.id}`, false);

  // Switched off: what waits still needs a second operator.
  const reopened = good(await undo(rejected.decisionId!), decisionAnswer);
  good(await decide(small!.id, reopened.group!.version, 'same'), decisionAnswer);
  const switchedOff = await dashboard('PATCH', '/company', { secondOperator: false });
  assert.deepEqual([switchedOff.status, switchedOff.body.code], [409, 'SECOND_OPERATOR_FIXED']);
  await site.storage.companies.changeSettings(site.company.id, { secondOperator: false }, TEST_ACT);
  const last = await group(small!.id);
  assert.equal(last.state, 'awaitingConfirmation');
  assert.equal((await decide(small!.id, last.version, 'same')).body.code, 'SECOND_OPERATOR_NEEDED');
  const byTwo = good(await decideAs(small!.id, last.version, { kind: 'group' }), decisionAnswer);
  assert.equal(byTwo.group?.state, 'accepted');
});

test('an account that an operator made or reset lately is no second operator', async (t) => {
  const { site, dashboard, groups, group, decide } = await openSearched(t, [3]);
  good(await dashboard('PATCH', '/company', { secondOperator: true }), companyProfile);
  const [only] = (await groups()).items;
  const first = good(await decide(only!.id, only!.version, 'same'), decisionAnswer);
  const { version } = await group(only!.id);
  const confirmAs = async (name: string) => {
    const cookie = await signIn(site, name);
    const body = { version, about: { kind: 'confirm', decision: first.decisionId }, decision: 'same' };
    return (await ask(site, 'POST', `/duplicates/groups/${only!.id}/decisions`, { cookie, body })).body;
  };
  const [entry] = (await group(only!.id)).history;
  const by = entry!.by as Actor;
  const at = new Date(entry!.at);
  const operators = operatorServiceOf(site);
  const wanted = { name: 'made', role: 'admin', passphrase: PASSPHRASE } as const;
  const made = await operators.create(site.company, wanted, { by, at });
  assert.equal((await confirmAs('made')).code, 'SECOND_OPERATOR_NEEDED', 'made');
  const byMade = { by: `operator:${made.id}`, at } as const;
  await operators.create(site.company, { ...wanted, name: 'further' }, byMade);
  assert.equal(
    (await confirmAs('further')).code,
    'SECOND_OPERATOR_NEEDED',
    'made by the account that was made',
  );
  await operators.resetPassphrase(site.company, made.id, PASSPHRASE, byMade);
  assert.equal((await confirmAs('made')).code, 'SECOND_OPERATOR_NEEDED', 'reset by itself');
  const other = await addOperator(site, 'other', 'reviewer');
  await operators.resetPassphrase(site.company, other.id, PASSPHRASE, { by, at });
  assert.equal((await confirmAs('other')).code, 'SECOND_OPERATOR_NEEDED', 'reset');
  const free = await addOperator(site, 'free', 'reviewer');
  const longAgo = new Date(at.getTime() - GIVEN_LIMIT);
  await operators.resetPassphrase(site.company, free.id, PASSPHRASE, { by, at: longAgo });
  assert.equal((await confirmAs('free')).code, undefined, 'reset thirty days ago');
});

test('an operator cannot confirm what a program with an own credential accepted', async (t) => {
  const { site, dashboard, groups, group, decide } = await openSearched(t, [3, 2]);
  await addOperator(site, 'second', 'reviewer');
  const cookie = await signIn(site, 'second');
  good(await dashboard('PATCH', '/company', { secondOperator: true }), companyProfile);
  const makeToken = async (name: string) => {
    const wanted = { kind: 'token', name, scopes: ['duplicates:review'] };
    return good(await dashboard('POST', '/credentials', wanted), madeCredential).secret;
  };
  const decideBy = (token: string, id: number, version: number, about: object) =>
    site.call(`/api/v3/duplicate-detection/groups/${id}/decisions`, {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version, about, decision: 'same' }),
    });
  const [own, another] = [await makeToken('own'), await makeToken('another')];
  const [large, small] = (await groups()).items;
  const refused = 'SECOND_OPERATOR_NEEDED';

  assert.equal((await decideBy(own, large!.id, large!.version, { kind: 'group' })).status, 200);
  const waiting = await group(large!.id);
  assert.equal(waiting.state, 'awaitingConfirmation');
  const confirm = { kind: 'confirm', decision: waiting.history[0]!.id };
  assert.equal((await decide(large!.id, waiting.version, 'same')).body.code, refused);
  assert.equal((await decide(large!.id, waiting.version, 'same', confirm)).body.code, refused);
  assert.equal((await decideBy(another, large!.id, waiting.version, confirm)).body.code, refused);
  const body = { version: waiting.version, about: confirm, decision: 'same' };
  const confirmed = await ask(site, 'POST', `/duplicates/groups/${large!.id}/decisions`, { cookie, body });
  assert.equal(good(confirmed, decisionAnswer).group?.state, 'accepted');

  const first = good(await decide(small!.id, small!.version, 'same'), decisionAnswer);
  const about = { kind: 'confirm', decision: first.decisionId };
  const second = await decideBy(own, small!.id, first.group!.version, about);
  assert.equal(second.body.code, refused, 'the creator of the token decided first');
});

test('two of ten photos are moved, back and again; a merge takes no other person', async (t) => {
  const { dashboard, groups, decide, undo, person } = await openSearched(t, [10, 3, 2]);
  const ids: number[] = [];
  for (const { id, version } of (await groups()).items)
    ids.push(good(await decide(id, version, 'same'), decisionAnswer).person!.id);
  const [ten = 0, three = 0, two = 0] = ids;
  const members = async () =>
    Promise.all(ids.map(async (id) => (await person(id)).faces.map((face) => face.id)));
  const before = await members();
  const [away, stay] = [before[0]!.slice(3, 5), before[0]!.filter((_, index) => index < 3 || index > 4)];
  const move = async (faces: readonly number[]) => {
    const [from, to] = await Promise.all([person(ten), person(three)]);
    const body = { version: from.version, faces, to: { id: three, version: to.version } };
    return dashboard('POST', `/persons/${ten}/move`, body);
  };
  const sorted = (faces: readonly number[]) => faces.toSorted((a, b) => a - b);
  const afterMove = [stay, sorted([...before[1]!, ...away]), before[2]];
  const first = good(await move(away), personsAnswer);
  assert.deepEqual(await members(), afterMove, 'the other eight stay');
  assert.equal((await undo(first.decisionId)).status, 200);
  assert.deepEqual(await members(), before);
  good(await move(away), personsAnswer);
  assert.deepEqual(await members(), afterMove);
  assert.equal((await move(away)).status, 404, 'a photo of another person is not moved from here');
  const [into, from] = await Promise.all([person(ten), person(two)]);
  const merge = { version: into.version, sourceVersion: from.version };
  good(await dashboard('POST', `/persons/${ten}/merge/${two}`, merge), personsAnswer);
  assert.deepEqual(
    (await person(ten)).faces.map((face) => face.id),
    sorted([...stay, ...before[2]!]),
  );
  assert.deepEqual(
    (await person(three)).faces.map((face) => face.id),
    afterMove[1],
  );
});

test('a person has its verifications, its hits, and the persons like it', async (t) => {
  const { site, cookie, dashboard, work, groups, decide, person } = await openSearched(t, [2, 2]);
  const ids: number[] = [];
  for (const { id, version } of (await groups()).items)
    ids.push(good(await decide(id, version, 'same'), decisionAnswer).person!.id);
  const flow = await site.storage.flows.create(
    site.company.id,
    'Door',
    { duplicateDetection: { enabled: true, action: 'review' } },
    TEST_ACT.by,
  );
  const answer = await site.call(`/api/dashboard/verifications?flow=${flow.id}`, {
    method: 'POST',
    token: null,
    headers: {
      origin: site.address,
      'content-type': 'application/json',
      cookie,
      'idempotency-key': '6f9b0d0e-3f83-4f3a-8a55-0f3a6a2f4a11',
    },
    body: JSON.stringify({ photos: [dataUri(photoOf(1, 2))] }),
  });
  const { validationId } = good(answer, verificationAnswer);
  const listed = async (query: string) =>
    good(await dashboard('GET', `/validations?${query}`), validationPage).items.map(({ id }) => id);
  const [known, other] = ids;
  const enrolled = await listed(`person=${known}&source=enrolment`);
  assert.equal(enrolled.length, 2);
  assert.deepEqual(await listed(`person=${known}&hit=duplicate`), [validationId], 'the hit');
  assert.deepEqual(await listed(`person=${known}`), [validationId, ...enrolled]);
  assert.ok(!(await listed(`person=${other}`)).includes(validationId ?? 0));
  const alike = async (id: number | undefined) =>
    good(await dashboard('GET', `/persons/${id}/alike`), alikePersons).items.map((each) => [
      each.person.name,
      each.reading.band,
    ]);
  assert.deepEqual(await alike(known), []);
  const form = formOf(photoOf(1, 3));
  form.append('persons', JSON.stringify([{ name: 'Enrolled twice', externalId: null }]));
  assert.equal((await ask(site, 'POST', '/uploads', { cookie, body: form })).status, 202);
  await work();
  assert.deepEqual(await alike(known), [['Enrolled twice', 'strong']]);
  const { duplicateRuns } = site.storage;
  const latest = duplicateRuns.latest.bind(duplicateRuns);
  duplicateRuns.latest = async (company) => {
    const run = await latest(company);
    return run && { ...run, pipeline: 'replaced-1' as PipelineId };
  };
  const { vision } = site.engine;
  const calibrationOf = vision.calibrationOf.bind(vision);
  // It is not installed any more.
  Object.assign(vision, {
    calibrationOf: (_company: CompanyId, pipeline: PipelineId) =>
      pipeline === 'replaced-1' ? undefined : calibrationOf(),
  });
  assert.deepEqual(await alike(known), [['Enrolled twice', 'strong']], 'the last run had another pipeline');
  duplicateRuns.latest = latest;
  const { faces, version } = await person(known ?? 0);
  const split = { version, faces: [faces[0]!.id], name: 'Another' };
  good(await dashboard('POST', `/persons/${known}/split`, split), personsAnswer);
  assert.deepEqual(
    await alike(known),
    [['Enrolled twice', 'strong']],
    'without the person that was split off',
  );
  assert.equal((await dashboard('GET', '/persons/999/alike')).status, 404);
});

test('a search lists the ten nearest photos of a person, and rates all of them', async (t) => {
  const { site, cookie, groups, decide } = await openSearched(t, [12]);
  const [{ id, version } = { id: 0, version: 0 }] = (await groups()).items;
  good(await decide(id, version, 'same'), decisionAnswer);
  const answer = good(
    await site.call('/api/dashboard/search', {
      method: 'POST',
      token: null,
      headers: { origin: site.address, 'content-type': 'image/jpeg', cookie },
      body: new Uint8Array(photoOf(1)),
    }),
    searchAnswer,
  );
  const [face] = answer.faces;
  assert.deepEqual(
    face!.candidates.map(({ photos, furtherRates }) => [photos, furtherRates.length]),
    [[12, 2], ...Array.from({ length: 9 }, () => [12, 0])],
  );
  assert.equal(agreeingPhotos(answer, face!, DEFAULT_VIEW, face!.candidates[0]!), 12);
});

test('persons of blacklists are suggested while the company has blacklists', async (t) => {
  const { site, cookie, dashboard, work, groups, decide } = await openSearched(t, [2, 2]);
  const [{ id, version } = { id: 0, version: 0 }] = (await groups()).items;
  const known = good(await decide(id, version, 'same'), decisionAnswer).person!.id;
  const alike = async () =>
    good(await dashboard('GET', `/persons/${known}/alike`), alikePersons).items.map(
      ({ person }) => person.name,
    );
  const list = await site.storage.blacklists.create(
    site.company.id,
    { name: 'Barred', description: null },
    TEST_ACT,
  );
  const form = formOf(photoOf(1, 3));
  form.append('persons', JSON.stringify([{ name: 'Listed' }]));
  assert.equal((await ask(site, 'POST', `/blacklists/${list.id}/faces`, { cookie, body: form })).status, 202);
  await work();
  assert.deepEqual(await alike(), ['Listed']);
  await site.storage.companies.changeSettings(site.company.id, { blacklistsEnabled: false }, TEST_ACT);
  assert.deepEqual(await alike(), []);
});

test('the persons like one are sought by its 20 newest photos', async (t) => {
  const { site, cookie, dashboard, work } = await openSearched(t, [2]);
  const send = async (persons: readonly object[], photos: readonly Buffer[]) => {
    const form = formOf(...photos);
    form.append('persons', JSON.stringify(persons));
    assert.equal((await ask(site, 'POST', '/uploads', { cookie, body: form })).status, 202);
    await work();
  };
  const known = { name: 'Known', externalId: 'K' };
  await send([known], [photoOf(3)]);
  await send([{ name: 'Like the oldest photo' }], [photoOf(3, 1)]);
  const found = good(await dashboard('GET', '/persons?text=Known'), personPage).items[0]!.id;
  const alike = async () =>
    good(await dashboard('GET', `/persons/${found}/alike`), alikePersons).items.map(
      ({ person }) => person.name,
    );
  const more = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => photoOf(4, from + i));
  await send(
    more(0, 19).map(() => known),
    more(0, 19),
  );
  assert.deepEqual(await alike(), ['Like the oldest photo'], 'with 20 photos the oldest is a probe');
  await send([known], more(19, 20));
  assert.deepEqual(await alike(), [], 'with 21 it is not');
});
