import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { credentialList, madeCredential } from '../../../core/contracts/dashboard/credentials.ts';
import { signatureHeaders, signatureHeadersV2 } from '../signing.ts';
import { openSite, UPLOADS, type TestSite } from '../site.ts';
import { addOperator, ask, signIn } from './operators.ts';
import { CLIENT_FILES } from '../../../core/contracts/dashboard/company.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const TARGET = `${UPLOADS}/00000000-0000-4000-8000-000000000000`;

async function opened(site: TestSite) {
  await addOperator(site, 'Ana', 'admin');
  const cookie = await signIn(site, 'Ana');
  const make = (body: object) => ask(site, 'POST', '/credentials', { cookie, body });
  const list = async () =>
    credentialList.parse((await ask(site, 'GET', '/credentials', { cookie })).body).items;
  return { cookie, make, list };
}

test('a dashboard token works with its scopes, hides its secret and stops when revoked', async (t) => {
  const site = await openSite(t);
  const { cookie, make, list } = await opened(site);
  const made = await make({ kind: 'token', name: ' Gate 4 ', scopes: ['enroll'] });
  assert.equal(made.status, 200, made.text);
  const { credential, secret } = madeCredential.parse(made.body);
  assert.equal(credential.name, 'Gate 4');
  const poll = async () => (await site.call(TARGET, { token: secret })).status;
  assert.equal(await poll(), 404);
  const rows = await list();
  assert.equal(rows[0]?.id, credential.id);
  assert.equal(rows[0].lastUsedAt, new Date(NOW).toISOString());
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(secret));
  assert.equal(
    (await ask(site, 'POST', `/credentials/token/${credential.id}/revoke`, { cookie })).status,
    204,
  );
  assert.equal(await poll(), 401);
  assert.equal(
    (await ask(site, 'POST', `/credentials/token/${credential.id}/revoke`, { cookie })).status,
    404,
  );
  assert.equal((await list()).at(-1)?.state, 'revoked');
});

test('a signing key made in the dashboard signs, always under a new id', async (t) => {
  const site = await openSite(t);
  const { make } = await opened(site);
  const key = { kind: 'key', name: 'Scanner', scopes: ['enroll'], userId: 'chosen' };
  const { credential, secret } = madeCredential.parse((await make(key)).body);
  assert.match(credential.userId ?? '', /^user_/, 'a chosen id could reveal the ids of other companies');
  assert.equal(credential.profile, 'v1');
  const [stored] = await site.storage.hmacKeys.list(site.company.id);
  const headers = signatureHeaders(
    { key: stored!, secret },
    { method: 'GET', target: TARGET, at: NOW / 1000 },
  );
  assert.equal((await site.call(TARGET, { token: null, headers })).status, 404);
  const second = madeCredential.parse((await make({ ...key, profile: 'v2' })).body);
  assert.equal(second.credential.profile, 'v2');
  const stored2 = (await site.storage.hmacKeys.list(site.company.id)).find(
    ({ userId }) => userId === second.credential.userId,
  );
  const v2 = signatureHeadersV2(
    { key: stored2!, secret: second.secret },
    { method: 'GET', target: TARGET, at: NOW / 1000 },
  );
  assert.equal((await site.call(TARGET, { token: null, headers: v2 })).status, 404);
});

test('what is wrong with a new credential is said per field, and nothing is made', async (t) => {
  const site = await openSite(t);
  const { make, list } = await opened(site);
  const good = { kind: 'token', name: 'Gate', scopes: ['enroll'] };
  const before = (await list()).length;
  for (const [change, field] of [
    [{ name: '  ' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['everything'] }, 'scopes.0'],
    [{ expiresAt: new Date(NOW).toISOString() }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  ] as const) {
    const { status, body } = await make({ ...good, ...change });
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors ?? {}), [field]);
  }
  assert.equal((await list()).length, before);
});

test('a signed-in operator downloads each installed client and no other file', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Rosa', 'reviewer');
  const cookie = await signIn(site, 'Rosa');
  for (const file of Object.values(CLIENT_FILES)) {
    const answer = await ask(site, 'GET', `/clients/${file}`, { cookie });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${file}"`);
    const folder = join(import.meta.dirname, '../../../resources/clients');
    assert.equal(answer.text, await readFile(join(folder, file), 'utf8'));
    assert.equal((await ask(site, 'GET', `/clients/${file}`)).status, 401);
  }
  for (const other of ['..%2Fpublishers.txt', 'publishers.txt', ''])
    assert.equal((await ask(site, 'GET', `/clients/${other}`, { cookie })).status, 404, other);
});
