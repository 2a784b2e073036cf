import { CodedError } from '../../../core/contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { folderReceipt, offeredFolder } from '../../../core/contracts/dashboard/folders.ts';
import { uploadDetail } from '../../../core/contracts/dashboard/work.ts';
import { photoOf } from '../../support/people.ts';
import { temporaryFolder } from '../../support/site.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openSite, type TestSite } from '../site.ts';
import { good } from './dashboardSite.ts';

/** Photos as they come from a camera, with what does not belong to them. */
function cameraFolder(t: TestContext): string {
  const folder = join(temporaryFolder(t), 'camera');
  mkdirSync(join(folder, 'gate', '.trash'), { recursive: true });
  writeFileSync(join(folder, 'Ada Brandt.jpg'), photoOf(1));
  writeFileSync(join(folder, 'gate', 'Jonas Weil.jpg'), photoOf(2));
  writeFileSync(join(folder, 'gate', '.trash', 'gone.jpg'), photoOf(3));
  writeFileSync(join(folder, 'empty.jpg'), '');
  writeFileSync(join(folder, 'notes.jpg'), 'only words');
  writeFileSync(join(folder, 'phone.heic'), '\0\0\0\u0018ftypheic\0\0\0\0mif1heic');
  symlinkSync('/etc/passwd', join(folder, 'passwd.jpg'));
  symlinkSync('/etc', join(folder, 'system'));
  return folder;
}

/** A signed-in operator: their session's token, and what they ask. */
async function signedInAs(
  site: TestSite,
  name: string,
  role: Parameters<typeof addOperator>[2] = 'operator',
) {
  await addOperator(site, name, role);
  const cookie = await signIn(site, name);
  const token = /vouch_session=([^;]+)/.exec(cookie)?.[1] ?? '';
  return {
    token,
    offer: (path: string) => site.engine.folderGrants.offer(token, path),
    asks: (method: string, path: string, body?: unknown, key?: string) =>
      ask(site, method, path, {
        cookie,
        ...(body !== undefined && { body }),
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      }),
  };
}

const refusedWith = (words: RegExp) => (error: unknown) =>
  error instanceof CodedError && words.test(error.message);

test('a folder is read in place by a grant that one session holds', async (t) => {
  const site = await openSite(t);
  const folder = cameraFolder(t);
  const { offer, asks } = await signedInAs(site, 'maren');
  const grantId = await offer(folder);
  const answer = await asks('GET', `/folders/${grantId}`);
  assert.ok(!answer.text.includes(join(folder, '..')), 'the page learns no path of this machine');
  const { name, files } = good(answer, offeredFolder);
  assert.equal(name, 'camera');
  assert.deepEqual(
    files.map(({ path, skip }) => [path, skip]),
    [
      ['Ada Brandt.jpg', null],
      ['empty.jpg', 'empty'],
      ['gate/Jonas Weil.jpg', null],
      ['notes.jpg', 'notAnImage'],
      ['passwd.jpg', 'link'],
      ['phone.heic', 'otherFormat'],
      ['system', 'link'],
    ],
  );
  const send = (places: number[], key: string) =>
    asks('POST', `/folders/${grantId}/uploads`, { files: places }, key);
  const sent = await send([0, 2], 'batch-1');
  assert.equal(sent.status, 202, sent.text);
  const { uploadId } = folderReceipt.parse(sent.body);
  const upload = good(await asks('GET', `/uploads/${uploadId}`), uploadDetail);
  assert.deepEqual(
    upload.images.map(({ fileName }) => fileName),
    ['Ada Brandt.jpg', 'Jonas Weil.jpg'],
  );
  assert.equal(folderReceipt.parse((await send([0, 2], 'batch-1')).body).uploadId, uploadId, 'sent once');
  assert.equal(site.accepted() > 0, true);

  const other = await signedInAs(site, 'jonas');
  for (const [method, path, body] of [
    ['GET', `/folders/${grantId}`],
    ['POST', `/folders/${grantId}/uploads`, { files: [0] }],
    ['DELETE', `/folders/${grantId}`],
  ] as const)
    assert.equal((await other.asks(method, path, body)).status, 404, method);
  assert.equal((await asks('DELETE', `/folders/${grantId}`)).status, 204);
  assert.equal((await asks('GET', `/folders/${grantId}`)).status, 404);
});

