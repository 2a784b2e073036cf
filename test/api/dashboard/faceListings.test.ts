/** Severity, reason and expiry of blacklist faces: set when adding, changed later, exact at the time of expiry. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { auditPage } from '../../../core/contracts/audit.ts';
import { blacklistFacePage, type BlacklistFace } from '../../../core/contracts/dashboard/blacklists.ts';
import { LISTED, searchAnswer } from '../../../core/contracts/dashboard/search.ts';
import { erasurePlan } from '../../../core/contracts/erasure.ts';
import { validationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { type FaceListing, newListing, ofTexts } from '../../../core/contracts/faceListing.ts';
import { newHits } from '../../../core/contracts/dashboard/validations.ts';
import { trusted, type BlacklistId } from '../../../core/contracts/ids.ts';
import { FaceListingService } from '../../../core/domain/blacklists/faceListings.ts';
import { ErasureService } from '../../../core/domain/erasure/erasureService.ts';
import { TEST_ACT } from '../../support/act.ts';
import { photoOf } from '../../support/people.ts';
import { SILENT_LOG } from '../../support/fakes.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { formOf } from '../site.ts';
import { good } from './dashboardSite.ts';

/** After the clock of the machine, by which photos are enrolled. */
const NOW = Date.parse('2090-01-01T12:00:00.000Z');
const STEP = 1000;
const at = (milliseconds: number) => new Date(NOW + milliseconds);

async function openDashboard(t: TestContext) {
  const screening = await openScreeningSite(t);
  const { site, gallery, work } = screening;
  const { vision } = site.engine;
  site.setTime(at(0));
  site.token = await site.newToken();
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const dashboard = (method: string, path: string, body?: unknown) =>
    ask(site, method, path, { cookie, ...(body !== undefined && { body }) });
  const { id: list } = await screening.newBlacklist('Barred persons');
  const send = (path: string, body: Buffer | FormData) =>
    site.call(`/api/dashboard${path}`, {
      method: 'POST',
      token: null,
      headers: {
        origin: site.address,
        cookie,
        ...(body instanceof Buffer && { 'content-type': 'image/jpeg' }),
      },
      body: body instanceof Buffer ? new Uint8Array(body) : body,
    });
  /** Uploads photos of these people to the list. */
  const add = async (people: readonly number[], listing: Record<string, string> = {}) => {
    const form = formOf(...people.map((person) => ({ name: `${person}.jpg`, content: photoOf(person) })));
    const answer = await send(`/blacklists/${list}/faces?${new URLSearchParams(listing).toString()}`, form);
    if (answer.status === 202) await work();
    return answer;
  };
  const faces = async (): Promise<BlacklistFace[]> =>
    good(await dashboard('GET', `/blacklists/${list}/faces`), blacklistFacePage).items;
  const found = async (person: number) => {
    const answer = await send('/search', photoOf(person, 5));
    return (
      good(answer, searchAnswer).faces[0]?.candidates.map(({ name, listing }) => ({ name, listing })) ?? []
    );
  };
  const service = new FaceListingService({
    ...site.storage,
    gallery,
    vision,
    clock: { now: () => time },
    log: SILENT_LOG,
  });
  let time = at(0);
  const setTime = (next: Date) => {
    time = next;
    site.setTime(next);
  };
  const erasures = new ErasureService({
    ...site.storage,
    gallery,
    vision,
    verifications: site.engine.verifications,
    blacklistTransfer: { forgetWaiting: () => Promise.resolve() },
    clock: { now: () => time },
    log: SILENT_LOG,
  });
  const size = () => gallery.size(site.company.id, { kind: 'blacklist', blacklistId: list });
  return {
    ...screening,
    dashboard,
    list,
    add,
    faces,
    found,
    setTime,
    size,
    erasures,
    follow: () => service.follow(),
  };
}

