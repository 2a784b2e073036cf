/** Secrets that the store must give back readable reach the server as sealed bytes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import pg from 'pg';
import { TEST_ACT } from '../../../../test/support/act.ts';
import { newCompany, temporaryStorage } from '../../../../test/support/site.ts';
import { WITHOUT_SERVER } from '../../../../test/support/testServer.ts';
import { openHome } from '../home.ts';

const SECRET = 'vouch_key_of-a-program-that-signs';
const LISTENER = {
  names: ['vouch.example'],
  address: '0.0.0.0',
  port: 8443,
  certificate: 'a certificate',
  privateKey: 'the private key of the listener',
};

test('the server has no signing key and no TLS key in clear', { skip: WITHOUT_SERVER }, async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const { id } = await newCompany(storage, folder);
  const key = { name: 'gate', userId: 'user_gate', secret: SECRET, profile: 'v1', scopes: [] } as const;
  await storage.hmacKeys.create(id, { ...key, expiresAt: null }, TEST_ACT);
  await storage.networkListeners.keep(LISTENER, TEST_ACT);
  assert.equal((await storage.hmacKeys.findByUserId(key.userId))?.secret, SECRET);
  assert.deepEqual(await storage.networkListeners.find(), LISTENER);
  const client = new pg.Client(readFileSync(openHome(folder).databaseAddress, 'utf8').trim());
  await client.connect();
  t.after(() => client.end());
  const { rows } = await client.query<{ row: string }>(
    `select h::text as row from hmac_key h union all select n::text from network_listener n`,
  );
  assert.equal(rows.length, 2);
  const stored = rows.map(({ row }) => row).join('\n');
  for (const secret of [SECRET, LISTENER.privateKey]) {
    assert.ok(!stored.includes(secret), 'as text');
    assert.ok(!stored.includes(Buffer.from(secret).toString('hex')), 'as bytes');
  }
  await client.query(`update hmac_key set secret = '\\x00'`);
  await assert.rejects(
    storage.hmacKeys.findByUserId(key.userId),
    /table hmac_key .* is not as Vouch wrote it/,
  );
});
