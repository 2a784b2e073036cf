import {
  sentenceOf,
  InvalidInput,
  problem,
  type FieldProblems,
} from '../../core/contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlacklistId } from '../../core/contracts/ids.ts';
import { BLACKLIST_STATUS } from '../../core/contracts/codes.ts';
import { NOBODY, photoOf } from '../support/people.ts';
import { faceAlong } from '../support/site.ts';
import { BLACKLISTS, dataOf, openScreeningSite } from './screeningSite.ts';
import { addOperator, ask, signIn } from './access/operators.ts';
import { formOf, JPEG, openSite } from './site.ts';
import { TEST_ACT } from '../support/act.ts';
import { until } from '../support/until.ts';
import { enrolItem } from '../support/answerItem.ts';

/** The faults of a refused change; undefined: it was made. */
async function refusalOf(change: Promise<unknown>): Promise<FieldProblems | undefined> {
  try {
    await change;
    return undefined;
  } catch (error) {
    if (error instanceof InvalidInput) return error.fields;
    throw error;
  }
}

test('Name: required, at most 100 characters, unique in any case and spelling', async (t) => {
  const { service, site } = await openScreeningSite(t);
  const other = await site.newCompany();
  const errorsOf = async (fields: object) => {
    const refusal = await refusalOf(service.create(site.company.id, fields));
    return (
      refusal &&
      Object.fromEntries(Object.entries(refusal).map(([key, found]) => [key, found.map(sentenceOf)]))
    );
  };
  assert.deepEqual(Object.keys((await errorsOf({})) as object), ['name']);
  for (const name of ['', '   ', '\u200b\u200d'])
    assert.deepEqual(await errorsOf({ name }), { name: ['The name field is required.'] });
  assert.deepEqual(await errorsOf({ name: 'x'.repeat(101) }), {
    name: ['The name must not be greater than 100 characters.'],
  });
  assert.equal(await errorsOf({ name: '👩'.repeat(100) }), undefined, 'characters, not code units');
  assert.equal(await errorsOf({ name: 'Café' }), undefined);
  for (const name of ['Café', 'cafe\u0301', ' CAFÉ '])
    assert.deepEqual(await errorsOf({ name }), { name: ['The name has already been taken.'] });
  await service.create(other.id, { name: 'Café' });
});

test('Name: an edit may keep its own name and not take another one', async (t) => {
  const { service, site, newBlacklist } = await openScreeningSite(t);
  const { id } = await newBlacklist('First');
  await newBlacklist('Second');
  assert.equal((await service.edit(site.company.id, id, { name: 'FIRST' })).name, 'FIRST');
  await assert.rejects(
    service.edit(site.company.id, id, { name: 'second' }),
    new InvalidInput({ name: [problem('NAME_TAKEN')] }),
  );
});

test('an edit changes nothing but the fields that it names', async (t) => {
  const { service, site, newBlacklist } = await openScreeningSite(t);
  const { id } = await newBlacklist('Banned');
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const { blacklists } = site.storage;
  const find = blacklists.find.bind(blacklists);
  let isRead = false;
  blacklists.find = async (...wanted) => {
    const found = await find(...wanted);
    // Another operator is faster.
    if (!isRead) await service.edit(site.company.id, id, { description: 'by the court' });
    isRead = true;
    return found;
  };
  const body = { name: 'Barred' };
  assert.equal((await ask(site, 'PATCH', `/blacklists/${id}`, { cookie, body })).status, 200);
  assert.ok(isRead);
  const { name, description } = (await site.storage.blacklists.find(site.company.id, id))!;
  assert.deepEqual({ name, description }, { name: 'Barred', description: 'by the court' });
  const cleared = await service.edit(site.company.id, id, { description: null });
  assert.deepEqual([cleared.name, cleared.description], ['Barred', null]);
});

test('Description: optional, at most 255 characters', async (t) => {
  const { service, site } = await openScreeningSite(t);
  const make = async (description: string | null) =>
    service.create(site.company.id, { name: `n${description?.length ?? 0}`, description });
  await make(null);
  await make('x'.repeat(255));
  await assert.rejects(make('x'.repeat(256)), InvalidInput);
});

test('the list has Status, Enrolled Faces and Created At in the public shape', async (t) => {
  const { site, newBlacklist } = await openScreeningSite(t);
  const { id, createdAt } = await newBlacklist('VIP', { people: [1, 2] });
  const answer = await site.call(BLACKLISTS);
  assert.equal(answer.status, 200);
  const address = `${site.address}${BLACKLISTS}`;
  assert.deepEqual(answer.body, {
    success: true,
    message: 'Blacklists retrieved',
    data: [
      {
        id,
        name: 'VIP',
        description: null,
        status: 1,
        statusLabel: 'Active',
        enrolledFacesCount: 2,
        createdAt,
        updatedAt: createdAt,
      },
    ],
    links: {
      first: `${address}?page=1&per_page=50`,
      last: `${address}?page=1&per_page=50`,
      prev: null,
      next: null,
    },
    meta: { current_page: 1, from: 1, last_page: 1, path: address, per_page: 50, to: 1, total: 1 },
  });
});

