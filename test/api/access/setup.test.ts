import { test } from 'node:test';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { storageCheck } from '../../../core/contracts/dashboard/session.ts';
import { openSite, type TestSite } from '../site.ts';
import { addOperator, ask, PASSPHRASE, signIn } from './operators.ts';

const RIGHT = {
  company: 'Northwind',
  operator: 'Ana',
  passphrase: PASSPHRASE,
  features: { registration: true, blacklists: false },
};

async function setUp(site: TestSite, change: object = {}) {
  return ask(site, 'POST', '/setup', {
    body: { ...RIGHT, storageFolder: join(site.folder, 'storage', 'company-2'), ...change },
  });
}

test('the first run makes a company and its admin, once', async (t) => {
  const site = await openSite(t);
  assert.equal((await ask(site, 'GET', '/setup')).body.needed, true);
  const made = await setUp(site);
  assert.equal(made.status, 200, made.text);
  assert.match(String(made.body.recoveryCode), /^([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}$/);
  const cookie = await signIn(site, 'Ana');
  const { body } = await ask(site, 'GET', '/session', { cookie });
  assert.deepEqual(body.company, {
    id: 2,
    name: 'Northwind',
    features: { registration: true, blacklists: false },
    storageConfigured: true,
    signatureSpecimens: false,
  });
  assert.deepEqual((await ask(site, 'GET', '/setup')).body, { needed: false, suggestedStorageFolder: null });
  assert.equal((await setUp(site, { company: 'Another', operator: 'Bea' })).status, 403);
  assert.equal((await ask(site, 'POST', '/setup/storage', { body: { folder: site.folder } })).status, 403);
});

test('of several first runs at once, one wins', async (t) => {
  const site = await openSite(t);
  const answers = await Promise.all(
    ['Ana', 'Bea', 'Cem', 'Dora'].map((operator) => setUp(site, { company: `Of ${operator}`, operator })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403, 403]);
});

test('set-up makes no admin of a company that exists already', async (t) => {
  const site = await openSite(t);
  const answer = await setUp(site, { company: site.company.name });
  assert.equal(answer.status, 422);
  assert.deepEqual(Object.keys(answer.body.errors ?? {}), ['company']);
  assert.equal((await ask(site, 'GET', '/setup')).body.needed, true);
});

test('a folder that cannot hold images is refused with the reason', async (t) => {
  const site = await openSite(t);
  const file = join(site.folder, 'a file');
  await writeFile(file, '');
  for (const folder of [join(file, 'below'), 'not/a/whole/path']) {
    const { body } = await ask(site, 'POST', '/setup/storage', { body: { folder } });
    assert.equal(body.writable, false);
    assert.match(storageCheck.parse(body).problem?.code ?? '', /^STORAGE_FOLDER_(OF_HOME|RELATIVE)$/);
    assert.equal((await setUp(site, { storageFolder: folder })).status, 422);
  }
  for (const folder of [site.company.storageFolder, site.folder, '/'])
    assert.equal((await ask(site, 'POST', '/setup/storage', { body: { folder } })).body.writable, false);
  const { suggestedStorageFolder: folder } = (await ask(site, 'GET', '/setup')).body;
  const { body } = await ask(site, 'POST', '/setup/storage', { body: { folder } });
  assert.equal(body.writable, true);
});

test('the printed key gives a new passphrase, once, and the next key with it', async (t) => {
  const site = await openSite(t);
  const { body } = await setUp(site);
  const recover = (recoveryCode: unknown, passphrase = 'amber lantern by the quay') =>
    ask(site, 'POST', '/session/recover', { body: { operator: 'Ana', recoveryCode, passphrase } });
  const key = String(body.recoveryCode);
  assert.equal((await recover('0000-0000-0000-0000-0000-0000-0000-0000')).status, 401);
  const sloppy = key.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  const recovered = await recover(sloppy);
  assert.equal(recovered.status, 200, recovered.text);
  assert.equal((await recover(key, 'another lantern by the quay')).status, 401);
  await signIn(site, 'Ana', 'amber lantern by the quay');
  assert.equal((await recover(recovered.body.recoveryCode)).status, 200);
});

test('an operator without a recovery code cannot be recovered with any', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  for (const recoveryCode of ['0', '-'])
    assert.equal(
      (
        await ask(site, 'POST', '/session/recover', {
          body: { operator: 'Ana', recoveryCode, passphrase: PASSPHRASE },
        })
      ).status,
      401,
    );
});
