/** Bodies that are small to send and large to process: one request must not take the service from all others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addOperator, signIn } from './access/operators.ts';
import { FACES, JPEG, openSite } from './site.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
/** Lists of 60,000 values, flat and nested: 120 KiB. */
const BODIES = {
  flat: `{"image1":[${'1,'.repeat(60_000)}1]}`,
  nested: `{"image1":${'['.repeat(60_000)}${']'.repeat(60_000)}}`,
  empty: `{"image1":[${'"",'.repeat(30_000)}1]}`,
};

test('a JSON body of more values than any request has is refused before it is parsed', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ada', 'admin');
  const cookie = await signIn(site, 'Ada');
  const routes = [
    { path: '/api/v1/verification/signature/match', headers: {} },
    { path: '/api/v1/verification/signature/compare', headers: {} },
    { path: '/api/v3/verifications/biometrics-verification', headers: {} },
    { path: '/api/dashboard/signatures/compare', headers: { cookie, origin: site.address } },
    { path: '/api/dashboard/flows', headers: { cookie, origin: site.address } },
  ];
  for (const { path, headers } of routes)
    for (const [name, body] of Object.entries(BODIES)) {
      const answer = await site.call(path, {
        method: 'POST',
        body,
        headers: { ...JSON_TYPE, ...headers },
        ...('cookie' in headers && { token: null }),
      });
      assert.equal(answer.status, 413, `${path} ${name}: ${answer.text}`);
      assert.match(String(answer.body.message), /must not have more than 50000 /, `${path} ${name}`);
    }
});

test('an urlencoded form of more fields than any form has is refused', async (t) => {
  const site = await openSite(t);
  const answer = await site.call('/api/v1/verification/create-verification', {
    method: 'POST',
    body: `template_id=1${'&a'.repeat(200)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(answer.body.code, 'FORM_TOO_MANY_FIELDS');
});

test('without a credential no large body is read, on an unknown path either', async (t) => {
  const site = await openSite(t);
  for (const path of ['/nowhere', '/api/v3/nowhere', '/api/dashboard/nowhere', '/health']) {
    const answer = await site.call(path, {
      ...{ method: 'POST', token: null, headers: JSON_TYPE },
      body: `{"text":"${'a'.repeat(20_000)}"}`,
    });
    assert.ok([404, 405, 413].includes(answer.status), path);
    if (path !== '/health') assert.equal(answer.body.code, 'BODY_TOO_LARGE', path);
  }
});

test('persons of an upload are parsed only if they have as many values as photos', async (t) => {
  const site = await openSite(t);
  const upload = async (extra: number) => {
    const form = new FormData();
    form.append('images[]', new Blob([JPEG]), 'a.jpg');
    form.append('persons', JSON.stringify([{ name: 'Ada', extra: Array.from({ length: extra }, () => 0) }]));
    return site.call(FACES, { method: 'POST', body: form });
  };
  assert.equal((await upload(100)).status, 202);
  const { status, body } = await upload(20_000);
  assert.deepEqual([status, Object.keys(body.errors as object)], [422, ['persons']]);
});
