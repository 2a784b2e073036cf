/** Trust Flows and the overview on the mock API server. */
import { SYSTEM_FLOW_NAME } from '../../core/contracts/codes.ts';
import { activity, overview } from '../../core/contracts/dashboard/overview.ts';
import type { OperatorRole } from '../../core/contracts/dashboard/session.ts';
import { mayRole } from '../../core/domain/identity/roles.ts';
import { at, BLACKLISTS, rowOf } from './fixtures.ts';
import {
  flowList,
  flowRow,
  flowSettings,
  flowsSearched,
  type FlowRow,
  type KeptFlowSettings,
} from '../../core/contracts/flows.ts';

type Answer = [status: number, body: unknown];
/** The part of the mock API server that these answers depend on. */
interface MockSite {
  behaviour: { role: OperatorRole; rows: number; waiting: number; paused: boolean };
}

const settings = (part: Partial<KeptFlowSettings['blacklistDetection']> = {}): KeptFlowSettings => ({
  duplicateDetection: { enabled: true, action: 'review' },
  blacklistDetection: {
    enabled: true,
    blacklistIds: [11, 12],
    action: 'review',
    targetFmr: null,
    targetFpir: null,
    ownRates: [],
    ...part,
  },
  registration: { enabled: false },
  targetFmr: 1e-4,
  targetFpir: null,
});
const names = Object.fromEntries(BLACKLISTS.map(({ id, name }) => [String(id), name]));
const flow = (part: Partial<FlowRow> & Pick<FlowRow, 'id' | 'name'>): FlowRow => ({
  system: false,
  saved: settings(),
  version: 3,
  savedAt: at(-4_000),
  draft: null,
  revision: 1,
  blacklistNames: names,
  ...part,
});

/** The body of a change. */
type FlowSent = Pick<FlowRow, 'revision' | 'name'> & { settings: KeptFlowSettings | null };

/** Kept between the requests of one site. */
const flows = new WeakMap<MockSite, FlowRow[]>();

function flowsOf(site: MockSite): FlowRow[] {
  const kept = flows.get(site) ?? [
    flow({ id: 1, name: SYSTEM_FLOW_NAME, system: true, saved: null, version: null, blacklistNames: {} }),
    flow({ id: 7, name: 'Border desk' }),
    flow({ id: 8, name: 'Ferry terminal', draft: settings({ blacklistIds: [11, 13], action: 'reject' }) }),
    flow({
      id: 9,
      name: 'Staff entrance',
      saved: settings({ enabled: false, blacklistIds: [] }),
      version: 1,
    }),
  ];
  flows.set(site, kept);
  return kept;
}

export function answerFlows(site: MockSite, route: string, body: Buffer): Answer | undefined {
  const kept = flowsOf(site);
  if (route === 'GET /flows') {
    return [200, flowList.parse({ items: site.behaviour.rows === 0 ? [] : kept })];
  }
  if (route === 'GET /flows/searched') {
    const { rows } = site.behaviour;
    const lists = [
      { id: null, persons: rows },
      ...BLACKLISTS.map(({ id }) => ({ id, persons: Math.min(rows, 400) })),
    ];
    return [200, flowsSearched.parse({ lists, rarestRate: 1e-8 })];
  }
  if (route === 'POST /flows') {
    const { name, settings: sent } = JSON.parse(body.toString()) as Pick<FlowRow, 'name'> & {
      settings?: unknown;
    };
    const made = flow({
      id: 20 + kept.length,
      name,
      version: null,
      saved: null,
      draft: { ...settings({ enabled: false, blacklistIds: [] }), ...flowSettings.parse(sent ?? {}) },
      blacklistNames: {},
    });
    kept.push(made);
    return [200, flowRow.parse(made)];
  }
  const [, method, id, what] = /^(\w+) \/flows\/(\d+)(?:\/(tool|save))?$/.exec(route) ?? [];
  const found = kept.find((each) => each.id === Number(id));
  if (found === undefined) return undefined;
  const sent = body.length === 0 ? {} : (JSON.parse(body.toString()) as Partial<FlowSent>);
  if (what !== undefined && sent.revision !== found.revision)
    return [409, { success: false, code: 'FLOW_CHANGED' }];
  if (what !== undefined) found.revision += 1;
  if (what === 'save' && found.draft !== null)
    Object.assign(found, {
      saved: found.draft,
      draft: null,
      version: (found.version ?? 0) + 1,
      savedAt: at(0),
    });
  else if (method === 'PUT') found.draft = sent.settings ?? null;
  else if (method === 'PATCH') Object.assign(found, sent);
  return [200, flowRow.parse(found)];
}