test('paging: following next visits every blacklist once, with the filter kept', async (t) => {
  const { site, service, newBlacklist } = await openScreeningSite(t);
  const active: number[] = [];
  for (let index = 0; index < 7; index += 1) {
    const { id } = await newBlacklist(`List ${index}`);
    if (index % 3 === 0) await service.setActive(site.company.id, id, false);
    else active.push(id);
  }
  const seen: number[] = [];
  let next: string | null = `${BLACKLISTS}?per_page=2&status=1`;
  while (next !== null) {
    const { status, body } = await site.call(next.replace(site.address, ''));
    assert.equal(status, 200);
    seen.push(...(body.data as { id: number }[]).map(({ id }) => id));
    next = (body.links as { next: string | null }).next;
  }
  assert.deepEqual(seen, active);
  const beyond = await site.call(`${BLACKLISTS}?page=900000000&per_page=100`);
  assert.deepEqual([beyond.status, beyond.body.data], [200, []]);
  const { from, to, total } = beyond.body.meta as Record<string, unknown>;
  assert.deepEqual([from, to, total], [null, null, 7]);
});

test('an invalid query is 422 and states for its key what is valid', async (t) => {
  const site = await openSite(t);
  for (const [query, key, sentence] of [
    ['page=0', 'page', 'The page must be at least 1.'],
    ['page=1.5', 'page', 'The page must be a whole number.'],
    ['page=x', 'page', 'The page must be a number.'],
    ['page=99999999999999999999', 'page', 'The page must not be greater than 9007199254740991.'],
    ['per_page=101', 'per_page', 'The per_page must not be greater than 100.'],
    ['status=7', 'status', 'The status must be one of 0, 1.'],
    ['status=1&status=0', 'status', 'The status must be one of 0, 1.'],
  ] as const) {
    const { status, body } = await site.call(`${BLACKLISTS}?${query}`);
    assert.equal(status, 422, query);
    assert.deepEqual(body.errors, { [key]: [sentence] });
  }
  const blank = await site.call(`${BLACKLISTS}?status=&page=&per_page=`);
  assert.deepEqual([blank.status, (blank.body.meta as { total: number }).total], [200, 0]);
});

test('an upload answers 202 and its poll; faces have an ID and the name of the file', async (t) => {
  const { site, newBlacklist, work } = await openScreeningSite(t);
  const { id } = await newBlacklist('VIP');
  const form = formOf(
    { name: 'Maria Lopez.jpeg', content: photoOf(1) },
    { name: 'nobody.final.png', content: NOBODY },
    { name: 'Maria Lopez.jpeg', content: photoOf(1) },
  );
  const answer = await site.call(`${BLACKLISTS}/${id}/faces`, { method: 'POST', body: form });
  assert.equal(answer.status, 202);
  assert.equal(answer.body.message, 'Face upload accepted and queued for blacklist enrollment');
  const receipt = dataOf(answer);
  const { uploadId } = receipt as { uploadId: string };
  assert.deepEqual(receipt, {
    uploadId,
    blacklistId: id,
    numberOfImages: 3,
    status: 1,
    statusLabel: 'Processing',
  });
  const poll = async () => dataOf(await site.call(`${BLACKLISTS}/uploads/${uploadId}`));
  const waiting = await poll();
  assert.deepEqual(
    [waiting.status, waiting.statusLabel, waiting.pendingCount, waiting.progress, waiting.completedAt],
    [1, 'Processing', 3, 0, null],
  );
  await work();
  const done = await poll();
  assert.deepEqual(
    [done.status, done.statusLabel, done.succeededCount, done.failedCount, done.progress, done.blacklistId],
    [3, 'Partially Completed', 2, 1, 100, id],
  );
  const images = done.images as Record<string, unknown>[];
  assert.deepEqual(
    images.map((image) => [image.index, image.name, image.status, image.statusLabel, image.failureCode]),
    [
      [0, 'Maria Lopez', 2, 'Enrolled', null],
      [1, 'nobody.final', 3, 'Failed', 'NO_FACE'],
      [2, 'Maria Lopez', 2, 'Enrolled', null],
    ],
  );
  assert.equal(images[1]?.faceId, null);
  assert.equal(
    images[1].failureReason,
    'No face detected in the image. Please ensure face is clearly visible.',
  );
  assert.notEqual(images[0]?.faceId, images[2]?.faceId);
  assert.equal((await site.imageFiles()).length, 2, 'a failed face keeps no image');
});

