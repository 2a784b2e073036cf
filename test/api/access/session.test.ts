import { CodedError, InvalidInput, problem } from '../../../core/contracts/errors/problem.ts';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { hashTypedName } from '../../../core/domain/identity/secrets.ts';
import { PassphraseHasher } from '../../../core/domain/identity/passphrase.ts';
import { SignInService } from '../../../core/domain/identity/signInService.ts';
import { CHEAP, openSite, type TestSite } from '../site.ts';
import { addOperator, ask, operatorServiceOf, PASSPHRASE, signIn } from './operators.ts';
import { nameKey } from '../../../core/contracts/displayName.ts';
import { CRYPTO, PLATFORM } from '../../../core/platform/platform.ts';

const NOON = new Date('2026-03-01T12:00:00.000Z');
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const act = { by: 'local-admin', at: NOON } as const;

test('an operator signs in, sees who they are, signs out, and the cookie is dead', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'reviewer');
  const answer = await ask(site, 'POST', '/session', { body: { operator: ' ANA ', passphrase: PASSPHRASE } });
  assert.equal(answer.status, 204);
  const [setCookie = ''] = answer.headers.getSetCookie();
  assert.match(setCookie, /^vouch_session=[\w-]{43}; Path=\/api\/dashboard; HttpOnly; SameSite=Strict$/);
  const cookie = setCookie.split(';')[0]!;
  const { body } = await ask(site, 'GET', '/session', { cookie });
  assert.deepEqual(body.operator, { id: 1, name: 'Ana', role: 'reviewer' });
  assert.ok(Array.isArray(body.permissions) && body.permissions.includes('validations:decide'));
  assert.equal((await ask(site, 'DELETE', '/session', { cookie })).status, 204);
  assert.equal((await ask(site, 'GET', '/session', { cookie })).status, 401);
});

test('wrong name, wrong passphrase and inactive operator get the same answer', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const bruno = await addOperator(site, 'Bruno', 'operator');
  await site.storage.operators.change(site.company.id, bruno.id, { active: false }, act);
  const answers = await Promise.all(
    [
      { operator: 'Ana', passphrase: 'not the passphrase' },
      { operator: 'Nobody', passphrase: PASSPHRASE },
      { operator: 'Bruno', passphrase: PASSPHRASE },
    ].map((body) => ask(site, 'POST', '/session', { body })),
  );
  for (const { status, body } of answers) {
    assert.equal(status, 401);
    assert.deepEqual(body, { success: false, message: 'Unauthenticated.', code: 'UNAUTHENTICATED' });
  }
});

test('failed attempts delay an address for that name, existing or not', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  for (const operator of ['Ana', 'Nobody']) {
    const attempt = (passphrase: string) => ask(site, 'POST', '/session', { body: { operator, passphrase } });
    site.setTime(NOON);
    const guesses = await Promise.all(Array.from({ length: 8 }, () => attempt('not the passphrase')));
    assert.deepEqual(guesses.map(({ status }) => status).sort(), [401, 401, 401, 401, 401, 429, 429, 429]);
    const locked = await attempt(PASSPHRASE);
    assert.equal(locked.status, 429);
    assert.equal(locked.headers.get('retry-after'), '30');
    site.setTime(later(0.5));
    assert.equal((await attempt('not the passphrase')).status, 401);
    assert.equal((await attempt(PASSPHRASE)).headers.get('retry-after'), '60');
  }
  site.setTime(later(2));
  assert.match(await signIn(site, 'Ana'), /^vouch_session=/);
  assert.match(await signIn(site, 'Ana'), /^vouch_session=/);
});

test('a session ends half an hour after its last use and twelve hours after it began', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const idle = await signIn(site, 'Ana');
  site.setTime(later(29.9));
  assert.equal((await ask(site, 'GET', '/session', { cookie: idle })).status, 200);
  // Requests that a screen sends without the operator do not keep a session alive.
  site.setTime(later(30));
  assert.equal((await ask(site, 'GET', '/session', { cookie: idle })).status, 401);

  site.setTime(NOON);
  const busy = await signIn(site, 'Ana');
  for (let minutes = 20; minutes < 12 * 60; minutes += 20) {
    site.setTime(later(minutes));
    const { status } = await ask(site, 'POST', '/session/confirm', {
      cookie: busy,
      body: { passphrase: PASSPHRASE },
    });
    assert.equal(status, 204, `after ${minutes} minutes`);
  }
  site.setTime(later(12 * 60));
  assert.equal((await ask(site, 'GET', '/session', { cookie: busy })).status, 401);
});