test('all photos of an upload get its severity, reason and expiry', async (t) => {
  const { add, faces, dashboard, list } = await openDashboard(t);
  const listing: FaceListing = {
    severity: 'stop',
    ...ofTexts((field) => `Entered as ${field}.`),
    reason: 'Barred from the site after the theft in May.',
    expiresAt: at(STEP).toISOString(),
  };
  const answer = await add([1, 2], { ...listing, expiresAt: '2090-01-01T13:00:01+01:00' } as Record<
    string,
    string
  >);
  assert.equal(answer.status, 202, answer.text);
  assert.deepEqual(
    (await faces()).map(({ listing: stored, expired }) => ({ stored, expired })),
    [1, 2].map(() => ({ stored: listing, expired: false })),
  );
  const past = await add([3], { expiresAt: at(-1).toISOString() });
  assert.equal(past.status, 422, past.text);
  assert.match(past.text, /expiry date is in the past/);
  assert.equal((await add([3], { reason: 'x'.repeat(501) })).status, 422);
  assert.equal((await add([3], { severity: 'deadly' })).status, 422);
  await add([3]);
  assert.deepEqual((await faces())[0]?.listing, newListing());
  assert.equal(
    (await dashboard('PATCH', `/blacklists/${list + 1}/faces`, { ids: [1], change: {} })).status,
    404,
  );
});

test('a face stops matching at its expiry, before any timer has run', async (t) => {
  const { site, list, add, faces, found, setTime, size, follow } = await openDashboard(t);
  // More expiring faces of the person than a search returns: none of them takes the place of the one that stays.
  const half = Array.from({ length: LISTED / 2 + 1 }, () => 1);
  for (const people of [half, half]) await add(people, { expiresAt: at(STEP).toISOString() });
  await add([1], { severity: 'information', reason: 'Stays.' });
  setTime(at(STEP - 1));
  assert.equal((await found(1)).length, LISTED);
  setTime(at(STEP));
  assert.equal(await size(), LISTED + 3, 'the gallery in memory has not followed');
  const staying = newListing({ severity: 'information', reason: 'Stays.' });
  assert.deepEqual(await found(1), [{ name: '1', listing: staying }]);
  assert.deepEqual((await faces()).filter(({ expired }) => expired).length, LISTED + 2);
  await follow();
  assert.equal(await size(), 1);
  assert.deepEqual(await found(1), [{ name: '1', listing: staying }]);
  const counted = await site.storage.blacklists.find(site.company.id, list);
  assert.deepEqual([counted?.enrolledFacesCount, counted?.expiredFacesCount], [1, LISTED + 2]);
});

test('a face is renamed with its listing, is found by the name, and the log says so', async (t) => {
  const { site, add, faces, found, dashboard, list } = await openDashboard(t);
  await add([1, 2]);
  const [, first] = await faces();
  const path = `/blacklists/${list}/faces`;
  const both = (await faces()).map(({ id }) => id);
  assert.equal((await dashboard('PATCH', path, { ids: both, change: {}, name: 'Two' })).status, 422);
  const change = { ids: [first!.id], change: { severity: 'stop' }, name: 'Zoë Haddad' };
  assert.equal((await dashboard('PATCH', path, change)).status, 200);
  assert.deepEqual(
    (await faces()).map(({ name, listing }) => [name, listing?.severity]),
    [
      ['2', 'caution'],
      ['Zoë Haddad', 'stop'],
    ],
  );
  assert.equal((await found(1))[0]?.name, 'Zoë Haddad');
  assert.match((await dashboard('GET', '/find?text=haddad%20zoe')).text, /Zoë Haddad/);
  const [entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'face.listing-changed' },
    limit: 1,
  });
  assert.match(entry?.details ?? '', /"nameChanged":true/);
  assert.doesNotMatch(entry?.details ?? '', /Haddad/, 'entries are never deleted, so they hold no name');
});

test('an expired face can be renewed, also after a restart', async (t) => {
  const { site, add, faces, found, setTime, size, follow, dashboard, list } = await openDashboard(t);
  await add([1], { expiresAt: at(STEP).toISOString() });
  setTime(at(2 * STEP));
  await follow();
  assert.deepEqual([await size(), await found(1)], [0, []]);
  const [face] = await faces();
  const renew = (expiresAt: Date) =>
    dashboard('PATCH', `/blacklists/${list}/faces`, {
      ids: [face?.id],
      change: { expiresAt: expiresAt.toISOString() },
    });
  assert.equal((await renew(at(2 * STEP))).status, 422);
  const renewed = await renew(at(3 * STEP));
  assert.equal(renewed.status, 200, renewed.text);
  assert.deepEqual([await size(), (await found(1)).length, (await faces())[0]?.expired], [1, 1, false]);
  setTime(at(3 * STEP));
  await follow();
  await site.restart();
  assert.equal(
    await site.engine.gallery.size(site.company.id, { kind: 'blacklist', blacklistId: list }),
    0,
    'a start reads no expired face',
  );
});

