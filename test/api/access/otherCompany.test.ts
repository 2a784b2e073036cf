/**
 * Every route with an id, of programs and of the dashboard, and the ids of another company: status, headers, text and log
 * are those of an id that does not exist. A route whose path has an id of no kind of {@link ownedIn} fails.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { photoOf } from '../../support/people.ts';
import { openSite, type Answer, type TestSite } from '../site.ts';
import { DASHBOARD_ROUTES } from './dashboardRoutes.ts';
import {
  adminOf,
  createRecords,
  KINDS,
  openSender,
  UPLOADED,
  type Admin,
  type OwnedIds,
  type Kind,
} from './ownedRecords.ts';
import { PROGRAM_ROUTES } from './programRoutes.ts';

/** The kinds of the ids in the paths that begin so; the longest one counts. */
const OWNED: Record<string, readonly Kind[]> = {
  '/operators/:id': ['operator'],
  '/credentials/token/:id': ['token'],
  '/credentials/key/:id': ['key'],
  '/faces/:id': ['face'],
  '/validations/:id': ['validation'],
  '/blacklists/:id': ['blacklist'],
  '/installations/:id': ['installation'],
  '/blacklists/imports/:id': ['import'],
  '/blacklists/packages/:id': ['package'],
  '/duplicates/groups/:id': ['group'],
  '/duplicates/decisions/:id': ['decision'],
  '/duplicates/samples/:id': ['sample'],
  '/duplicates/runs/:id': ['duplicateRun'],
  '/persons/:id': ['person'],
  '/persons/:id/merge/:source': ['person', 'person'],
  '/persons/:id/specimens/:specimen': ['person', 'specimen'],
  '/runs/:id': ['enrolmentRun'],
  '/failures/:id': ['failure'],
  '/uploads/:id': ['upload'],
  '/folders/:grantId': ['grant'],
  '/search/additions/faces/:id': ['face'],
  '/search/additions/:id': ['addition'],
  '/search/:id': ['search'],
  '/flows/:id': ['flow'],
  '/face-comparisons/:id': ['faceComparison'],
  '/examinations/:id': ['examination'],
  '/case-folders/:id': ['caseFolder'],
  '/signatures/:id': ['signatureComparison'],
  '/calibration/runs/:run': ['calibrationRun'],
  '/signature-calibration/runs/:run': ['signatureCalibrationRun'],
  '/erasures/:id': ['erasure'],
};

/** Bodies of routes that take no JSON, by the end of their path. */
const BINARY: Record<string, Uint8Array | (() => FormData)> = {
  '/blacklists/:id/faces': UPLOADED.photos,
  '/failures/:id/fixes': UPLOADED.photos,
  '/calibration/runs/:run/photos': photoOf(1),
  '/signature-calibration/runs/:run/signatures': photoOf(1),
};
const QUERY: Record<string, string> = {
  '/calibration/runs/:run/photos': '?person=a&file=b',
  '/signature-calibration/runs/:run/signatures': '?writer=a&file=b&forgery=false',
};

/** @throws the route has an id that no kind is known of */
function ownedIn(path: string): readonly Kind[] {
  const [longest] = Object.keys(OWNED)
    .filter((start) => path === start || path.startsWith(`${start}/`))
    .toSorted((a, b) => b.length - a.length);
  const kinds = longest === undefined ? [] : OWNED[longest]!;
  assert.equal(kinds.length, path.match(/:\w+/g)?.length ?? 0, `${path}: of which kind are its ids?`);
  return kinds;
}

const UNKNOWN = 987_654;
/** An id that names nothing, of the same form. */
const unknownLike = (id: number | string) => (typeof id === 'number' ? UNKNOWN : crypto.randomUUID());

/** The parts of an answer that a caller sees, and how many audit entries it caused. */
async function seen(site: TestSite, companies: readonly Admin['company'][], request: () => Promise<Answer>) {
  const logged = () => Promise.all(companies.map(({ id }) => site.storage.audit.count(id, {})));
  const before = await logged();
  const { status, headers, text } = await request();
  const after = await logged();
  const fixed = [...headers].filter(([name]) => !/^(date|x-request-id|x-ratelimit-.*)$/.test(name));
  return { status, text, headers: fixed, entries: after.map((count, index) => count - before[index]!) };
}

interface Asked {
  route: string;
  method: string;
  path: string;
  kinds: readonly Kind[];
  body?: object;
}

function dashboardRoutes(): Asked[] {
  return Object.entries(DASHBOARD_ROUTES).flatMap(([route, { body }]) => {
    const [method = '', path = ''] = route.split(' ');
    if (!path.includes(':')) return [];
    const paths = path.includes(':kind')
      ? ['token', 'key'].map((kind) => path.replace(':kind', kind))
      : [path];
    return paths.map((one) => ({ route, method, path: one, kinds: ownedIn(one), ...(body && { body }) }));
  });
}

