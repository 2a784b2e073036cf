/** The mock API server's answers to the screens API access, Operators and Audit. */
import { networkAccessOf, type NetworkBehaviour } from './fixtureSystem.ts';
import {
  AUDIT_ACTIONS,
  auditPage,
  auditState,
  auditVerdict,
  type AuditAction,
} from '../../core/contracts/audit.ts';
import { credentialList, madeCredential, newCredential } from '../../core/contracts/dashboard/credentials.ts';
import { operatorList, operatorRow } from '../../core/contracts/dashboard/operators.ts';
import { PERMISSIONS, type Permission } from '../../core/contracts/dashboard/permissions.ts';
import { OPERATOR_ROLES } from '../../core/contracts/dashboard/session.ts';
import { FRESH_PERMISSIONS, mayRole } from '../../core/domain/identity/roles.ts';
import { at } from './fixtures.ts';

type Answer = [status: number, body: unknown];

const credential = (id: number, name: string, more: object = {}) => ({
  kind: 'token',
  id,
  name,
  scopes: ['enroll'],
  state: 'active',
  userId: null,
  profile: null,
  createdAt: at(-90_000),
  expiresAt: at(400_000),
  revokedAt: null,
  lastUsedAt: at(-4),
  ...more,
});
const KEY = { kind: 'key', userId: 'user_x8Kq2vTn40Ra', profile: 'v1' };
const CREDENTIALS = [
  credential(7, 'Gate 4 scanner', { scopes: ['enroll', 'blacklists:read'] }),
  credential(2, 'Ferry desk kiosk', { ...KEY, scopes: ['verify'], expiresAt: null, lastUsedAt: at(-61) }),
  credential(6, 'Signature clerk', { scopes: ['signatures'], lastUsedAt: null }),
  credential(4, 'Old import', { state: 'expired', expiresAt: at(-4_000) }),
  credential(3, 'Contractor laptop', { state: 'revoked', revokedAt: at(-20_000) }),
];

const operator = (id: number, name: string, role: string, more: object = {}) => ({
  id,
  name,
  role,
  active: true,
  lastAdmin: false,
  self: false,
  createdAt: at(-200_000 + id * 900),
  lastSignedInAt: at(-1_000 * id),
  failedAttempts: 0,
  lockedUntil: null,
  sessions: [],
  ...more,
});
const session = (minutes: number, current = false) => ({ openedAt: at(minutes), usedAt: at(-1), current });
const OPERATORS = [
  operator(1, 'Maren Holt', 'admin', {
    lastAdmin: true,
    self: true,
    sessions: [session(-40, true), session(-400)],
  }),
  operator(2, 'Jonas Brandt', 'operator', { sessions: [session(-120)] }),
  operator(3, 'Leïla Chaoui', 'reviewer', { failedAttempts: 6, lockedUntil: at(1) }),
  operator(4, 'Omar Farouk', 'investigator', { sessions: [session(-15)] }),
  operator(5, 'Zofia Lindqvist', 'auditor', { lastSignedInAt: null }),
  operator(6, 'Viktor Kone', 'reviewer', { active: false }),
];

const ACTIONS = Object.keys(AUDIT_ACTIONS) as AuditAction[];
const ENTRIES = 48_000;
const ACTORS = [
  ['operator:1', 'Maren Holt'],
  ['token:7', 'Gate 4 scanner'],
  ['operator:3', 'Leïla Chaoui'],
  ['service', null],
  ['hmac:2', 'Ferry desk kiosk'],
] as const;

function entry(sequence: number) {
  const [actor, actorName] = ACTORS[(sequence * 7) % ACTORS.length]!;
  const action = ACTIONS[(sequence * 11) % ACTIONS.length]!;
  const person = action.startsWith('operator.');
  return {
    sequence,
    at: at((sequence - ENTRIES) / 3),
    actor,
    actorName,
    action,
    object: person
      ? 'operator:2'
      : action === 'search.run'
        ? null
        : `${action.split('.')[0]!}:${sequence % 900}`,
    objectName: person ? 'Jonas Brandt' : null,
    objectBlacklist: null,
    outcome: action === 'session.refused' ? 'refused' : 'done',
    details: action.startsWith('upload') ? { kind: 'duplicate', images: 50 } : {},
  };
}