test('each export allows the next for thirty minutes, and nothing else', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const cookie = await signIn(site, 'Ana');
  const other = await signIn(site, 'Ana');
  const code = async (session: string, path: string) => {
    const method = path === '/audit/export?format=csv' ? 'GET' : 'POST';
    const { status, body } = await ask(site, method, path, {
      cookie: session,
      ...(method === 'POST' && { body: {} }),
    });
    return status < 400 ? status : body.code;
  };
  const exported = '/audit/export?format=csv';
  for (const minutes of [25, 50, 75]) {
    site.setTime(later(minutes));
    assert.equal(await code(cookie, exported), 200, `after ${minutes} minutes`);
    assert.equal(
      await code(cookie, '/erasures'),
      'REAUTHENTICATE',
      'an export is no confirmation of an erasure',
    );
    if (minutes === 25) assert.equal((await ask(site, 'GET', '/validations', { cookie: other })).status, 200);
  }
  site.setTime(later(50));
  assert.equal(
    await code(other, exported),
    'REAUTHENTICATE',
    'the exports of one session are not those of another',
  );
  site.setTime(later(90));
  assert.equal((await ask(site, 'GET', '/validations', { cookie })).status, 200);
  site.setTime(later(106));
  assert.equal(await code(cookie, exported), 'REAUTHENTICATE');
  const body = { passphrase: PASSPHRASE };
  assert.equal((await ask(site, 'POST', '/session/confirm', { cookie, body })).status, 204);
  assert.equal(await code(cookie, exported), 200);
});

test('what was opened or confirmed while the clock was ahead has ended', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const status = async (cookie: string, path: string) => (await ask(site, 'GET', path, { cookie })).status;
  site.setTime(later(3));
  const slightly = await signIn(site, 'Ana');
  site.setTime(later(1));
  assert.equal(await status(slightly, '/erasures'), 200, 'clocks of machines differ a little');
  site.setTime(later(30 * 24 * 60));
  const ahead = await signIn(site, 'Ana');
  site.setTime(NOON);
  assert.equal(await status(ahead, '/session'), 401);
  const cookie = await signIn(site, 'Ana');
  site.setTime(later(-60));
  assert.equal(await status(cookie, '/session'), 401, 'a clock that was set back an hour');
});

test('failures that were counted while the clock was ahead lock nobody out', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  for (const operator of ['Ana', 'Nobody']) {
    const attempt = (passphrase: string) => ask(site, 'POST', '/session', { body: { operator, passphrase } });
    site.setTime(later(30 * 24 * 60));
    for (let tries = 0; tries < 5; tries += 1) await attempt('not the passphrase');
    assert.equal((await attempt('not the passphrase')).status, 429);
    site.setTime(NOON);
    assert.equal((await attempt('not the passphrase')).status, 401);
    assert.equal((await attempt('not the passphrase')).status, 429, 'the failures still count');
  }
});

test('a changed role counts at once; a deactivated operator is signed out at once', async (t) => {
  const site = await openSite(t);
  const operatorService = operatorServiceOf(site);
  await addOperator(site, 'Ana', 'admin');
  const bruno = await addOperator(site, 'Bruno', 'operator');
  const roleOf = async (cookie: string) => (await ask(site, 'GET', '/session', { cookie })).body.operator;
  const first = await signIn(site, 'Bruno');
  await site.storage.operators.change(site.company.id, bruno.id, { role: 'auditor' }, act);
  assert.deepEqual(await roleOf(first), { id: bruno.id, name: 'Bruno', role: 'auditor' });
  await site.storage.operators.change(site.company.id, bruno.id, { active: false }, act);
  assert.equal(await roleOf(first), undefined);
  await site.storage.operators.change(site.company.id, bruno.id, { active: true }, act);
  assert.equal(await roleOf(first), undefined);
  const second = await signIn(site, 'Bruno');
  await operatorService.resetPassphrase(site.company, bruno.id, 'amber lantern by the quay', act);
  assert.equal(await roleOf(second), undefined);
  assert.match(await signIn(site, 'Bruno', 'amber lantern by the quay'), /^vouch_session=/);
});

test('a company is never left without an active admin', async (t) => {
  const site = await openSite(t);
  const { operators } = site.storage;
  const { id } = site.company;
  const lastAdmin = new InvalidInput({ role: [problem('LAST_ADMIN')] });
  const ana = await addOperator(site, 'Ana', 'admin');
  const other = await addOperator(site, 'Bea', 'admin', await site.newCompany());
  for (const change of [{ role: 'reviewer' }, { active: false }] as const)
    await assert.rejects(operators.change(id, ana.id, change, act), lastAdmin);
  await assert.rejects(operators.change(id, other.id, { active: false }, act), new CodedError('NOT_FOUND'));
  const carla = await addOperator(site, 'Carla', 'admin');
  await operators.change(id, ana.id, { active: false }, act);
  await assert.rejects(operators.change(id, carla.id, { role: 'operator' }, act), lastAdmin);
});

