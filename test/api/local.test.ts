/** The local socket: which operations it serves, for which company, and what no other listener serves. */
import { z } from 'zod';
import { localApi } from '../../core/contracts/local.ts';
import { settingsApi } from '../../core/contracts/dashboard/company.ts';
import { operatorApi } from '../../core/contracts/dashboard/operators.ts';
import { credentialApi } from '../../core/contracts/dashboard/credentials.ts';
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CliError } from '../../core/cli/terminal/output.ts';
import type { ErrorCode } from '../../core/contracts/errors/problem.ts';
import { partOf } from '../../core/api/dashboard/index.ts';
import { createHmacSecret, createToken, hashToken } from '../../core/domain/credentials/secrets.ts';
import { CRYPTO } from '../../core/platform/platform.ts';
import { DASHBOARD_ROUTES } from './access/dashboardRoutes.ts';
import { addOperator } from './access/operators.ts';
import { openSite, type TestSite } from './site.ts';

/** Routes of the session of a browser. The local administrator has none. */
const OF_A_BROWSER = /^\w+ \/(session|setup)(\/|$)/;

const refused = (code: ErrorCode) => (error: unknown) =>
  error instanceof CliError && error.problem.code === code;

async function operationsOf({ engine }: TestSite): Promise<string[]> {
  const operations = await engine.terminal.ask(localApi.operations);
  return operations.map(({ method, path }) => `${method} ${path}`);
}

test('the terminal can call every operation of the dashboard', async (t) => {
  const operations = new Set(await operationsOf(await openSite(t)));
  for (const route of Object.keys(DASHBOARD_ROUTES))
    assert.equal(operations.has(route), !OF_A_BROWSER.test(route), route);
});

test('the part of the routes that a path names has the routes of the path', async (t) => {
  const site = await openSite(t);
  for (const operation of await operationsOf(site)) {
    const [method = '', path = ''] = operation.split(' ');
    const url = `/api/dashboard${path}`;
    if (path !== '/local/operations') assert.notEqual(partOf(url), null, operation);
    assert.ok((await site.engine.localRoutes.of(url)).hasRoute({ method, url }), operation);
  }
});

