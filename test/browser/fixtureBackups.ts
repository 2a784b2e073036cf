/** The mock API server's answers to the Backup page and to the last step of the set-up. */
import {
  backupScheduleRequest,
  backupState,
  type BackupRun,
  type BackupState,
} from '../../core/contracts/dashboard/backups.ts';
import { at } from './fixtures.ts';

type Answer = [status: number, body: unknown];

const GIB = 2 ** 30;
/** The key on the paper of the fixture's administrator. */
export const BACKUP_KEY = `AGE-SECRET-KEY-1${'QPZRY9X8'.repeat(7)}GF`;
const FINGERPRINT = '3f9c 41d7 a02e 88b1';

const run = (id: number, minutes: number, more: Partial<BackupRun> = {}): BackupRun => ({
  id,
  trigger: 'schedule',
  startedAt: at(minutes),
  endedAt: at(minutes + 6),
  state: 'done',
  place: '/media/vouch/Backup A',
  file: `vouch-2026-03-0${id}T02-00-00Z.vouch`,
  bytes: Math.round(18.4 * GIB),
  lostImages: 0,
  problem: null,
  ...more,
});
const RUNS = [
  run(5, -450),
  run(4, -1_200, { trigger: 'download', place: null, file: null }),
  run(3, -1_890, {
    state: 'failed',
    bytes: 0,
    problem: { code: 'BACKUP_PLACE_GONE', parameters: { place: '/media/vouch/Backup A' } },
  }),
  run(2, -3_330, { lostImages: 2 }),
  run(1, -4_770, { trigger: 'dashboard', state: 'cancelled', bytes: Math.round(2.1 * GIB) }),
];

export interface BackupBehaviour {
  rows: number;
  backup: 'none' | 'kept' | 'running';
  asksPassphrase: boolean;
}

/** Changed by the requests; a new page of a test begins with the behaviour. */
function stateOf({ backup, rows }: BackupBehaviour): BackupState {
  const kept = backup !== 'none' && rows > 0;
  return backupState.parse({
    available: true,
    key: kept ? { madeAt: at(-90_000), fingerprint: FINGERPRINT } : null,
    places: [
      { path: '/media/vouch/Read only', kind: 'drive', freeBytes: 12 * 1024 ** 3, writable: false },
      { path: '/media/vouch/Backup A', kind: 'drive', freeBytes: 412 * GIB, writable: true },
      { path: '/media/vouch/OLD', kind: 'drive', freeBytes: null, writable: false },
      { path: '/var/lib/vouch/backups', kind: 'home', freeBytes: 214 * GIB, writable: true },
    ],
    expectedBytes: 18.6 * GIB,
    schedule: kept
      ? { place: '/media/vouch/Backup A', every: 'day', weekday: 0, minute: 120, keep: 14 }
      : null,
    nextAt: kept ? at(990) : null,
    lastGood: kept ? RUNS[0] : null,
    running:
      backup === 'running'
        ? {
            run: run(6, -2, {
              trigger: 'dashboard',
              state: 'running',
              endedAt: null,
              bytes: Math.round(7.9 * GIB),
            }),
            phase: 'writing',
            bytesPerSecond: 66 * 2 ** 20,
          }
        : null,
    runs: kept ? RUNS : [],
  });
}

/** Answers the routes below `/backup`. */
export function answerBackups(behaviour: BackupBehaviour, route: string, body: Buffer): Answer | undefined {
  if (!route.includes(' /backup')) return undefined;
  if (!route.startsWith('GET') && behaviour.asksPassphrase)
    return [403, { success: false, code: 'REAUTHENTICATE' }];
  switch (route) {
    case 'POST /backup/key/draft':
      return [200, { text: BACKUP_KEY, publicKey: 'ab'.repeat(32), fingerprint: FINGERPRINT }];
    case 'POST /backup/key/check': {
      const right = body.includes(BACKUP_KEY);
      return [200, { result: right ? 'right' : 'mistyped', fingerprint: right ? FINGERPRINT : null }];
    }
    case 'PUT /backup/key':
      behaviour.backup = 'kept';
      return [200, stateOf(behaviour)];
    case 'POST /backup/run':
      behaviour.backup = 'running';
      return [200, stateOf(behaviour)];
    case 'DELETE /backup/run':
      behaviour.backup = 'kept';
      return [200, stateOf(behaviour)];
    case 'PUT /backup/schedule': {
      const { schedule } = backupScheduleRequest.parse(JSON.parse(body.toString()));
      return [200, { ...stateOf(behaviour), schedule, nextAt: schedule === null ? null : at(500) }];
    }
    case 'GET /backup':
      return [200, stateOf(behaviour)];
    default:
      return undefined;
  }
}
