/** A face from a search for a blacklist: through the one intake, in the audit log, and back again. */
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { additionReceipt } from '../../../core/contracts/dashboard/search.ts';
import { blacklistFacePage } from '../../../core/contracts/dashboard/blacklists.ts';
import { uploadDetail } from '../../../core/contracts/dashboard/work.ts';
import type { OperatorRole } from '../../../core/contracts/dashboard/session.ts';
import { NOBODY, photoOf } from '../../support/people.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openScreeningSite } from '../screeningSite.ts';
import type { Answer } from '../site.ts';
import { good } from './dashboardSite.ts';

async function openDashboard(t: TestContext) {
  const screening = await openScreeningSite(t);
  const { site, work } = screening;
  const as = async (role: OperatorRole, name: string = role) => {
    await addOperator(site, name, role);
    const cookie = await signIn(site, name);
    return {
      ask: (method: string, path: string, body?: unknown) =>
        ask(site, method, path, { cookie, ...(body !== undefined && { body }) }),
      send: (list: number, called: string, photo: Buffer) =>
        site.call(`/api/dashboard/search/additions?blacklist=${list}&name=${encodeURIComponent(called)}`, {
          method: 'POST',
          token: null,
          headers: { origin: site.address, 'content-type': 'image/jpeg', cookie },
          body: new Uint8Array(photo),
        }),
    };
  };
  /** Works on what was queued. @returns its upload's id, and the one photo of it */
  const answered = async (dashboard: Awaited<ReturnType<typeof as>>, answer: Answer) => {
    assert.equal(answer.status, 202, answer.text);
    const { uploadId } = additionReceipt.parse(answer.body);
    await work();
    const [image] = good(await dashboard.ask('GET', `/uploads/${uploadId}`), uploadDetail).images;
    assert.ok(image);
    return { uploadId, image };
  };
  const countOf = async (id: number) => {
    const { rows } = await site.storage.blacklists.list(site.company.id, { offset: 0, limit: 9 });
    return rows.find((row) => row.id === id)?.enrolledFacesCount;
  };
  const recorded = (action: 'upload.accepted' | 'face.erased') =>
    site.storage.audit.list(site.company.id, { filter: { action, actor: 'operator' }, limit: 10 });
  return { ...screening, as, answered, countOf, recorded };
}

test('an investigator adds the searched face, which is logged, and undoes it', async (t) => {
  const { site, gallery, newBlacklist, as, answered, countOf, recorded } = await openDashboard(t);
  const list = await newBlacklist('Refused entry');
  const dashboard = await as('investigator');
  const { uploadId, image } = await answered(
    dashboard,
    await dashboard.send(list.id, ' J. Doe ', photoOf(3)),
  );
  assert.deepEqual([image.fileName, image.failureCode], ['J. Doe.jpg', null]);
  assert.equal(await countOf(list.id), 1);
  const watchlist = { kind: 'blacklist', blacklistId: list.id } as const;
  assert.equal(await gallery.size(site.company.id, watchlist), 1);
  const [accepted] = await recorded('upload.accepted');
  assert.equal(accepted?.object, `upload:${uploadId}`);
  assert.deepEqual(JSON.parse(accepted.details), { kind: 'blacklist', images: 1, from: 'search' });

  const back = `/search/additions/${uploadId}`;
  assert.equal((await (await as('admin')).ask('DELETE', back)).status, 404, 'not theirs');
  assert.equal(await countOf(list.id), 1);
  assert.equal((await dashboard.ask('DELETE', back)).status, 204);
  assert.equal((await dashboard.ask('DELETE', back)).status, 204, 'gone is gone');
  assert.equal(await countOf(list.id), 0);
  assert.equal((await recorded('face.erased')).length, 1);
});

