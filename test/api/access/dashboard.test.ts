/**
 * The access rules of every dashboard route, and the exact answer to callers without access: every route, with no
 * session, a wrong, an ended, a withdrawn one, a token in its place, every role, and a passphrase given too long ago. A
 * route without an entry in dashboardRoutes.ts fails.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { OPERATOR_ROLES } from '../../../core/contracts/dashboard/session.ts';
import { FRESH_PERMISSIONS, mayRole } from '../../../core/domain/identity/roles.ts';
import { photoOf } from '../../support/people.ts';
import { TEST_ACT } from '../../support/act.ts';
import { formOf, openSite, type Answer, type TestSite } from '../site.ts';
import { DASHBOARD_ROUTES } from './dashboardRoutes.ts';
import { addOperator, ask, signIn } from './operators.ts';
import { enrolItem } from '../../support/answerItem.ts';
import type { Company } from '../../../core/domain/ports/auditContext.ts';

const NOON = new Date('2026-03-01T12:00:00.000Z');
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const ROUTES = Object.entries(DASHBOARD_ROUTES).map(([route, entry]) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, method, path, ...entry };
});

/** The dashboard's paths as the server knows them, from its own tree of routes. */
function pathsOf(api: FastifyInstance): string[] {
  const above: string[] = [];
  const paths = [];
  for (const line of api.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = /^([│ ]*)[├└]── (\S+) \(/.exec(line);
    if (found === null) continue;
    const depth = (found[1] ?? '').length / 4;
    above.splice(depth, Infinity, found[2] ?? '');
    paths.push(above.join('').replace('//', '/'));
  }
  const dashboard = paths.filter((path) => path.startsWith('/api/dashboard/'));
  return dashboard.map((path) => path.replace('/api/dashboard', ''));
}

/** Which methods a path has: the answer to one that it has not. */
async function methodsOf(site: TestSite, path: string): Promise<string[]> {
  const url = `/api/dashboard${path}`;
  const { headers } = await site.api.inject({
    method: 'OPTIONS',
    url,
    headers: { host: 'localhost', origin: 'http://localhost' },
  });
  return String(headers.allow).split(', ');
}

test('the table holds exactly the routes of the dashboard', async (t) => {
  const site = await openSite(t);
  const paths = pathsOf(site.api);
  assert.ok(paths.length > 20, 'the tree of routes was not understood');
  const routes = await Promise.all(
    paths.map(async (path) => (await methodsOf(site, path)).map((method) => `${method} ${path}`)),
  );
  assert.deepEqual(Object.keys(DASHBOARD_ROUTES).sort(), routes.flat().sort());
});

/** Ids that name nothing, or what {@link DASHBOARD_ROUTES} is asked about. */
const addressed = (path: string, id: number | string, kind = 'token') =>
  path.replace(':id', String(id)).replace(':kind', kind);
const UNKNOWN = 987_654;

function refusedWith(answer: Answer, status: number, code: string, what: string): void {
  assert.equal(answer.status, status, `${what}: ${answer.text}`);
  assert.equal(answer.body.code, code, what);
  assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'message', 'success'], what);
}

test('without an active session every guarded route answers 401 with the one text', async (t) => {
  const site = await openSite(t);
  const ana = await addOperator(site, 'Ana', 'admin');
  await addOperator(site, 'Bea', 'admin');
  const good = await signIn(site, 'Ana');
  const states: Record<string, Record<string, string>> = {
    'a wrong session': { cookie: `${good.slice(0, -2)}xx` },
    'a token of every scope': { authorization: `Bearer ${site.token}` },
    'a session of another name': { cookie: good.replace('vouch_session', 'vouch_sessions') },
  };
  /** Whether a session is active is decided before the route is: one route of each kind shows it. */
  const oneOfEach = [...Map.groupBy(ROUTES, ({ needs, method }) => `${needs} ${method}`).values()].map(
    ([first]) => first!,
  );
  const every = async (what: string, headers: Record<string, string>, routes = oneOfEach) => {
    for (const { route, method, path, needs, body } of routes) {
      if (needs === 'none') continue;
      const answer = await ask(site, method, addressed(path, 1), { ...(body && { body }), headers });
      refusedWith(answer, 401, 'UNAUTHENTICATED', `${route}, ${what}`);
    }
  };
  await every('no session', {}, ROUTES);
  for (const [what, headers] of Object.entries(states)) await every(what, headers);
  site.setTime(later(30));
  await every('an unused session', { cookie: good });
  const withdrawn = await signIn(site, 'Ana');
  await site.storage.operators.change(site.company.id, ana.id, { active: false }, TEST_ACT);
  await every('a session of an operator who was deactivated', { cookie: withdrawn });
});

