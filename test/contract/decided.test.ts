/** The rows of the table "Decided cases" of docs/api.md that no other file tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLACKLISTS, dataOf, openScreeningSite } from './screeningSite.ts';
import { photoOf } from '../support/people.ts';
import { multipart, fileHead } from './rawRequest.ts';
import { FACES, JPEG, PNG, formOf, openSite } from './site.ts';
import { TEST_ACT } from '../support/act.ts';

const MATCH = '/api/v1/verification/signature/match';
const FORM = { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' } };

test('forms: names, unchosen files and failing keys', async (t) => {
  const site = await openSite(t);
  const errorsOf = async (form: FormData) => (await site.upload(form)).body.errors;
  assert.deepEqual(await errorsOf(formOf({ name: `${'n'.repeat(252)}.jpg`, content: JPEG })), {
    'images.0': [
      'The images.0 must not have a file name of more than 255 characters. Rename the file and send it again.',
    ],
  });
  assert.deepEqual(Object.keys((await errorsOf(formOf({ field: 'image', content: JPEG }))) ?? {}).sort(), [
    'image',
    'images',
  ]);
  const unchosen = { head: fileHead('images[]', ''), content: '' };
  const one = await site.call(FACES, {
    ...FORM,
    body: new Uint8Array(multipart('b', [{ head: fileHead('images[]'), content: JPEG }, unchosen])),
  });
  assert.equal(one.status, 202, one.text);
  assert.equal(dataOf(one).numberOfImages, 1);
  const none = await site.call(FACES, { ...FORM, body: new Uint8Array(multipart('b', [unchosen])) });
  assert.deepEqual(none.body.errors, { images: ['The images field is required.'] });
});

test('addresses and headers: two slashes, large headers, the id of the caller', async (t) => {
  const site = await openSite(t);
  const missing = crypto.randomUUID();
  const twice = await site.call(`//api/v3/duplicate-detection/uploads/${missing}`);
  assert.equal(twice.body.message, 'Not found.');
  const wrong = await site.call(`/${MATCH}`, { method: 'POST', body: '{}' });
  assert.deepEqual([wrong.status, wrong.body.status], [415, false]);
  const large = await site.call(FACES, { headers: { filler: 'x'.repeat(20_000) } });
  assert.deepEqual([large.status, large.body.code], [431, 'HEADERS_TOO_LARGE']);
  const mine = await site.call('/health', { headers: { 'x-request-id': missing } });
  assert.equal(mine.headers.get('x-correlation-id'), missing);
  assert.notEqual(mine.headers.get('x-request-id'), missing);
  assert.ok(site.lines.some(({ facts }) => 'correlationId' in facts && facts.correlationId === missing));
  const other = await site.call('/health', { headers: { 'x-request-id': 'not a UUID' } });
  assert.equal(other.headers.get('x-correlation-id'), null);
});

test('signatures: ids as numbers, and data URIs with a charset or space in front', async (t) => {
  const site = await openSite(t);
  const image = (head: string, text: string) =>
    `${head}base64,${Buffer.concat([PNG.subarray(0, 8), Buffer.from(text)]).toString('base64')}`;
  const match = async (fields: object) =>
    site.call(MATCH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        image1: image('data:image/png;charset=utf-8;', '80 a'),
        image2: image('  data:image/png;', '80 b'),
        template_id: 2,
        verification_id: 49,
        ...fields,
      }),
    });
  const answer = await match({});
  assert.equal(answer.status, 200, answer.text);
  const half = await match({ template_id: 1.5 });
  assert.deepEqual(half.body.errors, { template_id: ['The template_id must be a string.'] });
});

test('a batch that was accepted is enrolled to its end, whatever is switched off meanwhile', async (t) => {
  const { site, desk, newBlacklist, work } = await openScreeningSite(t);
  const { id } = await newBlacklist('Barred');
  const paths = [`${BLACKLISTS}/${id}/faces`, FACES];
  const polls = [];
  for (const [person, path] of paths.entries()) {
    const answer = await site.call(path, { method: 'POST', body: formOf(photoOf(person)) });
    assert.equal(answer.status, 202, answer.text);
    const { uploadId } = dataOf(answer) as { uploadId: string };
    polls.push(`${path === FACES ? '/api/v3/duplicate-detection' : BLACKLISTS}/uploads/${uploadId}`);
  }
  await desk.setActive(site.company.id, id, false, 'owner');
  await site.storage.companies.changeSettings(site.company.id, { registrationEnabled: false }, TEST_ACT);
  await work();
  for (const poll of polls) assert.equal(dataOf(await site.call(poll)).status, 2);
  for (const path of paths)
    assert.equal((await site.call(path, { method: 'POST', body: formOf(photoOf(3)) })).status, 422);
});