test('an erasure proposes faces that have expired, before and after they leave memory', async (t) => {
  const { site, gallery, add, faces, setTime, follow, dashboard, newFlow, verify, erasures } =
    await openDashboard(t);
  await add([1], { expiresAt: at(STEP).toISOString() });
  await add([2]);
  const first = await verify(await newFlow(), 1);
  setTime(at(2 * STEP));
  const expired = (await faces()).find((face) => face.expired);
  assert.ok(expired);
  const proposed = async () => {
    const plan = await dashboard('POST', '/erasures/plan', { choice: { validations: [first.id] } });
    const byPhoto = await erasures.findByPhoto(site.company.id, photoOf(1, 7), TEST_ACT);
    return [good(plan, erasurePlan).candidates, byPhoto].map((candidates) =>
      candidates.filter(({ kind }) => kind === 'face').map(({ id }) => id),
    );
  };
  assert.deepEqual(await proposed(), [[String(expired.id)], [String(expired.id)]]);
  await follow();
  assert.equal(await gallery.size(site.company.id, { kind: 'duplicate' }), 1);
  assert.deepEqual(await proposed(), [[String(expired.id)], [String(expired.id)]]);
});

test('faces match again when a clock that was ahead is corrected', async (t) => {
  const { site, add, found, setTime, size, follow } = await openDashboard(t);
  await add([1], { expiresAt: at(STEP).toISOString() });
  setTime(at(1000 * STEP));
  await follow();
  assert.equal(await size(), 0);
  setTime(at(1));
  await follow();
  assert.deepEqual([await size(), (await found(1)).length], [1, 1]);
  const actions = ['face.expired', 'face.expiry-undone'] as const;
  for (const action of actions)
    assert.equal(
      (await site.storage.audit.list(site.company.id, { filter: { action }, limit: 9 })).length,
      1,
    );
});

test('a validation keeps the severity and reason that the face had', async (t) => {
  const { site, add, faces, list, dashboard, newFlow, verify, setTime } = await openDashboard(t);
  await add([1], {
    severity: 'information',
    reason: 'Ask for the badge.',
    expiresAt: at(STEP).toISOString(),
  });
  await add([1], { severity: 'stop', reason: 'Call security.' });
  const flow = await newFlow({
    blacklistDetection: { enabled: true, blacklistIds: [list], action: 'review' },
  });
  const { last } = good(await dashboard('GET', '/hits'), newHits);
  const { id } = await verify(flow, 1, site.token);
  const fresh = good(await dashboard('GET', `/hits?after=${last}`), newHits);
  assert.deepEqual(fresh.hits, [{ validation: id, blacklistName: 'Barred persons', severity: 'stop' }]);
  assert.deepEqual(good(await dashboard('GET', `/hits?after=${fresh.last}`), newHits).hits, []);
  const ids = (await faces()).map((face) => face.id);
  const change = { severity: 'caution', reason: '', expiresAt: null };
  assert.equal((await dashboard('PATCH', `/blacklists/${list}/faces`, { ids, change })).status, 200);
  assert.deepEqual(
    (await faces()).map(({ listing }) => listing?.reason),
    [null, null],
  );
  const { blacklists } = good(await dashboard('GET', `/validations/${String(id)}`), validationDetail);
  assert.deepEqual(
    blacklists.map(({ severity, reason }) => [severity, reason]),
    [
      ['stop', 'Call security.'],
      ['information', 'Ask for the badge.'],
    ],
    'the most severe first',
  );
  const changes = await site.storage.audit.list(site.company.id, {
    filter: { action: 'face.listing-changed' },
    limit: 9,
  });
  assert.equal(changes.length, 2);
  assert.ok(!JSON.stringify(changes).includes('badge'), 'no reason in the audit log');
  setTime(at(STEP));
  const again = await verify(flow, 1, site.token);
  assert.equal(again.blacklistDetected, true, 'the expiry was removed');
});