function askDashboard(admin: Admin, { method, path, body }: Asked, ids: readonly (number | string)[]) {
  const left = [...ids];
  const target = path.replaceAll(/:\w+/g, () => String(left.shift())) + (QUERY[path] ?? '');
  const binary = method === 'POST' ? BINARY[path] : undefined;
  if (binary instanceof Uint8Array) return admin.send(target, 'image/jpeg', binary);
  return admin.ask(method, target, method === 'GET' ? undefined : (binary?.() ?? body));
}

async function twoCompanies(t: TestContext) {
  const site = await openSite(t);
  await site.storage.installation.update(
    { requestsPerMinute: 1_000_000 },
    { by: 'local-admin', at: new Date() },
  );
  const [own, other] = [await adminOf(site, site.company), await adminOf(site, await site.newCompany())];
  const sender = await openSender(t);
  const theirs = await createRecords(site, other, sender);
  const ours = await createRecords(site, own, sender);
  return { site, own, other, ours, theirs };
}

/** One foreign id at a time; the others are the caller's own. */
function* mixed(kinds: readonly Kind[], ours: OwnedIds, theirs: OwnedIds) {
  for (const place of kinds.keys()) {
    const ids = (id: number | string) => kinds.map((kind, at) => (at === place ? id : ours[kind]));
    const foreign = theirs[kinds[place]!];
    yield { foreign: ids(foreign), unknown: ids(unknownLike(foreign)) };
  }
}

test('the dashboard answers an id of another company like an unknown one', async (t) => {
  const { site, own, other, ours, theirs } = await twoCompanies(t);
  const companies = [own.company, other.company];
  const routes = dashboardRoutes();
  for (const asked of routes)
    for (const { foreign, unknown } of mixed(asked.kinds, ours, theirs)) {
      const one = await seen(site, companies, () => askDashboard(own, asked, foreign));
      const none = await seen(site, companies, () => askDashboard(own, asked, unknown));
      assert.deepEqual(one, none, asked.route);
      const isUnknown = [404, 409, 410].includes(one.status) || /"code":"\w+_UNKNOWN"/.test(one.text);
      assert.ok(isUnknown, `${asked.route}: ${one.status} ${one.text}`);
      assert.equal(one.entries[1], 0, `${asked.route}: nothing is logged at the other company`);
    }
  // Each id is one that its own company gets another answer for.
  const found = new Set<Kind>();
  // Deletions come last: the packages of an installation go with it.
  const order = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
  for (const asked of routes.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))) {
    const { kinds } = asked;
    if (kinds.every((kind) => found.has(kind))) continue;
    const known = await askDashboard(
      other,
      asked,
      kinds.map((kind) => theirs[kind]),
    );
    const unknown = await askDashboard(
      other,
      asked,
      kinds.map((kind) => unknownLike(theirs[kind])),
    );
    if (known.status !== unknown.status || known.text !== unknown.text)
      for (const kind of kinds) found.add(kind);
  }
  assert.deepEqual([...found].toSorted(), KINDS.toSorted());
});

test('a program gets for an id of another company the answer for an unknown one', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update(
    { requestsPerMinute: 1_000_000 },
    { by: 'local-admin', at: new Date() },
  );
  const other = await site.newCompany();
  const companies = [site.company, other];
  for (const [route, program] of Object.entries(PROGRAM_ROUTES)) {
    const [, template = ''] = route.split(' ');
    const places = template.split('/').flatMap((part, at) => (part.startsWith('{') ? [at] : []));
    if (places.length === 0) continue;
    const [ours, theirs] = [await program.request(site, site.company), await program.request(site, other)];
    const token = await site.newToken();
    const send = (target: string) =>
      site.call(target, {
        token,
        method: ours.method,
        headers: { ...ours.headers, ...(ours.contentType && { 'content-type': ours.contentType }) },
        ...(ours.body && { body: new Uint8Array(ours.body) }),
      });
    const [path = '', query = ''] = ours.target.split('?');
    const foreign = theirs.target.split('?')[0]!.split('/');
    for (const place of places) {
      const target = (id: string) => {
        const parts = path.split('/').map((part, at) => (at === place ? id : part));
        return parts.join('/') + (query === '' ? '' : `?${query}`);
      };
      const id = foreign[place]!;
      const unknown = /^\d+$/.test(id) ? String(UNKNOWN) : crypto.randomUUID();
      const one = await seen(site, companies, () => send(target(id)));
      const none = await seen(site, companies, () => send(target(unknown)));
      assert.deepEqual(one, none, route);
      assert.equal(one.status, 404, `${route}: ${one.text}`);
      assert.deepEqual(one.entries, [0, 0], route);
    }
  }
});
