/** The installation of the mock API server. */
import { problem } from '../../core/contracts/errors/problem.ts';
import { systemState, type SystemState } from '../../core/contracts/dashboard/system.ts';
import type { NetworkAccessState } from '../../core/contracts/network.ts';
import {
  DIAGNOSTICS,
  HEALTH_CHECKS,
  type DiagnosticCode,
  type HealthReport,
} from '../../core/contracts/diagnostics.ts';
import { at } from './fixtures.ts';

const GIB = 2 ** 30;
const hash = (seed: number) =>
  Array.from({ length: 64 }, (_, digit) => ((seed * 31 + digit * 7) % 16).toString(16)).join('');

const NODES = [
  { name: '4f1c09ab77de', role: 'api', leads: true, leases: 0, answered: 0 },
  { name: '71b3e2f0c9a4', role: 'api', draining: true, leases: 0, answered: 0 },
  { name: '9d05aa61e8f2', role: 'vision', leases: 16, answered: 48_211 },
  { name: 'c27f88e01b35', role: 'vision', alive: false, seenAt: at(-14), leases: 0, answered: 20_144 },
].map((node) => ({
  version: '0.1.0',
  address: node.role === 'api' ? 'http://127.0.0.1:4610' : null,
  startedAt: at(-4000),
  seenAt: at(0),
  alive: true,
  draining: false,
  leads: false,
  ...node,
}));

interface SystemBehaviour {
  waiting: number;
  paused: boolean;
  /** Several services share a PostgreSQL database. */
  services: boolean;
}

export function systemOf({ waiting, paused, services }: SystemBehaviour): SystemState {
  return systemState.parse({
    version: '0.1.0',
    startedAt: at(-4000),
    queue: {
      paused,
      waiting,
      inProgress: waiting > 0 && !paused ? 4 : 0,
      perMinute: waiting > 0 && !paused ? 462 : null,
      oldest: waiting > 0 ? at(-12) : null,
    },
    workers: [
      { work: 'faces', max: 2, alive: 2, restarts: 1, version: 'vouch-face-1' },
      { work: 'signatures', max: 1, alive: 1, restarts: 0, version: 'vouch-ink-1' },
    ],
    storage: {
      folder: '/srv/vouch/storage',
      images: 151_284,
      imageBytes: 31 * GIB,
      freeBytes: 214 * GIB,
      databaseBytes: GIB + GIB / 4,
      minFreeBytes: 0.5 * GIB,
    },
    backup: { keyMadeAt: at(-90_000), lastGoodAt: at(-700), failed: false, nextAt: at(740) },
    models: [
      ['blazeface', 542_314, 'MediaPipe BlazeFace, back camera'],
      ['facemesh', 3_021_410, 'MediaPipe Face Mesh'],
      ['recognition', 22_513_200, 'dlib face recognition resnet'],
      ['mobilefacenet', 4_214_281, 'MobileFaceNet'],
    ].map(([name, bytes, origin], seed) => ({
      name,
      file: `${String(name)}.onnx`,
      bytes,
      sha256: hash(seed + 1),
      licence: 'MIT',
      source: '@vladmandic/human 3.3.6',
      origin,
    })),
    nodes: services ? { own: '4f1c09ab77de', all: NODES } : null,
  });
}

export type NetworkBehaviour = 'off' | 'on' | 'ending' | 'failing';

/** `ending`: its certificate has no more than some days. */
export function networkAccessOf(state: NetworkBehaviour, renewed = 0): NetworkAccessState {
  const days = state === 'ending' ? 12 : 820;
  const names = ['vouch.site.lan', '10.0.0.5'];
  const listener = {
    names,
    address: '0.0.0.0',
    port: 4611,
    addresses: names.map((name) => `https://${name}:4611`),
    certificate: '-----BEGIN CERTIFICATE-----\nmade up\n-----END CERTIFICATE-----\n',
    fingerprint:
      hash(9 + renewed)
        .slice(0, 64)
        .toUpperCase()
        .match(/../g)
        ?.join(':') ?? '',
    selfSigned: true,
    validUntil: at(days * 24 * 60),
    daysLeft: days,
  };
  return {
    listener: state === 'off' ? null : listener,
    problem: state === 'failing' ? NOT_RESTORED : null,
  };
}

/** Two causes, the first of which has a cause of its own. */
const NOT_RESTORED = problem('NETWORK_NOT_RESTORED', {
  cause: problem('NETWORK_NOT_LISTENING', {
    address: '192.0.2.1',
    port: 4612,
    cause: problem('SYSTEM_UNREACHABLE'),
  }),
  again: problem('NETWORK_PORT_TAKEN', { port: 4611 }),
});

/** One finding per check, good or bad. */
const FOUND = {
  good: [
    'processorGood',
    'diskGood',
    'permissionsGood',
    'clockGood',
    'modelsGood',
    'databaseGood',
    'keyGood',
    'portGood',
    'queueGood',
    'auditGood',
    'networkOff',
    'retentionGood',
    'storageGood',
    'workersConfined',
    'facesGood',
    'imagesGood',
    'serverGood',
  ],
  warned: ['processorSlow', 'diskGood'],
  bad: [
    'processorSlow',
    'diskLow',
    'permissionsOpen',
    'clockBehind',
    'modelsWrong',
    'databaseDamaged',
    'keyMissing',
    'portGood',
    'queueStuck',
    'auditBroken',
    'networkEnds',
    'retentionClock',
    'storageUnusable',
    'workersOpen',
    'facesDamaged',
    'imagesDamaged',
    'serverStandbyLost',
  ],
} as const satisfies Record<string, readonly DiagnosticCode[]>;
const FACTS: HealthReport['checks'][number]['facts'] = {
  model: 'AMD EPYC 7282',
  cores: '4',
  features: 'sse4_2, avx2, WebAssembly SIMD',
  missing: 'avx2',
  folder: '/srv/vouch',
  folders: '2',
  sampled: '50',
  free: '1.4 GiB',
  limit: '512.0 MiB',
  files: 'recognition.onnx',
  file: '/srv/vouch/store.key',
  now: at(0),
  newest: at(60),
  latest: at(3 * 24 * 60),
  company: 'Acme',
  companies: '1',
  count: '4',
  size: '1.2 GiB',
  address: 'http://127.0.0.1:4610',
  waiting: '320',
  inProgress: '4',
  minutes: '17',
  entries: '48211',
  anchored: '48190',
  sequence: '31007',
  until: '2026-07-01',
  days: '12',
  problem: problem('AUDIT_CHANGED'),
  read: '48190',
  damaged: '2',
  faces: '4711 4712',
  version: '15.8',
  connections: '18',
  most: '97',
  standbys: '1',
  names: 'standby',
};

/** All checks pass, some warn, or some fail. */
export type HealthBehaviour = keyof typeof FOUND;

export function healthOf(kind: HealthBehaviour): unknown {
  return {
    at: at(0),
    checks: FOUND[kind].map((code, index) => ({
      number: index + 1,
      name: HEALTH_CHECKS[index],
      state: DIAGNOSTICS[code].state,
      code,
      facts: FACTS,
      finding: DIAGNOSTICS[code].finding,
      whatToDo: DIAGNOSTICS[code].state === 'good' ? null : DIAGNOSTICS[code].whatToDo,
      milliseconds: 4,
    })),
  };
}
