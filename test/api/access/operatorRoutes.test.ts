import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorList, operatorRow } from '../../../core/contracts/dashboard/operators.ts';
import { openSite, type TestSite } from '../site.ts';
import { addOperator, ask, PASSPHRASE, signIn } from './operators.ts';

const NOON = new Date('2026-03-01T12:00:00.000Z');

async function opened(site: TestSite) {
  const ana = await addOperator(site, 'Ana', 'admin');
  const cookie = await signIn(site, 'Ana');
  const send = (method: string, path: string, body?: object) =>
    ask(site, method, `/operators${path}`, { cookie, ...(body && { body }) });
  const list = async () => operatorList.parse((await send('GET', '')).body).items;
  return { ana, cookie, send, list };
}

test('an admin adds, changes and deactivates an operator, with immediate effect', async (t) => {
  const site = await openSite(t);
  const { send, list } = await opened(site);
  const made = await send('POST', '', { name: 'Bruno', role: 'reviewer', passphrase: PASSPHRASE });
  assert.equal(made.status, 200, made.text);
  const bruno = operatorRow.parse(made.body);
  const cookie = await signIn(site, 'Bruno');
  assert.equal((await send('PATCH', `/${bruno.id}`, { role: 'auditor' })).body.role, 'auditor');
  assert.equal((await ask(site, 'GET', '/audit', { cookie })).status, 200);
  const [self, other] = await list();
  assert.deepEqual([self?.self, self?.sessions.length, self?.sessions[0]?.current], [true, 1, true]);
  assert.deepEqual([other?.self, other?.sessions.length, other?.sessions[0]?.current], [false, 1, false]);
  assert.equal((await send('PATCH', `/${bruno.id}`, { active: false })).body.active, false);
  assert.equal((await ask(site, 'GET', '/session', { cookie })).status, 401);
});

test('the last active admin stays one; with another one the change succeeds', async (t) => {
  const site = await openSite(t);
  const { ana, send, list } = await opened(site);
  await addOperator(site, 'Bea', 'admin', await site.newCompany());
  assert.equal((await list())[0]?.lastAdmin, true);
  for (const change of [{ role: 'reviewer' }, { active: false }]) {
    const { status, body } = await send('PATCH', `/${ana.id}`, change);
    assert.equal(status, 422);
    assert.deepEqual(body.errors, {
      role: ['At least one active administrator is required. Add another administrator first.'],
    });
  }
  await addOperator(site, 'Carla', 'admin');
  assert.equal((await list())[0]?.lastAdmin, false);
  assert.equal((await send('PATCH', `/${ana.id}`, { role: 'auditor' })).status, 200);
});

test('two admins who take the role from each other at once leave one of them', async (t) => {
  const site = await openSite(t);
  const { ana, send } = await opened(site);
  const bea = await addOperator(site, 'Bea', 'admin');
  const other = await signIn(site, 'Bea');
  const answers = await Promise.all([
    send('PATCH', `/${bea.id}`, { role: 'operator' }),
    ask(site, 'PATCH', `/operators/${ana.id}`, { cookie: other, body: { role: 'operator' } }),
  ]);
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses));
  const admins = (await site.storage.operators.list(site.company.id)).filter(({ role }) => role === 'admin');
  assert.equal(admins.length, 1);
});