/** The newest validations with a match, as the list has them. */
const HITS = Array.from({ length: 8 }, (_, index) => {
  const row = rowOf(239_999 - index * 7);
  const face = rowOf(239_000 - index * 11);
  return {
    id: row.id,
    status: index % 3 === 0 ? 2 : 3,
    name: row.name,
    thumbnailUrl: row.thumbnailUrl,
    createdAt: row.createdAt,
    match:
      index === 6
        ? null
        : {
            name: face.name,
            thumbnailUrl: face.thumbnailUrl,
            blacklistName: index % 2 === 0 ? 'Refused entry 2025' : null,
            severity: index % 2 === 0 ? 'stop' : null,
            score: 96.4 - index * 3.1,
            band: index < 5 ? 'strong' : 'possible',
          },
  };
});

function activityOf({ rows }: MockSite['behaviour'], query: URLSearchParams): unknown {
  const days = (query.get('from') ?? '').split(',').map((from, index) => ({
    from,
    validations: rows === 0 ? 0 : 1_200 + ((index * 397) % 900),
    duplicates: rows === 0 ? 0 : (index * 37) % 61,
    blacklisted: rows === 0 ? 0 : (index * 5) % 14,
  }));
  return activity.parse({ days });
}

export function answerOverview(
  { behaviour }: MockSite,
  route: string,
  query: URLSearchParams,
): Answer | undefined {
  if (route === 'GET /overview/activity') return [200, activityOf(behaviour, query)];
  if (route !== 'GET /overview') return undefined;
  const some = (value: number) => (behaviour.rows === 0 ? 0 : value);
  return [
    200,
    overview.parse({
      since: query.get('since'),
      waiting: {
        review: some(1_031),
        runningUploads: behaviour.waiting > 0 ? 3 : 0,
        waitingImages: behaviour.waiting,
        failedUploads: some(2),
        failedImages: some(7),
        draftFlows: some(1),
      },
      today: {
        uploads: some(41),
        validations: some(1_872),
        verified: some(1_796),
        rejected: some(9),
        duplicates: some(54),
        blacklisted: some(13),
        signatures: some(28),
      },
      health: {
        paused: behaviour.paused,
        blocked: null,
        unerased: 0,
        inProgress: behaviour.waiting > 0 ? 2 : 0,
        workers: 2,
        freeBytes: 214 * 1024 ** 3,
        minFreeBytes: 512 * 1024 ** 2,
        perMinute: behaviour.waiting > 0 ? 462.4 : null,
        queued: behaviour.waiting,
      },
      hits: behaviour.rows === 0 ? [] : HITS,
      backup: !mayRole(behaviour.role, 'system:read')
        ? null
        : behaviour.rows === 0
          ? { keyMadeAt: null, lastGoodAt: null, failed: false, nextAt: null }
          : { keyMadeAt: at(-90_000), lastGoodAt: at(-500), failed: false, nextAt: at(940) },
      firstSteps: {
        enrolled: behaviour.rows > 0,
        blacklisted: behaviour.rows > 0,
        flowPublished: behaviour.rows > 0,
        verified: behaviour.rows > 0,
      },
    }),
  ];
}