test('a name signs in to one company only: no other operator can have it', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const elsewhere = await site.newCompany();
  const wanted = { name: 'ａna', role: 'admin', passphrase: PASSPHRASE } as const;
  await assert.rejects(
    operatorServiceOf(site).create(elsewhere, wanted, act),
    new InvalidInput({ name: [problem('NAME_TAKEN')] }),
  );
});

test('a changed passphrase ends every session of its operator', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const [first, second] = [await signIn(site, 'Ana'), await signIn(site, 'Ana')];
  const change = (current: string, passphrase: string) =>
    ask(site, 'POST', '/session/passphrase', { cookie: first, body: { current, passphrase } });
  const wrong = await change('not the passphrase', 'amber lantern by the quay');
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'PASSPHRASE_WRONG'], 'no right is missing');
  assert.deepEqual((await change(PASSPHRASE, 'aaaaaaaaaaaaaa')).body.errors, {
    passphrase: ['The passphrase is too easy to guess. It repeats itself or follows a keyboard pattern.'],
  });
  assert.equal((await change(PASSPHRASE, 'amber lantern by the quay')).status, 204);
  for (const cookie of [first, second])
    assert.equal((await ask(site, 'GET', '/session', { cookie })).status, 401);
  assert.equal(
    (await ask(site, 'POST', '/session', { body: { operator: 'Ana', passphrase: PASSPHRASE } })).status,
    401,
  );
});

test('tokens do not open the dashboard, and sessions open no API route', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const cookie = await signIn(site, 'Ana');
  assert.equal((await site.call('/api/dashboard/session')).status, 401);
  const upload = '/api/v3/duplicate-detection/uploads/00000000-0000-4000-8000-000000000000';
  assert.equal((await site.call(upload, { token: null, headers: { cookie } })).status, 401);
  assert.equal((await site.call(upload)).status, 404);
});

test('what changes something must come from a page of this very listener', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const cookie = await signIn(site, 'Ana');
  const signOut = (headers: Record<string, string>) =>
    site.call('/api/dashboard/session', { method: 'DELETE', token: null, headers: { cookie, ...headers } });
  assert.equal((await signOut({})).status, 403);
  assert.equal((await signOut({ origin: 'null' })).status, 403);
  assert.equal((await signOut({ origin: 'http://127.0.0.1:1' })).status, 403);
  assert.equal((await signOut({ origin: site.address, 'sec-fetch-site': 'same-site' })).status, 403);
  const image = { cookie, 'sec-fetch-site': 'same-site' };
  assert.equal((await site.call('/api/dashboard/session', { token: null, headers: image })).status, 403);
  assert.equal((await ask(site, 'GET', '/session', { cookie })).status, 200);
});

/** The cookie by which a browser of an earlier sign-in is known. */
async function browserOf(site: TestSite, operator: string): Promise<string> {
  const { headers } = await ask(site, 'POST', '/session', { body: { operator, passphrase: PASSPHRASE } });
  const cookie = headers.getSetCookie().find((each) => each.startsWith('vouch_browser_')) ?? '';
  assert.match(cookie, /HttpOnly/);
  return cookie.split(';')[0]!;
}

test('attempts without a session block neither known browsers nor signed-in operators', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  await addOperator(site, 'Bruno', 'operator');
  const session = await signIn(site, 'Ana');
  const browser = await browserOf(site, 'Ana');
  const attempt = (passphrase: string, cookie?: string) =>
    ask(site, 'POST', '/session', { body: { operator: 'Ana', passphrase }, ...(cookie && { cookie }) });
  for (let tries = 0; tries < 5; tries += 1) await attempt('not the passphrase');
  assert.equal((await attempt(PASSPHRASE)).status, 429);
  assert.equal((await attempt(PASSPHRASE, await browserOf(site, 'Bruno'))).status, 429, 'another operator');
  assert.equal((await attempt(PASSPHRASE, `${browser}x`)).status, 429, 'an invented cookie');
  assert.equal((await attempt(PASSPHRASE, browser)).status, 204);
  const confirm = (passphrase: string) =>
    ask(site, 'POST', '/session/confirm', { cookie: session, body: { passphrase } });
  assert.equal((await confirm(PASSPHRASE)).status, 204);
  for (let tries = 0; tries < 5; tries += 1)
    assert.equal((await confirm('not the passphrase')).body.code, 'PASSPHRASE_WRONG');
  assert.equal((await confirm(PASSPHRASE)).status, 429, 'guesses in a session wait too');
  assert.equal((await attempt(PASSPHRASE, browser)).status, 204, 'but only there');
  for (let tries = 0; tries < 5; tries += 1) await attempt('not the passphrase', browser);
  assert.equal((await attempt(PASSPHRASE, browser)).status, 429, 'guesses in a known browser wait too');
});