test('a locked name is shown and unlocked; a reset passphrase ends every session', async (t) => {
  const site = await openSite(t);
  const { send, list } = await opened(site);
  const bruno = await addOperator(site, 'Bruno', 'operator');
  const cookie = await signIn(site, 'Bruno');
  const guess = (passphrase: string) =>
    ask(site, 'POST', '/session', { body: { operator: 'Bruno', passphrase } });
  for (let tries = 0; tries < 5; tries += 1) await guess('not the passphrase');
  const locked = (await list())[1];
  assert.deepEqual(
    [locked?.failedAttempts, locked?.lockedUntil],
    [5, new Date(NOON.getTime() + 30_000).toISOString()],
  );
  assert.equal((await guess(PASSPHRASE)).status, 429);
  assert.equal((await send('POST', `/${bruno.id}/unlock`)).status, 204);
  assert.equal((await list())[1]?.lockedUntil, null);
  assert.equal((await guess(PASSPHRASE)).status, 204);
  const weak = await send('POST', `/${bruno.id}/passphrase`, { passphrase: 'aaaaaaaaaaaaaa' });
  assert.deepEqual(Object.keys(weak.body.errors ?? {}), ['passphrase']);
  const next = 'amber lantern by the quay';
  assert.equal((await send('POST', `/${bruno.id}/passphrase`, { passphrase: next })).status, 204);
  assert.equal((await ask(site, 'GET', '/session', { cookie })).status, 401);
  assert.equal((await guess(next)).status, 204);
  const again = await signIn(site, 'Bruno', next);
  assert.equal((await send('POST', `/${bruno.id}/sign-out`)).status, 204);
  assert.equal((await ask(site, 'GET', '/session', { cookie: again })).status, 401);
});

const NEXT = 'amber lantern by the quay';

function recover(site: TestSite, operator: string, recoveryCode: unknown, passphrase = NEXT) {
  return ask(site, 'POST', '/session/recover', { body: { operator, recoveryCode, passphrase } });
}

test('the recovery code lets a company back in and is logged', async (t) => {
  const site = await openSite(t);
  const { ana, send, cookie } = await opened(site);
  const bruno = await addOperator(site, 'Bruno', 'reviewer');
  const first = String((await send('POST', '/recovery-code')).body.recoveryCode);
  const key = String((await send('POST', '/recovery-code')).body.recoveryCode);
  assert.equal((await recover(site, 'Ana', first)).status, 401, 'a new key takes the place of the old one');
  // The only admin is gone, as far as an operator can be who cannot be removed.
  for (let tries = 0; tries < 6; tries += 1)
    await ask(site, 'POST', '/session', { body: { operator: 'Bruno', passphrase: 'not the passphrase' } });
  const recovered = await recover(site, 'Bruno', key);
  assert.equal(recovered.status, 200, recovered.text);
  const bCookie = await signIn(site, 'Bruno', NEXT);
  const session = (await ask(site, 'GET', '/session', { cookie: bCookie })).body;
  assert.deepEqual(session.operator, { id: bruno.id, name: 'Bruno', role: 'admin' });
  assert.equal(
    (await ask(site, 'PATCH', `/operators/${ana.id}`, { cookie: bCookie, body: { active: false } })).status,
    200,
  );
  assert.equal((await ask(site, 'GET', '/session', { cookie })).status, 401);
  // No operator of that name: added. The operator who was deactivated: active again.
  const second = await recover(site, 'Nia', recovered.body.recoveryCode);
  assert.equal(second.status, 200, second.text);
  await signIn(site, 'Nia', NEXT);
  assert.equal((await recover(site, 'Ana', second.body.recoveryCode)).status, 200);
  await signIn(site, 'Ana', NEXT);
  const record = await site.storage.audit.list(site.company.id, {
    filter: { action: 'operator.recovered' },
    limit: 9,
  });
  assert.deepEqual(
    record.map(({ actor, object, details }) => `${actor} ${object ?? ''} ${details}`),
    [
      `anonymous operator:${ana.id} {"added":false}`,
      'anonymous operator:3 {"added":true}',
      `anonymous operator:${bruno.id} {"added":false}`,
    ],
  );
});

test('a recovery code opens its own company, and a bad passphrase does not spend it', async (t) => {
  const site = await openSite(t);
  const { send } = await opened(site);
  await addOperator(site, 'Eve', 'admin', await site.newCompany());
  const key = String((await send('POST', '/recovery-code')).body.recoveryCode);
  const taken = await recover(site, 'Eve', key);
  assert.deepEqual([taken.status, Object.keys(taken.body.errors ?? {})], [422, ['operator']]);
  await signIn(site, 'Eve');
  assert.equal((await recover(site, 'Ana', key, 'aaaaaaaaaaaaaa')).status, 422);
  const both = await Promise.all([recover(site, 'Ana', key), recover(site, 'Ana', key)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
});