const anchorAt = (sequence: number) => ({
  sequence,
  hash: 'ab'.repeat(32),
  at: at(-9),
  signature: 'cd'.repeat(64),
});
const verified = { at: at(-2_000), actorName: 'Zofia Lindqvist', entries: 45_112 };
const STATE = {
  head: anchorAt(ENTRIES),
  anchor: anchorAt(ENTRIES - 17),
  external: { file: null, problem: null },
  lastVerified: verified,
};

function page(query: URLSearchParams): unknown {
  const from = Number(query.get('before') ?? ENTRIES + 1) - 1;
  const limit = Number(query.get('limit') ?? 100);
  const action = query.get('action');
  const object = query.get('object');
  if (object === 'Nobody') return { items: [], total: 0, objects: 0, nextBefore: null };
  const items = [];
  let sequence = from;
  for (; sequence > 0 && items.length < limit; sequence -= 1) {
    const one = entry(sequence);
    if (action === null || one.action === action) items.push(one);
  }
  const total = action === null ? ENTRIES : Math.floor(ENTRIES / ACTIONS.length);
  return {
    items,
    total,
    objects: object === null ? null : 1,
    nextBefore: sequence > 0 ? sequence + 1 : null,
  };
}

/** @param whole what a verification finds */
export function answerAccess(
  behaviour: {
    rows: number;
    whole: boolean;
    asksPassphrase: boolean;
    credentialUsed: boolean;
    network: NetworkBehaviour;
  },
  route: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  const changes = !route.startsWith('GET') && !route.startsWith('POST /audit');
  if (changes && behaviour.asksPassphrase && /\/(credentials|operators|system\/network)/.test(route))
    return [403, { success: false, message: 'Enter your passphrase again.', code: 'REAUTHENTICATE' }];
  switch (route) {
    case 'PUT /system/network':
      behaviour.network = 'on';
      return [200, networkAccessOf(behaviour.network)];
    case 'POST /system/network/renew':
      behaviour.network = 'on';
      return [200, networkAccessOf(behaviour.network, 1)];
    case 'DELETE /system/network':
      behaviour.network = 'off';
      return [200, networkAccessOf(behaviour.network)];
    case 'GET /credentials':
      return [
        200,
        credentialList.parse({
          items: [
            ...(behaviour.rows === 0 ? [] : CREDENTIALS),
            ...(behaviour.credentialUsed ? [credential(8, 'Gate 9')] : []),
          ],
        }),
      ];
    case 'POST /credentials': {
      const { kind, name, scopes } = newCredential.parse(JSON.parse(body.toString()));
      const made = credential(8, name, { ...(kind === 'key' ? KEY : {}), scopes, lastUsedAt: null });
      const secret = 'vouch_5mXz1uQO2bFfTnq0sVJcW8yLrK7hEoPa3gDi9tZxNvU';
      return [200, madeCredential.parse({ credential: made, secret })];
    }
    case 'GET /operators':
      return [
        200,
        operatorList.parse({
          items: OPERATORS,
          recoveryCodeMadeAt: at(-180_000),
          permissions: (Object.keys(PERMISSIONS) as Permission[]).map((permission) => ({
            permission,
            roles: OPERATOR_ROLES.filter((role) => mayRole(role, permission)),
            fresh: FRESH_PERMISSIONS.has(permission),
          })),
        }),
      ];
    case 'POST /operators/recovery-code':
      return [200, { recoveryCode: 'K7QM-2VXD-9RTA-W4HC-PN6E-83JZ-T0MB-5GKQ' }];
    case 'GET /audit':
      return [200, auditPage.parse(page(query))];
    case 'GET /audit/state':
      return [200, auditState.parse(STATE)];
    case 'POST /audit/anchor':
      return [200, auditState.parse({ ...STATE, anchor: STATE.head })];
    case 'POST /audit/verify':
      return [
        200,
        auditVerdict.parse({
          whole: behaviour.whole,
          entries: behaviour.whole ? ENTRIES : 31_406,
          anchors: 214,
          anchoredUpTo: ENTRIES - 17,
          firstBad: behaviour.whole
            ? null
            : { sequence: 31_407, problem: { code: 'AUDIT_CHANGED', parameters: {} } },
        }),
      ];
    default:
      break;
  }
  if (/^POST \/(credentials|operators)\/.+/.test(route)) return [200, {}];
  const change = /^PATCH \/operators\/(\d+)$/.exec(route);
  if (change === null) return undefined;
  const found = OPERATORS.find(({ id }) => id === Number(change[1]));
  return [200, operatorRow.parse({ ...found, ...(JSON.parse(body.toString()) as object) })];
}