test('no operation of the terminal alone is reachable over the network', async (t) => {
  const site = await openSite(t);
  const own = (await operationsOf(site)).filter((route) => !Object.hasOwn(DASHBOARD_ROUTES, route));
  assert.ok(own.length > 20, own.join('\n'));
  for (const route of own) {
    const [method = '', path = ''] = route.split(' ');
    assert.match(path, /^\/local\//);
    const url = `/api/dashboard${path}`;
    assert.equal(site.api.hasRoute({ method, url }), false, route);
    const init = { method, headers: { origin: site.address } };
    assert.equal((await site.call(url, init)).status, 404, route);
  }
});

test('a request names its company, needs none where there is one, and sees no other', async (t) => {
  const site = await openSite(t);
  const { terminal } = site.engine;
  const { name } = site.company;
  await addOperator(site, 'Ada', 'admin');
  const only = await terminal.ask(settingsApi.company);
  assert.equal(only.name, name);
  const other = await site.newCompany();
  const seen = await terminal.ask(operatorApi.list, { company: other.name });
  assert.deepEqual(seen.items, []);
  const { items } = await terminal.ask(operatorApi.list, { company: name });
  const change = { company: other.name, body: { active: false } };
  await assert.rejects(terminal.open(`PATCH /operators/${items[0]!.id}`, change), refused('NOT_FOUND'));
  await assert.rejects(terminal.open('GET /operators'), refused('COMPANY_NOT_NAMED'));
  await assert.rejects(terminal.open('GET /operators', { company: 'Nobody' }), refused('COMPANY_UNKNOWN'));
  const status = await terminal.ask(localApi.status);
  assert.equal(status.paused, false, 'the installation belongs to no company');
  await assert.rejects(terminal.open('GET /nowhere'), /vouch api list/);
});

test('a change at the terminal is logged as that of the local administrator', async (t) => {
  const site = await openSite(t);
  const { storage, company, engine } = site;
  await engine.terminal.open('PATCH /company', { body: { secondOperator: true } });
  await engine.terminal.open('PATCH /company', { body: { secondOperator: false } });
  const entries = await storage.audit.list(company.id, { filter: { action: 'company.changed' }, limit: 2 });
  assert.deepEqual(
    entries.map(({ actor }) => actor),
    ['local-admin', 'local-admin'],
    'only the local administrator lifts the rule of the second operator',
  );
  const wrong = { body: { features: { registration: 'yes' } } };
  await assert.rejects(engine.terminal.open('PATCH /company', wrong), refused('INPUT_INVALID'));
});

/** Credentials of a site with a second company. */
async function openCredentials(t: TestContext) {
  const site = await openSite(t);
  const { terminal } = site.engine;
  const [company, other] = [site.company.name, (await site.newCompany()).name];
  const store = (body: object, asked = { company }) =>
    terminal.ask({ ...localApi.storeCredential, body: z.unknown() }, { ...asked, body });
  const list = async (kind: 'token' | 'key', of = company) =>
    (await terminal.ask(credentialApi.list, { company: of })).items.filter(
      (row) => row.kind === kind && row.name === 'the gate',
    );
  const revoke = (kind: 'token' | 'key', id: number, of = company) =>
    terminal.ask(credentialApi.revoke, { company: of, params: { kind, id } });
  return { site, terminal, company, other, store, list, revoke };
}

const TOKEN = { kind: 'token', name: 'the gate', scopes: ['enroll'] };
const KEY = { kind: 'key', name: 'the gate', scopes: ['enroll'], profile: 'v1' };

test('a token of 256 bits is known to its maker alone: the store has only its hash', async (t) => {
  const { site, store } = await openCredentials(t);
  const { token, hex } = createToken(CRYPTO);
  assert.match(token, /^vouch_[\w-]{43}$/);
  const { id } = await store({ ...TOKEN, hash: hex });
  assert.equal((await site.storage.apiTokens.findByHash(hashToken(CRYPTO, token)))?.id, id);
});

test('a key has a secret of 256 bits that no list shows, and an id of its own', async (t) => {
  const { store, list } = await openCredentials(t);
  const [first, second] = [createHmacSecret(CRYPTO), createHmacSecret(CRYPTO)];
  for (const made of [first, second]) await store({ ...KEY, ...made });
  assert.match(first.secret, /^vouch_key_[\w-]{43}$/);
  assert.notEqual(first.secret, second.secret);
  const rows = await list('key');
  assert.deepEqual(rows.map(({ userId }) => userId).toSorted(), [first.userId, second.userId].toSorted());
  assert.ok(!JSON.stringify(rows).includes('vouch_key_'));
});

test('a user id is given once on the installation, even after its key was revoked', async (t) => {
  const { terminal, store, revoke, other } = await openCredentials(t);
  const made = { ...KEY, ...createHmacSecret(CRYPTO), userId: 'gate-1' };
  const { id } = await store(made);
  await revoke('key', id);
  await assert.rejects(revoke('key', id), refused('NOT_FOUND'));
  const check = { company: other, body: { userId: made.userId } };
  await assert.rejects(terminal.open('POST /local/credentials/check', check), refused('USER_ID_TAKEN'));
  await assert.rejects(store(made, { company: other }), refused('USER_ID_TAKEN'));
});

test('credentials of one company cannot be seen or revoked from another', async (t) => {
  const { store, list, revoke, other } = await openCredentials(t);
  const key = await store({ ...KEY, ...createHmacSecret(CRYPTO) });
  const token = await store({ ...TOKEN, hash: createToken(CRYPTO).hex });
  for (const [kind, { id }] of [
    ['key', key],
    ['token', token],
  ] as const) {
    assert.deepEqual(await list(kind, other), []);
    await assert.rejects(revoke(kind, id, other), refused('NOT_FOUND'));
  }
});

test('a credential that would have expired already is refused', async (t) => {
  const { terminal, company, store } = await openCredentials(t);
  const expiresAt = '2026-03-01T12:00:00.000Z';
  const expired = refused('ALREADY_EXPIRED');
  const check = { company, body: { expiresAt } };
  await assert.rejects(terminal.open('POST /local/credentials/check', check), expired);
  await assert.rejects(store({ ...TOKEN, hash: createToken(CRYPTO).hex, expiresAt }), expired);
  await assert.rejects(store({ ...KEY, ...createHmacSecret(CRYPTO), expiresAt }), expired);
});

test('the token of a command is not listed after its run, and deleted after it expired', async (t) => {
  const { site, store, list, revoke } = await openCredentials(t);
  const expiresAt = '2026-03-08T12:00:00.000Z';
  const make = (more: object) => store({ ...TOKEN, hash: createToken(CRYPTO).hex, ...more });
  const run = await make({ forOneRun: true, expiresAt });
  const listed = async () => (await list('token')).map(({ id }) => id);
  assert.deepEqual(await listed(), [run.id], 'while the command runs');
  await revoke('token', run.id);
  const gate = await make({});
  assert.deepEqual(await listed(), [gate.id]);
  const { storage, company } = site;
  const stored = async () =>
    (await storage.apiTokens.list(company.id)).flatMap(({ id, name }) => (name === 'the gate' ? [id] : []));
  assert.deepEqual(await stored(), [run.id, gate.id], 'a restored backup cannot make it active');
  const later = { by: 'local-admin', at: new Date(expiresAt) } as const;
  const program = { name: 'the gate', hash: createToken(CRYPTO).hash, scopes: [], expiresAt: null };
  const next = await storage.apiTokens.create(company.id, program, later);
  assert.deepEqual(await stored(), [gate.id, next.id]);
});
