/** Blacklists between sites, as the mock API server answers them. */
import { problem, sentenceOf, type Problem } from '../../core/contracts/errors/problem.ts';
import {
  importList,
  importOrder,
  importResult,
  listExport,
  installationTrust,
  installationView,
  trustedInstallationList,
  trustedInstallationView,
  undoResult,
  waitingPackageList,
  type ImportPlan,
  type ImportView,
  type TrustedInstallationView,
  type WaitingPackage,
} from '../../core/contracts/blacklistTransfer.ts';
import { at } from './fixtures.ts';

type Answer = [status: number, body: unknown];
interface MockSite {
  behaviour: { rows: number; asksPassphrase: boolean };
}

const KEY = `${'A'.repeat(43)}=`;
export const CERTIFICATE = {
  kind: 'vouch installation certificate',
  version: 1,
  name: 'South Harbour',
  signingKey: KEY,
  receivingKey: KEY,
  signature: 'AAAA',
} as const;
/** The fingerprint that South Harbour reads out. */
export const HEARD = '7c1e-09ab-55d2-e3f4-1b80-6a7c-42fd-9e31';
const BUNDLE = '4d7c2b1a-8e6f-4a3b-9c5d-0e1f2a3b4c5d';

const PLAN: ImportPlan = {
  sender: { id: 1, name: 'North Pier', fingerprint: '0f3a-77c2-1d94-8be0-5a16-c3d9-2e48-f07b' },
  exportedAt: at(-60),
  list: { name: 'Ferry thieves', description: 'Seen on the night ferries' },
  target: { id: 12, name: 'Document fraud' },
  counts: { added: 1_204, renamed: 2, held: 310, elsewhere: 4, own: 1, gone: 3 },
  reextracted: 12,
  withoutPhoto: 40,
  listedOtherwise: {
    count: 1,
    faces: [
      {
        faceId: 7,
        blacklistId: 12,
        name: 'Ada Brandt',
        here: { severity: 'caution', reason: 'Seen on a ferry', expiresAt: null },
        there: { severity: 'stop', reason: 'Seen on a ferry', expiresAt: null },
      },
    ],
  },
  examples: [
    { change: 'renamed', name: 'Ada Brandt', before: 'A. Brandt' },
    { change: 'gone', name: 'Jonas Weil', before: null },
    { change: 'added', name: 'Mira Solis', before: null },
  ],
  importedAs: null,
};

interface State {
  sites: TrustedInstallationView[];
  imports: ImportView[];
  waiting: WaitingPackage[];
}

/** Kept between the requests of one site; its pages begin with nothing handed in. */
const states = new WeakMap<MockSite, State>();

function stateOf(site: MockSite): State {
  const made = (id: number, part: Partial<ImportView>): ImportView => ({
    id,
    sender: 'North Pier',
    blacklist: { id: 12, name: 'Document fraud' },
    exportedAt: at(-3_000 * id),
    importedAt: at(-2_900 * id),
    added: 300 + id,
    renamed: id,
    holds: 300,
    undoneAt: null,
    ...part,
  });
  const state = states.get(site) ?? {
    sites: [
      { id: 1, name: 'North Pier', fingerprint: PLAN.sender.fingerprint, trustedAt: at(-9_000) },
      {
        id: 2,
        name: 'Airport',
        fingerprint: 'b2d1-4406-9c7f-e851-03ba-6fd2-17c8-a95e',
        trustedAt: at(-8_000),
      },
    ],
    imports: [
      made(3, {}),
      made(2, { undoneAt: at(-100), holds: 2 }),
      made(1, { blacklist: { id: 40, name: null }, undoneAt: at(-4_000), holds: 0 }),
    ],
    waiting: [],
  };
  states.set(site, state);
  return state;
}