test('moved faces match in the other list alone, and can be moved back', async (t) => {
  const { site, add, faces, found, dashboard, list, newBlacklist, gallery, size } = await openDashboard(t);
  await add([1, 2], { severity: 'stop' });
  const other = await newBlacklist('Banned for life');
  const [second, first] = await faces();
  const move = (from: number, ids: unknown[], to: number) =>
    dashboard('POST', `/blacklists/${from}/faces/move`, { ids, to });
  const shownIn = async (of: number) =>
    good(await dashboard('GET', `/blacklists/${of}/faces`), blacklistFacePage).items.map(({ id }) => id);
  const sizeOfOther = () => gallery.size(site.company.id, { kind: 'blacklist', blacklistId: other.id });
  const before = await found(1);
  assert.equal(before[0]?.name, '1');
  const answer = await move(list, [first!.id, 999_999], other.id);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { ids: [first!.id] });
  assert.deepEqual([await shownIn(list), await shownIn(other.id)], [[second!.id], [first!.id]]);
  assert.deepEqual([await size(), await sizeOfOther()], [1, 1]);
  assert.deepEqual(await found(1), before, 'it matches with its severity');
  assert.equal((await move(list, [first!.id], other.id)).status, 404, 'it is not in this list any longer');
  assert.equal((await move(list, [second!.id], 999)).status, 404, 'no such list');
  assert.equal((await move(other.id, [first!.id], list)).status, 200);
  assert.deepEqual([await size(), await sizeOfOther()], [2, 0]);
  const [, entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'face.moved' },
    limit: 9,
  });
  assert.equal(entry?.object, `blacklist:${other.id}`);
  assert.deepEqual(JSON.parse(entry.details), { face: first!.id, from: list });
  await dashboard('PATCH', `/blacklists/${other.id}`, { status: 0 });
  assert.equal((await move(list, [first!.id], other.id)).status, 422, 'an inactive list takes no faces');
  assert.deepEqual([await size(), await sizeOfOther()], [2, 0]);
});

test('a face is not moved to a list of another company', async (t) => {
  const { site, add, faces, dashboard, list, service } = await openDashboard(t);
  await add([1]);
  const company = await site.newCompany();
  const theirs = await service.create(company.id, { name: 'Theirs' });
  const ids = (await faces()).map(({ id }) => id);
  const move = (from: number, to: number) => dashboard('POST', `/blacklists/${from}/faces/move`, { ids, to });
  assert.equal((await move(list, theirs.id)).status, 404);
  assert.equal((await move(theirs.id, list)).status, 404);
  assert.equal((await faces()).length, 1);
});

test('a listed face of another company answers as if it did not exist', async (t) => {
  const { site, add, faces, dashboard, service } = await openDashboard(t);
  await add([1]);
  const other = await site.newCompany();
  const made = await service.create(other.id, { name: 'Theirs' });
  const [face] = await faces();
  const path = (list: BlacklistId) => `/blacklists/${list}/faces`;
  const body = { ids: [face?.id], change: { severity: 'stop' } };
  assert.equal((await dashboard('PATCH', path(made.id), body)).status, 404);
  const unknown = { ...body, ids: [trusted.face(999)] };
  assert.equal((await dashboard('PATCH', path(trusted.blacklist(1)), unknown)).status, 404);
  assert.equal((await faces())[0]?.listing?.severity, 'caution');
});

test('the audit log names a viewed face and its blacklist, as long as the face exists', async (t) => {
  const { add, faces, dashboard, list } = await openDashboard(t);
  assert.equal((await add([3])).status, 202);
  const [face] = await faces();
  assert.ok(face !== undefined);
  assert.equal((await dashboard('GET', `/faces/${face.id}/image`)).status, 200);
  const [entry] = good(await dashboard('GET', '/audit?action=image.read&limit=1'), auditPage).items;
  assert.deepEqual(
    [entry?.object, entry?.objectName, entry?.objectBlacklist],
    [`face:${face.id}`, face.name, list],
  );
  const file = await dashboard('GET', '/audit/export?format=csv');
  assert.ok(!file.text.includes(`,${face.name},`), 'an export names no person');
});
