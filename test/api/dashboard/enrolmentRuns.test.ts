/** Enrolment runs and their failed photos: what is listed, corrected, and hidden from other companies. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { blacklistFacePage } from '../../../core/contracts/dashboard/blacklists.ts';
import { enrolledFace } from '../../../core/contracts/dashboard/faceImages.ts';
import { failureList, fixReceipt, runList, runRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { uploadDetail } from '../../../core/contracts/dashboard/work.ts';
import { TEST_ACT } from '../../support/act.ts';
import { photoOf } from '../../support/people.ts';
import { answerImages } from '../engine.ts';
import { FACES, formOf } from '../site.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

const RUN = '0b0c6d6e-6a3e-4d3a-9a59-0d1f3b6f8a11';
const AT = new Date('2026-03-01T12:00:10.000Z');

test('uploads of one run are one row; an upload without a run is its own', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const declared = `${FACES}?run=${RUN}&runName=Gate%20photos&runPhotos=5&severalFaces=main`;
  for (const photos of [[1, 2], [3]] as const)
    await site.call(declared, { method: 'POST', body: formOf(...photos.map((n) => photoOf(n))) });
  await site.upload(formOf(photoOf(4)));
  await answerImages(site, AT, ['face', 'MULTIPLE_FACES']);
  const { items, total } = good(await admin('GET', '/runs'), runList);
  assert.equal(total, 2);
  const run = items.find(({ runId }) => runId === RUN)!;
  const { name, source, severalFaces, planned, images, enrolled, failed, waiting, endedAt } = run;
  assert.deepEqual(
    { name, source, severalFaces, planned, images, enrolled, failed, waiting, endedAt },
    {
      name: 'Gate photos',
      source: 'program',
      severalFaces: 'main',
      planned: 5,
      images: 3,
      enrolled: 1,
      failed: 1,
      waiting: 1,
      endedAt: null,
    },
  );
  const single = items.find(({ runId }) => runId !== RUN)!;
  assert.deepEqual([single.name, single.images, single.severalFaces], [null, 1, 'refuse']);
  await answerImages(site, AT, ['face', 'face']);
  assert.equal(good(await admin('GET', `/runs/${RUN}`), runRow).endedAt, AT.toISOString());
  assert.equal(good(await admin('GET', '/runs?show=running'), runList).total, 0);
  const page = good(await admin('GET', '/runs?limit=1'), runList);
  const rest = good(await admin('GET', `/runs?limit=1&cursor=${page.nextCursor ?? ''}`), runList);
  assert.equal(new Set([...page.items, ...rest.items].map(({ runId }) => runId)).size, 2);
});

test('sheets are split into a photo of each portrait, which keep the hash of the sheet', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const [sheet, single] = ['a, b, c', 'd'].map((text) => Buffer.from(`\xff\xd8\xff${text}`, 'latin1'));
  const declared = `${FACES}?run=${RUN}&severalFaces=each`;
  const send = (key: string, persons?: readonly object[]) => {
    const body = formOf(sheet!, single!);
    if (persons !== undefined) body.append('persons', JSON.stringify(persons));
    return site.call(declared, { method: 'POST', body, headers: { 'idempotency-key': key } });
  };
  const named = await send('1', [{ name: 'Ann' }, { name: 'Zoe' }]);
  assert.equal(named.status, 422, 'nobody said which portrait is meant');
  const sent = await send('2');
  assert.equal((sent.body as { data: { numberOfImages: number } }).data.numberOfImages, 4);
  assert.deepEqual((await send('2')).body, sent.body, 'the same sheets under the same key are enrolled once');
  await answerImages(site, AT, ['face', 'face', 'MULTIPLE_FACES', 'face']);
  const { items } = good(await admin('GET', `/failures?run=${RUN}`), failureList);
  assert.deepEqual(
    items.map(({ fileName }) => fileName),
    ['face 0.jpg#3'],
  );
  const sha256 = createHash('sha256').update(sheet!).digest('hex');
  const originals = [];
  for (const id of [1, 2, 3]) originals.push(good(await admin('GET', `/faces/${id}`), enrolledFace).original);
  const ofSheet = { kind: 'JPEG', sha256, record: null };
  assert.deepEqual(originals, [ofSheet, ofSheet, null], 'a photo that is no sheet is stored as it came');
});

test('a run of one list is not joined by an upload into another list', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const list = await site.storage.blacklists.create(
    site.company.id,
    { name: 'Barred', description: null },
    TEST_ACT,
  );
  await site.call(`${FACES}?run=${RUN}`, { method: 'POST', body: formOf(photoOf(1)) });
  await site.call(`/api/v3/biometric-blacklists/${list.id}/faces?run=${RUN}`, {
    method: 'POST',
    body: formOf(photoOf(2)),
  });
  const { items } = good(await admin('GET', '/runs'), runList);
  assert.deepEqual(items.map(({ kind, images }) => `${kind} ${images}`).toSorted(), [
    'blacklist 1',
    'duplicate 1',
  ]);
});

test('a corrected photo keeps its name and list, and the failure keeps its history', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  await site.call(`${FACES}?run=${RUN}`, { method: 'POST', body: formOf(photoOf(1), photoOf(2)) });
  await answerImages(site, AT, ['MULTIPLE_FACES', 'NO_FACE']);
  const before = good(await admin('GET', `/failures?run=${RUN}&state=open`), failureList);
  assert.deepEqual(before.reasons.map(({ code, count }) => `${code} ${count}`).toSorted(), [
    'MULTIPLE_FACES 1',
    'NO_FACE 1',
  ]);
  const failed = before.items.find(({ failureCode }) => failureCode === 'MULTIPLE_FACES')!;
  const fix = (photo: number) =>
    admin('POST', `/failures/${failed.id}/fixes?face=2&faces=3`, formOf(photoOf(photo)));
  // The first correction fails as well: the photo can be corrected again.
  assert.equal((await fix(3)).status, 202);
  assert.match((await fix(4)).text, /ALREADY_FIXED/);
  await answerImages(site, AT, ['TOO_DARK']);
  const again = good(await admin('GET', '/failures?state=open&reason=MULTIPLE_FACES'), failureList);
  assert.deepEqual([again.items[0]?.fix?.state, again.items[0]?.fix?.failureCode], ['failed', 'TOO_DARK']);
  const { uploadId } = fixReceipt.parse((await fix(5)).body);
  const endedAt = async () => good(await admin('GET', `/runs/${RUN}`), runRow).endedAt;
  assert.equal(await endedAt(), AT.toISOString(), 'a correction that waits does not continue the run');
  await answerImages(site, new Date(AT.getTime() + 3_600_000), ['face']);
  assert.equal(await endedAt(), AT.toISOString(), 'nor does a processed one lengthen it');
  assert.match((await fix(6)).text, /ALREADY_FIXED/);
  const detail = good(await admin('GET', `/uploads/${uploadId}`), uploadDetail);
  assert.deepEqual([detail.images[0]?.fileName, detail.runId], [failed.fileName, RUN]);
  const fixed = good(await admin('GET', '/failures?state=fixed'), failureList);
  const [{ fix: shown, failureCode } = { fix: null, failureCode: null }] = fixed.items;
  assert.equal(fixed.total, 1);
  assert.equal(failureCode, 'MULTIPLE_FACES');
  assert.deepEqual(
    [shown?.state, shown?.face, shown?.faces, shown?.byName !== null],
    ['enrolled', 2, 3, true],
  );
  const run = good(await admin('GET', `/runs/${RUN}`), runRow);
  assert.deepEqual([run.images, run.enrolled, run.failed, run.waiting], [2, 1, 1, 0]);
});

test('a failed photo names its person: of its corrected photo, or of its external id', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const send = async (person: object, outcome: 'face' | 'NO_FACE', photo: number) => {
    const form = formOf(photoOf(photo));
    form.append('persons', JSON.stringify([person]));
    assert.equal((await admin('POST', '/uploads', form)).status, 202);
    await answerImages(site, AT, [outcome]);
  };
  await send({ name: 'Ann', externalId: '17' }, 'face', 1);
  await send({ externalId: '17' }, 'NO_FACE', 2);
  await send({ name: 'Bea', externalId: '18' }, 'NO_FACE', 3);
  const named = async () =>
    good(await admin('GET', '/failures'), failureList).items.map(({ person }) => person?.name ?? null);
  assert.deepEqual(await named(), [null, 'Ann'], 'no photo of Bea is enrolled');
  const [bea] = good(await admin('GET', '/failures'), failureList).items;
  assert.equal((await admin('POST', `/failures/${bea!.id}/fixes?faces=0`, formOf(photoOf(4)))).status, 202);
  await answerImages(site, AT, ['face']);
  assert.deepEqual(await named(), ['Bea', 'Ann']);
  const [fixed] = good(await admin('GET', '/failures'), failureList).items;
  assert.equal((await admin('GET', `/persons/${fixed!.person!.id}`)).status, 200);
});

test('each face of a failed sheet becomes a photo with its number, in one request', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  await site.call(`${FACES}?run=${RUN}`, { method: 'POST', body: formOf(photoOf(1)) });
  await answerImages(site, AT, ['MULTIPLE_FACES']);
  const [failed] = good(await admin('GET', `/failures?run=${RUN}`), failureList).items;
  const { id, fileName } = failed!;
  const split = (faces: number) =>
    admin('POST', `/failures/${id}/fixes?faces=${faces}`, formOf(photoOf(2), photoOf(3), photoOf(4)));
  assert.equal((await split(2)).status, 422, 'no more photos than faces');
  assert.equal((await split(3)).status, 202);
  await answerImages(site, AT, ['face', 'face', 'NO_FACE']);
  const { items } = good(await admin('GET', `/failures?run=${RUN}`), failureList);
  assert.deepEqual(
    items.map((item) => [item.fileName, item.failureCode, item.fix?.state]),
    [
      [`${fileName}#3`, 'NO_FACE', undefined],
      [fileName, 'MULTIPLE_FACES', 'enrolled'],
    ],
  );
  const run = good(await admin('GET', `/runs/${RUN}`), runRow);
  assert.deepEqual([run.images, run.enrolled, run.failed], [3, 2, 1]);
});

test('a sheet is split once, names no face, and does not continue its run', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const form = formOf(photoOf(1));
  form.append('persons', JSON.stringify([{ name: 'Ada', externalId: 'A-1' }]));
  assert.equal((await admin('POST', `/uploads?run=${RUN}`, form)).status, 202);
  await answerImages(site, AT, ['MULTIPLE_FACES']);
  const [failed] = good(await admin('GET', `/failures?run=${RUN}`), failureList).items;
  const fix = (faces: number, ...photos: number[]) =>
    admin('POST', `/failures/${failed!.id}/fixes?faces=${faces}`, formOf(...photos.map((n) => photoOf(n))));
  const run = async () => good(await admin('GET', `/runs/${RUN}`), runRow);
  assert.equal((await fix(2, 2, 3)).status, 202);
  assert.equal((await run()).endedAt, AT.toISOString(), 'a face that waits does not continue the run');
  const leased = await site.storage.queue.lease(2);
  assert.deepEqual(
    leased.map(({ named }) => named),
    [null, null],
    'nobody said which face has the name',
  );
  await site.storage.queue.release(leased, { counted: false });
  await answerImages(site, new Date(AT.getTime() + 3_600_000), ['NO_FACE', 'face']);
  assert.equal((await run()).endedAt, AT.toISOString(), 'nor does a processed one lengthen it');
  assert.match((await fix(2, 2, 3)).text, /ALREADY_FIXED/, 'the second face is enrolled');
  assert.equal((await fix(2, 4)).status, 202, 'a single face is sent for the sheet');
});

test('failed photos that are sent once more show as fixed when they are enrolled', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  await site.call(`${FACES}?run=${RUN}`, { method: 'POST', body: formOf(photoOf(1), photoOf(2)) });
  await answerImages(site, AT, ['NO_FACE', 'TOO_DARK']);
  const { items } = good(await admin('GET', `/failures?run=${RUN}`), failureList);
  const [second, first] = items.map(({ id }) => id);
  const retry = (fixes: string, ...photos: number[]) =>
    admin('POST', `/uploads?run=${RUN}&fixes=${fixes}`, formOf(...photos.map((n) => photoOf(n))));
  assert.equal((await retry(`${first},0,${second}`, 3, 4, 5)).status, 202);
  await answerImages(site, AT, ['face', 'face', 'NO_FACE']);
  const after = good(await admin('GET', `/failures?run=${RUN}`), failureList);
  // A photo that fails once more is no failure of its own, and one that was sent for none is an image of the run.
  assert.deepEqual(
    after.items.map(({ id, failureCode, fix }) => [id, failureCode, fix?.state, fix?.failureCode]),
    [
      [second, 'TOO_DARK', 'failed', 'NO_FACE'],
      [first, 'NO_FACE', 'enrolled', null],
    ],
  );
  const run = good(await admin('GET', `/runs/${RUN}`), runRow);
  assert.deepEqual([run.images, run.enrolled, run.failed], [3, 2, 1]);
  assert.equal((await retry('000', 8)).status, 202, 'zero, however it is written, is no failed photo');
  const refused = await retry(`${second},${first}`, 6, 7);
  assert.equal(refused.status, 422);
  assert.deepEqual(Object.keys((refused.body as { errors: object }).errors), ['images.1']);
  assert.equal((await retry('999999', 6)).status, 404);
});

test('a photo corrected for a blacklist takes over severity, reason and expiry', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const list = await site.storage.blacklists.create(
    site.company.id,
    { name: 'Barred', description: null },
    TEST_ACT,
  );
  const { id } = list;
  const sent = await admin('POST', `/blacklists/${id}/faces?severity=stop&reason=Theft`, formOf(photoOf(1)));
  assert.equal(sent.status, 202);
  await answerImages(site, AT, ['NO_FACE']);
  const [failed] = good(await admin('GET', '/failures'), failureList).items;
  assert.equal((await admin('POST', `/failures/${failed!.id}/fixes`, formOf(photoOf(2)))).status, 202);
  await answerImages(site, AT, ['face']);
  const { items } = good(await admin('GET', `/blacklists/${id}/faces?status=2`), blacklistFacePage);
  assert.deepEqual(
    items.map(({ listing }) => listing),
    [{ severity: 'stop', reason: 'Theft', expiresAt: null }],
  );
  // The list of a failed photo is the list of its later photo.
  const elsewhere = await admin('POST', `/uploads?fixes=${failed!.id}`, formOf(photoOf(3)));
  assert.equal(elsewhere.status, 404);
});

test('failed photos that cannot be fixed leave the open list until this is undone', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  await site.call(`${FACES}?run=${RUN}`, {
    method: 'POST',
    body: formOf(photoOf(1), photoOf(2), photoOf(3)),
  });
  await answerImages(site, AT, ['NO_FACE', 'TOO_DARK', 'face']);
  const listed = async (state: string) =>
    good(await admin('GET', `/failures?state=${state}`), failureList).items;
  const ids = (await listed('open')).map(({ id }) => id);
  const put = (body: object) => admin('PUT', '/failures/unfixable', body);
  const marked = { ids, unfixable: true, note: 'Photos of dogs' };
  assert.equal((await put({ ...marked, ids: [...ids, 999] })).status, 404);
  assert.equal((await listed('open')).length, 2, 'of one unknown photo, none is marked');
  assert.equal((await put({ ...marked, ids: [] })).status, 422);
  assert.equal((await put(marked)).status, 204);
  assert.deepEqual(await listed('open'), []);
  const [shown, ...others] = await listed('unfixable');
  assert.deepEqual([shown?.unfixable?.note, others.length], ['Photos of dogs', 1]);
  assert.equal(good(await admin('GET', '/runs?show=failed'), runList).total, 0);
  const { failed, enrolled } = good(await admin('GET', `/runs/${RUN}`), runRow);
  assert.deepEqual([failed, enrolled], [2, 1], 'a run keeps its counts');
  // A corrected photo that is enrolled after all fixes the failed one.
  const fix = await admin('POST', `/failures/${ids[0]!}/fixes`, formOf(photoOf(4)));
  assert.equal(fix.status, 202);
  assert.equal((await listed('unfixable')).length, 1);
  assert.equal((await put({ ids: [ids[1]!], unfixable: false })).status, 204);
  assert.deepEqual(
    (await listed('open')).map(({ id, unfixable }) => [id, unfixable]),
    [[ids[1], null]],
  );
  const filter = { action: 'photo.unfixable' } as const;
  const entries = await site.storage.audit.list(site.company.id, { filter, limit: 10 });
  assert.deepEqual(
    entries.map(({ details }) => (JSON.parse(details) as { marked: boolean }).marked),
    [false, true],
  );
});

test('runs and failures of another company are not shown and not corrected', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const other = await site.newCompany();
  const token = await site.newToken({ company: other });
  await site.call(`${FACES}?run=${RUN}`, { method: 'POST', body: formOf(photoOf(1)), token });
  await answerImages(site, AT, ['NO_FACE']);
  const admin = await as('admin');
  assert.equal(good(await admin('GET', '/runs'), runList).total, 0);
  assert.equal(good(await admin('GET', '/failures'), failureList).total, 0);
  assert.equal((await admin('GET', `/runs/${RUN}`)).status, 404);
  const failed = (await site.storage.runs.failures(other.id, {}, { limit: 1 }))[0]!;
  assert.equal((await admin('POST', `/failures/${failed.id}/fixes`, formOf(photoOf(1)))).status, 404);
  const mark = { ids: [failed.id], unfixable: true };
  assert.equal((await admin('PUT', '/failures/unfixable', mark)).status, 404);
  // The same id of a run in both companies: two runs.
  await site.call(`${FACES}?run=${RUN}`, { method: 'POST', body: formOf(photoOf(2)) });
  assert.equal(good(await admin('GET', `/runs/${RUN}`), runRow).images, 1);
});