for (const [people, label] of [
  [[1, 2], 'Completed'],
  [[1, -1], 'Partially Completed'],
  [[-1, -1], 'Failed'],
] as const)
  test(`a batch with ${people.filter((one) => one > 0).length} of ${people.length} faces ends as ${label}`, async (t) => {
    const { site, newBlacklist, work } = await openScreeningSite(t);
    const { id } = await newBlacklist('VIP');
    const form = formOf(...people.map((person) => (person > 0 ? photoOf(person) : NOBODY)));
    const answer = await site.call(`${BLACKLISTS}/${id}/faces`, { method: 'POST', body: form });
    await work();
    const { uploadId } = dataOf(answer) as { uploadId: string };
    assert.equal(dataOf(await site.call(`${BLACKLISTS}/uploads/${uploadId}`)).statusLabel, label);
  });

test('Enrolled → deleted: no longer matched, and earlier matches stay', async (t) => {
  const { site, service, newBlacklist, newFlow, verify, fill } = await openScreeningSite(t);
  const { id } = await newBlacklist('VIP');
  const poll = await fill(id, [1, 1, 2]);
  const [first, second] = (poll.images as { faceId: number }[]).map(({ faceId }) => faceId as never);
  const flow = await newFlow({ blacklistDetection: { enabled: true, blacklistIds: [id] } });
  const before = await verify(flow, 1);
  assert.equal((before.blacklistMatches as { matches: unknown[] }[])[0]?.matches.length, 2);
  const files = (await site.imageFiles()).length;
  assert.equal(await service.deleteFace(site.company.id, id, first!), true);
  assert.equal(await service.deleteFace(site.company.id, id, first!), false);
  assert.equal((await site.imageFiles()).length, files - 1, 'its image is gone');
  assert.equal(await service.deleteFace(site.company.id, id, second!), true);
  assert.deepEqual((await verify(flow, 1)).blacklistMatches, []);
  const again = dataOf(await site.call(`/api/v3/trust-validations/${String(before.id)}`));
  assert.deepEqual(again, before);
  const [row] = (await site.call(BLACKLISTS)).body.data as { enrolledFacesCount: number }[];
  assert.equal(row?.enrolledFacesCount, 1);
});

test('Inactive: no new faces, not screened, not selectable, until Active again', async (t) => {
  const { site, service, flows, newBlacklist, newFlow, verify } = await openScreeningSite(t);
  const { id } = await newBlacklist('VIP', { people: [1] });
  const chosen = { blacklistDetection: { enabled: true, blacklistIds: [id] } };
  const flow = await newFlow(chosen);
  await service.setActive(site.company.id, id, false);
  const refused = await site.call(`${BLACKLISTS}/${id}/faces`, { method: 'POST', body: formOf(photoOf(2)) });
  assert.equal(refused.status, 422);
  assert.equal(refused.body.message, 'Blacklist is inactive and accepts no new faces');
  assert.equal(refused.body.errors, undefined);
  await assert.rejects(
    flows.setDraft(site.company.id, { id: flow, revision: 1 }, chosen, 'local-admin'),
    InvalidInput,
  );
  const meanwhile = await verify(flow, 1);
  assert.deepEqual([meanwhile.status, meanwhile.blacklistMatches], [3, []]);
  const { notScreened } = meanwhile.screening as { notScreened: unknown };
  assert.deepEqual(notScreened, [{ blacklistId: id, blacklistName: 'VIP', reason: 'inactive' }]);
  await service.setActive(site.company.id, id, true);
  assert.equal((await verify(flow, 1)).blacklistDetected, true);
});

test('a list that is deleted or deactivated while its photos arrive takes none of them', async (t) => {
  const { site, service, newBlacklist } = await openScreeningSite(t);
  for (const [end, expected] of [
    [(id: BlacklistId) => service.delete(site.company.id, id), 404],
    [(id: BlacklistId) => service.setActive(site.company.id, id, false), 422],
  ] as const) {
    const { id } = await newBlacklist(`List ${expected}`);
    // Larger than what is gathered in memory before it is written.
    const { body, headers, release } = slowForm(Buffer.concat([photoOf(1), Buffer.alloc(300_000)]));
    const answering = site.call(`${BLACKLISTS}/${id}/faces`, {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    });
    await until(async () => (await site.imageFiles()).length > 0);
    await end(id);
    release();
    assert.equal((await answering).status, expected);
    assert.equal((await site.imageFiles()).length, 0);
    assert.equal(await site.storage.queue.waiting(), 0);
  }
});

