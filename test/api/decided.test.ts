/** The rows of the table "Decided cases" of docs/reference/api.md that no other file tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BLACKLISTS,
  CREATE,
  FINALIZE,
  SELFIE,
  VALIDATIONS,
  dataOf,
  dataUri,
  openScreeningSite,
} from './screeningSite.ts';
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

test('an accepted batch is enrolled to its end, whatever is switched off later', async (t) => {
  const { site, service, newBlacklist, work } = await openScreeningSite(t);
  const { id } = await newBlacklist('Barred');
  const paths = [`${BLACKLISTS}/${id}/faces`, FACES];
  const polls = [];
  for (const [person, path] of paths.entries()) {
    const answer = await site.call(path, { method: 'POST', body: formOf(photoOf(person)) });
    assert.equal(answer.status, 202, answer.text);
    const { uploadId } = dataOf(answer) as { uploadId: string };
    polls.push(`${path === FACES ? '/api/v3/duplicate-detection' : BLACKLISTS}/uploads/${uploadId}`);
  }
  await service.setActive(site.company.id, id, false);
  await site.storage.companies.changeSettings(site.company.id, { registrationEnabled: false }, TEST_ACT);
  await work();
  for (const poll of polls) assert.equal(dataOf(await site.call(poll)).status, 2);
  for (const path of paths)
    assert.equal((await site.call(path, { method: 'POST', body: formOf(photoOf(3)) })).status, 422);
});

test('percent-encoded and URL-safe base64 data URIs are refused without a record', async (t) => {
  const site = await openSite(t);
  const bytes = Buffer.concat([PNG.subarray(0, 8), Buffer.from([0xfb, 0xff, 0xfe])]);
  const match = (image1: string) =>
    site.call(MATCH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        image1,
        image2: `data:image/png;base64,${bytes.toString('base64')}`,
        template_id: 'accounts',
        verification_id: 'case-1183',
      }),
    });
  const plain = bytes.toString('base64');
  assert.match(plain, /[+/]/, 'the two alphabets differ in these bytes');
  for (const data of [
    `base64,${plain.replaceAll('+', '-').replaceAll('/', '_')}`,
    `base64,${encodeURIComponent(plain)}`,
    `,${encodeURIComponent(bytes.toString('latin1'))}`,
  ]) {
    const answer = await match(`data:image/png;${data}`);
    assert.equal(answer.status, 422, data);
    assert.deepEqual(Object.keys(answer.body.errors ?? {}), ['image1']);
  }
  assert.deepEqual(await site.storage.comparisons.list(site.company.id, { limit: 1 }), []);
});

test('verification ids are text, other ids integers, and requests take both', async (t) => {
  const { site, newFlow, post } = await openScreeningSite(t);
  const flow = await newFlow();
  for (const asSent of [String, Number]) {
    const created = await post(CREATE, { template_id: asSent(flow) });
    assert.equal(created.status, 200, created.text);
    const { id } = created.body.verification as { id: string };
    assert.equal(typeof id, 'string');
    const image = dataUri(photoOf(5, 1));
    const taken = await post(SELFIE, {
      image,
      trust_flow_id: asSent(flow),
      trust_validation_id: asSent(id),
    });
    assert.equal(taken.status, 200, taken.text);
    const finalized = await post(FINALIZE, { template_id: asSent(flow), verification_id: asSent(id) });
    assert.equal(finalized.status, 200, finalized.text);
    assert.equal(typeof (finalized.body.verification as { id: unknown }).id, 'string', finalized.text);
    assert.equal(dataOf(await site.call(`${VALIDATIONS}/${id}`)).id, Number(id));
    const { data } = (await site.call(VALIDATIONS)).body as { data: { id: unknown }[] };
    assert.equal(data[0]?.id, Number(id));
  }
});

test('forms: errors count the parts from 0, and a part without a file name is no file', async (t) => {
  const site = await openSite(t);
  const numbered = await site.upload(
    formOf({ field: 'images[3]', content: JPEG }, { field: 'images[7]', content: Buffer.from('text') }),
  );
  assert.deepEqual(numbered.body.errors, {
    'images.1': ['The images.1 must be a file of type: jpg, jpeg, png.'],
  });
  const head = 'Content-Disposition: form-data; name="images[]"';
  const body = new Uint8Array(multipart('b', [{ head, content: JPEG }]));
  const unnamed = await site.call(FACES, { ...FORM, body });
  assert.equal(unnamed.status, 422);
  assert.match(JSON.stringify(unnamed.body.errors), /must be a file\./);
});

test('one Idempotency-Key serves both upload routes of a company', async (t) => {
  const { site, newBlacklist } = await openScreeningSite(t);
  const { id } = await newBlacklist('Barred');
  const upload = (path: string, token = site.token) =>
    site.call(path, {
      method: 'POST',
      body: formOf(JPEG),
      headers: { 'idempotency-key': 'batch-1' },
      token,
    });
  assert.equal((await upload(FACES)).status, 202);
  const elsewhere = await upload(`${BLACKLISTS}/${id}/faces`);
  assert.deepEqual(
    [elsewhere.status, elsewhere.body.message],
    [422, 'Idempotency-Key was already used for a different upload.'],
  );
  const other = await site.newToken({ company: await site.newCompany() });
  assert.equal((await upload(FACES, other)).status, 202);
});

test('metadata over 16,384 characters is 422, and a body over 64 kB is 413', async (t) => {
  const { newFlow, post } = await openScreeningSite(t);
  const template_id = await newFlow();
  const create = (length: number) => post(CREATE, { template_id, metadata: { note: 'n'.repeat(length) } });
  assert.equal((await create(16_000)).status, 200);
  const long = await create(17_000);
  assert.equal(long.status, 422);
  assert.match(JSON.stringify(long.body.errors), /not be greater than 16384 characters/);
  assert.equal((await create(66_000)).status, 413);
});

test('an id in an address is decimal digits: another spelling names nothing', async (t) => {
  const { site, newBlacklist } = await openScreeningSite(t);
  const { id } = await newBlacklist('Watched');
  const upload = (spelt: string) =>
    site.call(`${BLACKLISTS}/${spelt}/faces`, {
      method: 'POST',
      body: formOf({ name: 'a.jpg', content: JPEG }),
    });
  for (const spelt of [
    `${id}.0`,
    `${id}e0`,
    `0x${id}`,
    `0${id}`,
    `+${id}`,
    `%20${id}`,
    '1'.repeat(16),
    '0',
    '-1',
  ])
    assert.equal((await upload(spelt)).status, 404, spelt);
  assert.equal((await upload(String(id))).status, 202);
});

test('a username has no invisible characters, in v1 as in v3', async (t) => {
  const { site, post, newFlow } = await openScreeningSite(t);
  const flow = await newFlow();
  for (const [path, keys] of [
    ['/api/v1/verification/biometricsregistration', ['template_id', 'verification_id']],
    ['/api/v3/verifications/biometrics-detection', ['trustFlowId', 'trustValidationId']],
  ] as const) {
    const { id } = (await post(CREATE, { template_id: flow })).body.verification as { id: string };
    const answer = await post(path, {
      image: dataUri(photoOf(7, 1)),
      username: ' A\u202eB\u200b\tC ',
      [keys[0]]: flow,
      [keys[1]]: id,
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(dataOf(await site.call(`${VALIDATIONS}/${id}`)).name, 'AB C', path);
  }
});