for (const role of OPERATOR_ROLES)
  test(`what a ${role} may not do answers 403, and what the role may do does not`, async (t) => {
    const site = await openSite(t);
    await addOperator(site, 'Ana', role);
    const cookie = await signIn(site, 'Ana');
    for (const { route, method, path, needs, body, untried } of ROUTES) {
      if (needs === 'none') continue;
      const answer = () => ask(site, method, addressed(path, UNKNOWN), { cookie, ...(body && { body }) });
      const allowed = needs === 'session' || mayRole(role, needs);
      if (!allowed) refusedWith(await answer(), 403, 'UNAUTHORIZED', route);
      else if (untried !== true) {
        const { status, text } = await answer();
        assert.ok(![401, 403].includes(status) && status < 500, `${route}: ${status} ${text}`);
      }
    }
    for (const [minutes, exports] of [
      [11, false],
      [31, true],
    ] as const) {
      site.setTime(later(minutes));
      for (const { route, method, path, needs, body } of ROUTES) {
        if (needs === 'none' || needs === 'session' || !FRESH_PERMISSIONS.has(needs)) continue;
        if ((needs === 'exports:create') !== exports) continue;
        const answer = await ask(site, method, addressed(path, UNKNOWN), { cookie, ...(body && { body }) });
        const code = mayRole(role, needs) ? 'REAUTHENTICATE' : 'UNAUTHORIZED';
        refusedWith(answer, 403, code, `${route}, ${minutes} minutes after the passphrase`);
      }
    }
  });

test('a page of another port cannot change anything for any operator', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const cookie = await signIn(site, 'Ana');
  for (const { route, method, path, body } of ROUTES) {
    if (method === 'GET') continue;
    for (const [what, headers] of Object.entries({
      'a foreign origin': { origin: 'http://127.0.0.1:1' },
      'a page of the same site': { 'sec-fetch-site': 'same-site' },
    })) {
      const answer = await ask(site, method, addressed(path, 1), { cookie, headers, ...(body && { body }) });
      refusedWith(answer, 403, 'UNAUTHORIZED', `${route}, ${what}`);
    }
  }
});

/** One of everything, of the other company: it gets the first numbers there are. */
async function furnish(site: TestSite, company: Company): Promise<string> {
  const token = await site.newToken({ company });
  const { blacklists, queue, hmacKeys } = site.storage;
  await blacklists.create(company.id, { name: 'Theirs', description: null }, TEST_ACT);
  await hmacKeys.create(
    company.id,
    { userId: 'theirs', secret: 's', name: 'theirs', profile: 'v1', scopes: ['verify'], expiresAt: null },
    TEST_ACT,
  );
  const { body } = await site.upload(formOf(photoOf(1)), { token });
  const [item] = await queue.lease(1);
  const analysis = await site.engine.vision.enrol(photoOf(1));
  assert.ok(item !== undefined && analysis.kind === 'face');
  assert.ok(await enrolItem(queue, item, analysis, TEST_ACT.at));
  return (body.data as { uploadId: string }).uploadId;
}

test('what belongs to another company answers as what does not exist, to its last byte', async (t) => {
  const site = await openSite(t);
  const other = await site.newCompany();
  const upload = await furnish(site, other);
  await addOperator(site, 'Theirs', 'operator', other);
  await addOperator(site, 'Ana', 'admin');
  const cookie = await signIn(site, 'Ana');
  const unknownUpload = crypto.randomUUID();
  for (const { route, method, path, body } of ROUTES) {
    if (!path.includes(':id')) continue;
    const isUpload = /^(\/uploads|\/runs|\/search\/additions\/:id)/.test(path);
    for (const kind of ['token', 'key']) {
      const ask1 = (id: number | string) =>
        ask(site, method, addressed(path, id, kind), { cookie, ...(body && { body }) });
      // Tokens were made for the own company first; keys and all else, for the other one.
      const theirs = await ask1(isUpload ? upload : path.includes(':kind') && kind === 'token' ? 2 : 1);
      const nobodys = await ask1(isUpload ? unknownUpload : UNKNOWN);
      assert.deepEqual([theirs.status, theirs.text], [nobodys.status, nobodys.text], route);
      assert.ok(theirs.status === 404 || theirs.status === 415, `${route}: ${theirs.status} ${theirs.text}`);
    }
  }
});