test('a restart drops folder grants and nothing sent: the same batch is one upload', async (t) => {
  const site = await openSite(t);
  const folder = cameraFolder(t);
  const { offer, asks } = await signedInAs(site, 'maren');
  const send = async (grantId: string) =>
    asks('POST', `/folders/${grantId}/uploads`, { files: [0, 2] }, 'batch-1');
  const grantId = await offer(folder);
  const { uploadId } = folderReceipt.parse((await send(grantId)).body);
  const kept = await site.imageFiles();
  assert.equal(kept.length, 2);

  await site.restart();
  for (const [method, path] of [
    ['GET', `/folders/${grantId}`],
    ['POST', `/folders/${grantId}/uploads`],
  ] as const)
    assert.equal(
      (await asks(method, path, method === 'POST' ? { files: [0] } : undefined)).status,
      404,
      'which the page takes for: choose the folder again',
    );
  const upload = good(await asks('GET', `/uploads/${uploadId}`), uploadDetail);
  assert.equal(upload.images.length, 2, 'what was under way waits in the queue');
  assert.equal(await site.storage.queue.waiting(), 2);

  const again = await offer(folder);
  assert.notEqual(again, grantId);
  assert.equal(folderReceipt.parse((await send(again)).body).uploadId, uploadId);
  assert.equal(await site.storage.queue.waiting(), 2);
  assert.deepEqual(await site.imageFiles(), kept);
});

test('a file that changed since the plan is named, and none of its batch is kept', async (t) => {
  const site = await openSite(t);
  const folder = cameraFolder(t);
  const { offer, asks } = await signedInAs(site, 'maren');
  const grantId = await offer(folder);
  const send = (places: number[]) => asks('POST', `/folders/${grantId}/uploads`, { files: places });
  const before = await site.imageFiles();
  for (const places of [
    [0, 3],
    [0, 4],
    [0, 99],
  ])
    assert.deepEqual(Object.keys((await send(places)).body.errors as object), ['images.1'], String(places));
  // A link in place of a photo, then of the folder around it, as another account of the machine could make it.
  const photo = join(folder, 'Ada Brandt.jpg');
  rmSync(photo);
  symlinkSync('/etc/passwd', photo);
  assert.deepEqual(Object.keys((await send([0])).body.errors as object), ['images.0']);
  renameSync(join(folder, 'gate'), join(folder, '..', 'elsewhere'));
  symlinkSync(join(folder, '..', 'elsewhere'), join(folder, 'gate'));
  assert.deepEqual(Object.keys((await send([2])).body.errors as object), ['images.0']);
  assert.deepEqual(await site.imageFiles(), before);
});

test("a folder is refused without a session, right or folder, or inside Vouch's own", async (t) => {
  const site = await openSite(t);
  const folder = cameraFolder(t);
  const { offer } = await signedInAs(site, 'maren');
  const { folderGrants } = site.engine;
  await assert.rejects(folderGrants.offer('no session', folder), refusedWith(/You are not signed in/));
  const reviewer = await signedInAs(site, 'tomas', 'reviewer');
  await assert.rejects(reviewer.offer(folder), refusedWith(/Your role does not include/));
  await assert.rejects(offer('camera'), refusedWith(/did not name a folder/));
  await assert.rejects(offer(join(folder, 'nowhere')), refusedWith(/no longer exists/));
  await assert.rejects(offer(join(folder, 'Ada Brandt.jpg')), refusedWith(/a file, not a folder/));
  await assert.rejects(offer(site.folder), refusedWith(/belongs to Vouch itself/));
  await assert.rejects(offer(join(site.folder, 'logs')), refusedWith(/belongs to Vouch itself/));
  const disguised = join(temporaryFolder(t), 'photos');
  symlinkSync(join(site.folder, 'logs'), disguised);
  await assert.rejects(offer(disguised), refusedWith(/belongs to Vouch itself/));
});

test('photos of a granted folder can be sent with the persons whom they show', async (t) => {
  const site = await openSite(t);
  const folder = cameraFolder(t);
  const persons = [{ name: 'Ada Brandt', externalId: 'E-1' }, null];
  for (const [name, role, status] of [
    ['maren', 'operator', 403],
    ['jonas', 'admin', 202],
  ] as const) {
    const { offer, asks } = await signedInAs(site, name, role);
    const grantId = await offer(folder);
    const answer = await asks('POST', `/folders/${grantId}/uploads`, { files: [0, 2], persons });
    assert.equal(answer.status, status, answer.text);
  }
  const [ada, jonas] = await site.storage.queue.lease(2);
  assert.deepEqual([ada?.named?.externalId, jonas?.named], ['E-1', null]);
});