test('waiting photos of a deleted list end as CANCELLED, also one in progress', async (t) => {
  const { site, service, newBlacklist, work, gallery } = await openScreeningSite(t);
  const { id } = await newBlacklist('VIP');
  const answer = await site.call(`${BLACKLISTS}/${id}/faces`, {
    method: 'POST',
    body: formOf(photoOf(1), photoOf(2)),
  });
  const { uploadId } = dataOf(answer) as { uploadId: string };
  const [inProgress] = await site.storage.queue.lease(1);
  assert.ok(inProgress);
  assert.equal(await service.delete(site.company.id, id), true);
  const analysis = { image: { width: 9, height: 9, format: 'jpeg' as const }, face: faceAlong(1) };
  assert.equal(
    await enrolItem(site.storage.queue, inProgress, analysis, new Date()),
    undefined,
    'nothing lands',
  );
  await work();
  const poll = dataOf(await site.call(`${BLACKLISTS}/uploads/${uploadId}`));
  assert.deepEqual([poll.status, poll.failedCount], [4, 2]);
  assert.ok((poll.images as { failureCode: string }[]).every((image) => image.failureCode === 'CANCELLED'));
  assert.equal((await site.imageFiles()).length, 0);
  assert.equal(await gallery.size(site.company.id, { kind: 'blacklist', blacklistId: id }), 0);
});

test('without the feature every blacklist route answers 422 and reveals no blacklist', async (t) => {
  const { site, newBlacklist } = await openScreeningSite(t);
  const { id } = await newBlacklist('VIP');
  await site.storage.companies.changeSettings(site.company.id, { blacklistsEnabled: false }, TEST_ACT);
  for (const [path, init] of [
    [BLACKLISTS, {}],
    [`${BLACKLISTS}/${id}/faces`, { method: 'POST', body: formOf(JPEG) }],
    [`${BLACKLISTS}/999/faces`, { method: 'POST', body: formOf(JPEG) }],
    [`${BLACKLISTS}/uploads/${crypto.randomUUID()}`, {}],
  ] as const) {
    const { status, body } = await site.call(path, init);
    assert.deepEqual(
      [status, body.message, body.errors],
      [422, 'Blacklists are not enabled for this company', undefined],
    );
  }
});

test('listing needs blacklists:read, uploading blacklists:write, polling either', async (t) => {
  const { site, newBlacklist } = await openScreeningSite(t);
  const { id } = await newBlacklist('VIP');
  const read = await site.newToken({ scopes: ['blacklists:read'] });
  const write = await site.newToken({ scopes: ['blacklists:write'] });
  const poll = `${BLACKLISTS}/uploads/${crypto.randomUUID()}`;
  const upload = { method: 'POST', body: formOf(JPEG) };
  assert.equal((await site.call(BLACKLISTS, { token: read })).status, 200);
  assert.equal((await site.call(BLACKLISTS, { token: write })).status, 403);
  assert.equal((await site.call(`${BLACKLISTS}/${id}/faces`, { ...upload, token: read })).status, 403);
  assert.equal((await site.call(`${BLACKLISTS}/${id}/faces`, { ...upload, token: write })).status, 202);
  const enroll = await site.newToken({ scopes: ['enroll'] });
  assert.equal((await site.call(poll, { token: enroll })).status, 403);
  assert.equal((await site.call(poll, { token: read })).status, 404);
  assert.equal((await site.call(poll, { token: write })).status, 404);
});

test('programs have no route to change or delete blacklists or faces', async (t) => {
  const { site, newBlacklist } = await openScreeningSite(t);
  const { id } = await newBlacklist('VIP');
  for (const [method, path, expected] of [
    ['POST', BLACKLISTS, 405],
    ['DELETE', `${BLACKLISTS}/${id}`, 404],
    ['PATCH', `${BLACKLISTS}/${id}`, 404],
    ['DELETE', `${BLACKLISTS}/${id}/faces`, 405],
    ['DELETE', `${BLACKLISTS}/${id}/faces/1`, 404],
  ] as const)
    assert.equal((await site.call(path, { method })).status, expected, `${method} ${path}`);
  const list = await site.storage.blacklists.find(site.company.id, id);
  assert.equal(list?.status, BLACKLIST_STATUS.Active);
});

/** A form whose end is held back until it is released. */
function slowForm(content: Uint8Array) {
  const { promise, resolve: release } = Promise.withResolvers<undefined>();
  const boundary = 'slow';
  const body = ReadableStream.from(
    (async function* () {
      yield Buffer.concat([
        Buffer.from(
          `--${boundary}\r\ncontent-disposition: form-data; name="images[]"; filename="a.jpg"\r\n\r\n`,
        ),
        content,
      ]);
      await promise;
      yield Buffer.from(`\r\n--${boundary}--\r\n`);
    })(),
  );
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return { body, headers, release: () => release(undefined) };
}
