import { CodedError } from '../contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { companySettings } from '../contracts/settings.ts';
import { openHome, openStorage } from '../storage/index.ts';
import { credentialCommands } from './credentials.ts';
import { createHmacSecret, createToken, hashToken } from '../domain/credentials/secrets.ts';
import { TEST_ACT } from '../../test/support/act.ts';
import { CRYPTO } from '../platform/platform.ts';

async function openCommands(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-credentials-'));
  const clock = { now: () => new Date('2026-03-01T12:00:00Z') };
  const storage = await openStorage(openHome(folder), clock);
  t.after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  for (const name of ['Acme', 'Other'])
    await storage.companies.create(
      { name, storageFolder: null, settings: companySettings.parse({}) },
      TEST_ACT,
    );
  return { storage, commands: credentialCommands({ ...storage, clock }) };
}

const PROGRAM = { company: 'Acme', name: 'the gate', scopes: ['enroll' as const] };
const SIGNED = { ...PROGRAM, profile: 'v1' as const };

test('a token of 256 bits is known to its maker alone: the store has only its hash', async (t) => {
  const { storage, commands } = await openCommands(t);
  const { token, hex } = createToken(CRYPTO);
  assert.match(token, /^vouch_[\w-]{43}$/);
  const { id } = await commands['api-token.create']({ ...PROGRAM, hash: hex });
  assert.equal((await storage.apiTokens.findByHash(hashToken(CRYPTO, token)))?.id, id);
});

test('a key has a secret of 256 bits that no list shows, and an id of its own', async (t) => {
  const { commands } = await openCommands(t);
  const [first, second] = [createHmacSecret(CRYPTO), createHmacSecret(CRYPTO)];
  for (const made of [first, second]) await commands['signing-key.create']({ ...SIGNED, ...made });
  assert.match(first.secret, /^vouch_key_[\w-]{43}$/);
  assert.notEqual(first.secret, second.secret);
  assert.notEqual(first.userId, second.userId);
  const list = await commands['signing-key.list']({ company: 'Acme' });
  assert.deepEqual(
    list.map(({ userId }) => userId),
    [first.userId, second.userId],
  );
  assert.ok(!JSON.stringify(list).includes('vouch_key_'));
});

test('a user id is given once on the installation, even after its key was revoked', async (t) => {
  const { commands } = await openCommands(t);
  const made = { ...SIGNED, ...createHmacSecret(CRYPTO), userId: 'gate-1' };
  const { id } = await commands['signing-key.create'](made);
  assert.deepEqual(await commands['signing-key.revoke']({ company: 'Acme', id }), { revoked: true });
  assert.deepEqual(await commands['signing-key.revoke']({ company: 'Acme', id }), { revoked: false });
  const again = { ...made, company: 'Other' };
  await assert.rejects(commands['credential.check'](again), CodedError);
  await assert.rejects(commands['signing-key.create'](again), CodedError);
});

test('credentials of one company cannot be seen or revoked from another', async (t) => {
  const { commands } = await openCommands(t);
  const key = await commands['signing-key.create']({ ...SIGNED, ...createHmacSecret(CRYPTO) });
  const token = await commands['api-token.create']({ ...PROGRAM, hash: createToken(CRYPTO).hex });
  assert.deepEqual(await commands['signing-key.list']({ company: 'Other' }), []);
  assert.deepEqual(await commands['api-token.list']({ company: 'Other' }), []);
  assert.deepEqual(await commands['signing-key.revoke']({ company: 'Other', id: key.id }), {
    revoked: false,
  });
  assert.deepEqual(await commands['api-token.revoke']({ company: 'Other', id: token.id }), {
    revoked: false,
  });
});

test('a credential that would have expired already is refused', async (t) => {
  const { commands } = await openCommands(t);
  const expiresAt = '2026-03-01T12:00:00.000Z';
  const hash = createToken(CRYPTO).hex;
  await assert.rejects(commands['credential.check']({ company: 'Acme', expiresAt }), CodedError);
  await assert.rejects(commands['api-token.create']({ ...PROGRAM, hash, expiresAt }), CodedError);
  const key = { ...SIGNED, ...createHmacSecret(CRYPTO), expiresAt };
  await assert.rejects(commands['signing-key.create'](key), CodedError);
});

test('the token of a command is not listed after its run, and deleted after it expired', async (t) => {
  const { storage, commands } = await openCommands(t);
  const expiresAt = '2026-03-08T12:00:00.000Z';
  const make = async (more: object) =>
    commands['api-token.create']({ ...PROGRAM, hash: createToken(CRYPTO).hex, ...more });
  const run = await make({ forOneRun: true, expiresAt });
  const listed = async () => (await commands['api-token.list']({ company: 'Acme' })).map(({ id }) => id);
  assert.deepEqual(await listed(), [run.id], 'while the command runs');
  await commands['api-token.revoke']({ company: 'Acme', id: run.id });
  const gate = await make({});
  assert.deepEqual(await listed(), [gate.id]);
  const { id: company } = (await storage.companies.findByName('Acme'))!;
  const stored = async () => (await storage.apiTokens.list(company)).map(({ id }) => id);
  assert.deepEqual(await stored(), [run.id, gate.id], 'a restored backup cannot make it active');
  const later = { by: 'local-admin', at: new Date(expiresAt) } as const;
  const program = { name: 'gate 2', hash: createToken(CRYPTO).hash, scopes: [], expiresAt: null };
  const next = await storage.apiTokens.create(company, program, later);
  assert.deepEqual(await stored(), [gate.id, next.id]);
});