test('an addition is undone after its face was moved to another list', async (t) => {
  const { newBlacklist, as, answered, countOf, recorded } = await openDashboard(t);
  const first = await newBlacklist('Refused entry');
  const second = await newBlacklist('Banned for life', { people: [5] });
  const dashboard = await as('admin');
  const { uploadId } = await answered(dashboard, await dashboard.send(first.id, 'J. Doe', photoOf(3)));
  const { items } = good(await dashboard.ask('GET', `/blacklists/${first.id}/faces`), blacklistFacePage);
  const move = { ids: items.map(({ id }) => id), to: second.id };
  assert.equal((await dashboard.ask('POST', `/blacklists/${first.id}/faces/move`, move)).status, 200);
  assert.deepEqual([await countOf(first.id), await countOf(second.id)], [0, 2]);
  assert.equal((await dashboard.ask('DELETE', `/search/additions/${uploadId}`)).status, 204);
  assert.deepEqual([await countOf(first.id), await countOf(second.id)], [0, 1], 'the other face stays');
  assert.equal((await recorded('face.erased')).length, 1);
});

test('the kept photo of a candidate is added; the candidate stays where it is', async (t) => {
  const { site, newBlacklist, as, answered, countOf } = await openDashboard(t);
  const first = await newBlacklist('Document fraud', { people: [5] });
  const second = await newBlacklist('Refused entry');
  const [known] = await site.storage.blacklists.photos(site.company.id, first.id, { limit: 1 });
  const dashboard = await as('investigator');
  const path = `/search/additions/faces/${known?.faceId ?? 0}`;
  const { image } = await answered(
    dashboard,
    await dashboard.ask('POST', path, { blacklist: second.id, name: 'Person 5' }),
  );
  assert.notEqual(image.faceId, known?.faceId);
  assert.deepEqual([await countOf(first.id), await countOf(second.id)], [1, 1]);
});

test('what enrolment refuses is refused here too, and nothing is kept', async (t) => {
  const { site, service: lists, newBlacklist, as, answered, countOf } = await openDashboard(t);
  const list = await newBlacklist('Refused entry');
  const dashboard = await as('investigator');
  const { uploadId, image } = await answered(dashboard, await dashboard.send(list.id, 'Nobody', NOBODY));
  assert.equal(image.failureCode, 'NO_FACE');
  assert.equal((await dashboard.ask('DELETE', `/search/additions/${uploadId}`)).status, 204);
  for (const name of ['', 'a/b', 'a\\b', 'x'.repeat(101)])
    assert.equal((await dashboard.send(list.id, name, photoOf(1))).status, 422, name);
  assert.equal((await dashboard.send(list.id, 'A text', Buffer.from('no image'))).status, 422);
  assert.equal((await dashboard.send(987_654, 'J. Doe', photoOf(1))).status, 404);
  await lists.setActive(site.company.id, list.id, false);
  const inactive = await dashboard.send(list.id, 'J. Doe', photoOf(1));
  assert.equal(inactive.status, 422);
  assert.match(inactive.text, /active/);
  assert.equal(await site.storage.queue.waiting(), 0);
  assert.equal(await countOf(list.id), 0);
  assert.deepEqual(await site.imageFiles(), []);
});

test('an addition that is unanswered, old or from another source cannot be undone', async (t) => {
  const { site, newBlacklist, as, work, countOf, recorded, fill } = await openDashboard(t);
  const list = await newBlacklist('Refused entry');
  const dashboard = await as('investigator');
  const sent = additionReceipt.parse((await dashboard.send(list.id, 'J. Doe', photoOf(2))).body);
  const back = `/search/additions/${sent.uploadId}`;
  const early = await dashboard.ask('DELETE', back);
  assert.equal(early.status, 422);
  assert.match(early.text, /STILL_WAITING/);
  await work();
  const { uploadId } = await fill(list.id, [4]);
  assert.equal((await dashboard.ask('DELETE', `/search/additions/${String(uploadId)}`)).status, 404);
  site.setTime(new Date('2026-03-01T13:00:01.000Z'));
  const { ask: later } = await as('investigator', 'Later');
  assert.equal((await later('DELETE', back)).status, 404);
  const cookie = await signIn(site, 'investigator');
  assert.equal((await ask(site, 'DELETE', back, { cookie })).status, 404);
  assert.equal(await countOf(list.id), 2);
  assert.deepEqual(await recorded('face.erased'), []);
});