test('a new passphrase ends the browsers of earlier sign-ins', async (t) => {
  const site = await openSite(t);
  const ana = await addOperator(site, 'Ana', 'admin');
  const browser = await browserOf(site, 'Ana');
  await operatorServiceOf(site).resetPassphrase(site.company, ana.id, 'amber lantern by the quay', act);
  const attempt = (passphrase: string) =>
    ask(site, 'POST', '/session', { body: { operator: 'Ana', passphrase }, cookie: browser });
  for (let tries = 0; tries < 5; tries += 1) await attempt('not the passphrase');
  assert.equal((await attempt('amber lantern by the quay')).status, 429);
});

test('attempts without a turn count for nothing, and unknown names leave no row', async (t) => {
  const site = await openSite(t);
  const ana = await addOperator(site, 'Ana', 'admin');
  const attempts = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      ask(site, 'POST', '/session', { body: { operator: `Nobody ${index}`, passphrase: PASSPHRASE } }),
    ),
  );
  assert.deepEqual(new Set(attempts.map(({ status }) => status)), new Set([401]));
  const { attempts: rows } = site.storage;
  assert.deepEqual(await rows.failed(hashTypedName(CRYPTO, nameKey('Nobody 1'))), []);
  const crowd = await Promise.all(
    Array.from({ length: 80 }, () =>
      ask(site, 'POST', '/session', { body: { operator: 'Ana', passphrase: PASSPHRASE } }),
    ),
  );
  const statuses = new Set(crowd.map(({ status }) => status));
  assert.ok(statuses.has(204) && !statuses.has(401) && !statuses.has(429), [...statuses].join());
  const [known] = await operatorServiceOf(site).overview(site.company, NOON);
  assert.deepEqual([known?.operator.id, known?.failedAttempts, known?.lockedUntil], [ana.id, 0, null]);
});

test('a passphrase that is replaced during its comparison opens and changes nothing', async (t) => {
  const site = await openSite(t);
  const ana = await addOperator(site, 'Ana', 'admin');
  const cookie = await signIn(site, 'Ana');
  const between: (() => Promise<unknown>)[] = [];
  const hashing = {
    ...CHEAP.hashing,
    matches: async (passphrase: string, stored: string) => {
      const right = await CHEAP.hashing.matches(passphrase, stored);
      await between.shift()?.();
      return right;
    },
  };
  const clock = { now: () => NOON };
  const hasher = new PassphraseHasher({ ...CHEAP, hashing });
  const signInService = new SignInService({ ...site.storage, ...PLATFORM, hasher, clock });
  const session = cookie.replace('vouch_session=', '');
  const operator = await signInService.holder(session, true);
  assert.ok(operator !== undefined);
  const reset = () =>
    operatorServiceOf(site).resetPassphrase(site.company, ana.id, 'amber lantern by the quay', act);
  const deactivate = () => site.storage.operators.change(site.company.id, ana.id, { active: false }, act);
  await addOperator(site, 'Bea', 'admin');

  between.push(deactivate);
  const from = { address: '127.0.0.1', browsers: [] };
  assert.deepEqual(await signInService.open('Ana', PASSPHRASE, from), { kind: 'refused' });
  await site.storage.operators.change(site.company.id, ana.id, { active: true }, act);
  between.push(reset);
  assert.deepEqual(await signInService.open('Ana', PASSPHRASE, from), { kind: 'refused' });
  assert.deepEqual(await site.storage.sessions.list(site.company.id), []);

  const again = await signInService.open('Ana', 'amber lantern by the quay', from);
  assert.equal(again.kind, 'open');
  between.push(() =>
    operatorServiceOf(site).resetPassphrase(site.company, ana.id, 'copper kettle on the hill', act),
  );
  assert.deepEqual(
    await signInService.changePassphrase(operator, 'amber lantern by the quay', 'silver anchor at dawn'),
    { kind: 'refused' },
  );
  assert.match(await signIn(site, 'Ana', 'copper kettle on the hill'), /^vouch_session=/);
});