export function answerBlacklistTransfer(
  site: MockSite,
  route: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  if (!/ \/(installations|blacklists\/(imports|packages|\d+\/export))/.test(route)) return undefined;
  const state = stateOf(site);
  const empty = site.behaviour.rows === 0;
  if (site.behaviour.asksPassphrase && !route.startsWith('GET'))
    return [403, { success: false, message: 'Confirm who you are.', code: 'REAUTHENTICATE' }];
  if (route === 'GET /blacklists/imports')
    return [200, importList.parse({ items: empty ? [] : state.imports })];
  const undo = /^(GET|POST) \/blacklists\/imports\/(\d+)\/undo$/.exec(route);
  if (undo !== null) return takeBack(state, undo[1] ?? '', Number(undo[2]));
  if (route.includes('/export')) {
    listExport.parse(JSON.parse(body.toString()));
    return [200, { sealed: 'for the site alone' }];
  }
  return route.includes('/installations')
    ? answerSites(state, empty, route, body)
    : answerPackages(state, route, query, body);
}

function answerSites(state: State, empty: boolean, route: string, body: Buffer): Answer | undefined {
  if (route === 'GET /installations')
    return [200, trustedInstallationList.parse({ items: empty ? [] : state.sites })];
  if (route === 'GET /installations/own')
    return [
      200,
      installationView.parse({
        name: 'Ferry Terminal',
        fingerprint: HEARD,
        certificate: { ...CERTIFICATE, name: 'Ferry Terminal' },
      }),
    ];
  if (route === 'POST /installations') {
    const { name, fingerprint } = installationTrust.parse(JSON.parse(body.toString()));
    if (fingerprint.toLowerCase() !== HEARD)
      return refusal(problem('INSTALLATION_CERTIFICATE_FINGERPRINT_WRONG', { fingerprint: HEARD }));
    const trusted = { id: 3, name: name ?? CERTIFICATE.name, fingerprint: HEARD, trustedAt: at(0) };
    state.sites = [...state.sites.filter(({ id }) => id !== 3), trusted];
    return [200, trustedInstallationView.parse(trusted)];
  }
  const leaving = /^DELETE \/installations\/(\d+)$/.exec(route);
  if (leaving === null) return undefined;
  state.sites = state.sites.filter(({ id }) => String(id) !== leaving[1]);
  return [204, null];
}

function answerPackages(
  state: State,
  route: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  switch (route) {
    case 'GET /blacklists/packages':
      return [200, waitingPackageList.parse({ items: state.waiting })];
    case 'POST /blacklists/packages': {
      importOrder.parse(Object.fromEntries(query));
      if (!body.toString().startsWith('age-encryption.org/v1')) return refusal(problem('PACKAGE_DAMAGED'));
      state.waiting = [{ packageId: BUNDLE, plan: PLAN, since: at(0), progress: null }];
      return [200, { packageId: BUNDLE, plan: PLAN }];
    }
    case `DELETE /blacklists/packages/${BUNDLE}`:
      state.waiting = [];
      return [204, null];
    case `POST /blacklists/packages/${BUNDLE}/import`:
      state.waiting = [];
      return [
        200,
        importResult.parse({
          id: 3,
          target: { id: 12, name: 'Document fraud' },
          counts: { ...PLAN.counts, added: 1_203 },
          leftOut: [{ name: 'Mira Solis', reason: 'The face is too small.' }],
          listedOtherwise: PLAN.listedOtherwise,
        }),
      ];
    default:
      return undefined;
  }
}

function takeBack(state: State, method: string, id: number): Answer {
  const found = state.imports.find((each) => each.id === id);
  if (found === undefined) return [404, { success: false, message: 'Not found.' }];
  if (method === 'POST') Object.assign(found, { undoneAt: at(0), holds: 1 });
  return [
    200,
    undoResult.parse({
      removed: 298,
      renamedBack: 2,
      heldByOthers: 1,
      inReview: { count: 1, names: ['Ada Brandt'] },
      list: 'stays',
    }),
  ];
}

/** As the service refuses an order that it understood. */
function refusal(reason: Problem): [number, object] {
  return [422, { success: false, message: sentenceOf(reason), ...reason }];
}
