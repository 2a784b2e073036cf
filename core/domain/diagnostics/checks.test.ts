import { problem } from '../../contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PipelineId } from '../../contracts/ids.ts';
import {
  judgeAccess,
  judgeAudit,
  judgeClock,
  judgeDatabase,
  judgeDisks,
  judgeNetwork,
  judgeModels,
  judgeProcessor,
  judgeQueue,
  judgeRetention,
  judgeWorkers,
} from './checks.ts';

const GIB = 2 ** 30;
const NOW = new Date('2026-05-01T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

const NONE = { count: 0, named: [] };

test('a processor is judged by what the image decoder and the search must have', () => {
  const processor = { model: 'A', cores: 2, architecture: 'x64', wasmSimd: true };
  assert.equal(judgeProcessor({ ...processor, features: new Set(['sse4_2', 'avx2']) }).code, 'processorGood');
  const slow = judgeProcessor({ ...processor, features: new Set(['sse4_2']) });
  assert.deepEqual([slow.code, slow.facts.missing], ['processorSlow', 'avx2']);
  assert.equal(judgeProcessor({ ...processor, features: new Set() }).code, 'processorUnfit');
  assert.equal(judgeProcessor({ ...processor, features: null, wasmSimd: false }).code, 'processorUnfit');
  assert.equal(judgeProcessor({ ...processor, features: null }).code, 'processorGood');
});

test('the fullest disk decides, and one that is gone before all', () => {
  const disk = (folder: string, freeBytes: number | null) => ({
    folder,
    freeBytes,
    problem: problem('SYSTEM_DEVICE_GONE'),
  });
  assert.equal(judgeDisks([disk('/a', 100 * GIB), disk('/b', 50 * GIB)], GIB).code, 'diskGood');
  const low = judgeDisks([disk('/a', 100 * GIB), disk('/b', 2 * GIB)], GIB);
  assert.deepEqual([low.code, low.facts], ['diskLow', { folder: '/b', free: '2.0 GiB', limit: '1.0 GiB' }]);
  assert.equal(judgeDisks([disk('/a', GIB - 1)], GIB).code, 'diskFull');
  assert.equal(judgeDisks([disk('/a', 0), disk('/b', null)], GIB).code, 'diskUnusable');
});

test('access of others, missing and unreadable permissions are reported separately', () => {
  const access = { folder: '/home', openToOthers: [], unwritable: [], problem: null };
  assert.equal(judgeAccess(access).code, 'permissionsGood');
  const readOnly = { ...access, unwritable: ['/home'], problem: problem('SYSTEM_READ_ONLY') };
  assert.equal(judgeAccess(readOnly).code, 'permissionsReadOnly');
  assert.equal(judgeAccess({ ...access, openToOthers: null }).code, 'permissionsUnknown');
  assert.equal(judgeAccess({ ...access, openToOthers: ['/home'] }).code, 'permissionsOpen');
  assert.equal(judgeAccess({ ...access, unwritable: ['/home/vouch.db'] }).code, 'permissionsUnwritable');
});

test('the audit log reveals a clock that was set back', () => {
  assert.equal(judgeClock(NOW, minutesAgo(1)).code, 'clockGood');
  assert.equal(judgeClock(NOW, undefined).code, 'clockGood');
  assert.equal(judgeClock(minutesAgo(1), NOW).code, 'clockBehind');
});

test('a file that is no pinned net is named', () => {
  const model = { name: 'a', file: 'a.onnx', bytes: 1, sha256: '', licence: '', source: '', origin: '' };
  const found = judgeModels(
    [
      { ...model, pinned: true },
      { ...model, file: 'b.onnx', pinned: false },
    ],
    [],
  );
  assert.deepEqual(found, { code: 'modelsWrong', facts: { files: 'b.onnx' } });
  assert.equal(judgeModels([{ ...model, pinned: true }], []).code, 'modelsGood');
});

test("a company without a usable pipeline is named with it or the migration's progress", () => {
  const pipeline = 'pack/1' as PipelineId;
  const waiting = { company: 'North', pipeline, change: { extracted: 96, total: 181 } };
  assert.deepEqual(judgeModels([], [waiting]), {
    code: 'pipelineChanging',
    facts: { companies: 'North: 96/181' },
  });
  assert.deepEqual(judgeModels([], [waiting, { company: 'South', pipeline, change: null }]), {
    code: 'pipelineMissing',
    facts: { companies: 'South: pack/1' },
  });
});

test('damage and a broken record are never good news', () => {
  assert.equal(judgeDatabase(['Page 3 is never used'], 1).code, 'databaseDamaged');
  assert.equal(judgeDatabase([], 1).code, 'databaseGood');
  const external = { file: null, problem: null };
  const verdict = { whole: false, entries: 7, anchors: 1, anchoredUpTo: 5 };
  assert.equal(
    judgeAudit({ ...verdict, firstBad: { sequence: 4, problem: problem('AUDIT_MISSING') } }, external).code,
    'auditBroken',
  );
  assert.equal(judgeAudit({ ...verdict, firstBad: null }, external).code, 'auditGood');
  const away = judgeAudit(
    { ...verdict, firstBad: null },
    { file: '/stick/a', problem: problem('SYSTEM_NOT_FOUND') },
  );
  assert.deepEqual([away.code, away.facts.problem], ['externalAnchorsAway', problem('SYSTEM_NOT_FOUND')]);
});

test('a queue is stuck when images wait, it is not paused and nothing was processed', () => {
  const service = { startedAt: minutesAgo(60), inProgress: 2, lastProcessedAt: minutesAgo(30) };
  const queue = { now: NOW, paused: false, waiting: 8, most: 100, oldest: minutesAgo(20), service };
  assert.deepEqual(judgeQueue(queue), {
    code: 'queueStuck',
    facts: { waiting: '8', inProgress: '2', minutes: '20' },
  });
  assert.equal(judgeQueue({ ...queue, paused: true }).code, 'queuePaused');
  assert.equal(judgeQueue({ ...queue, waiting: 0 }).code, 'queueGood');
  assert.equal(judgeQueue({ ...queue, oldest: minutesAgo(1) }).code, 'queueGood');
  const restarted = { ...service, startedAt: minutesAgo(1), lastProcessedAt: undefined };
  assert.equal(judgeQueue({ ...queue, service: restarted }).code, 'queueGood');
  assert.equal(judgeQueue({ ...queue, service: null }).code, 'queueResting');
  assert.equal(
    judgeQueue({ ...queue, waiting: 100, service: { ...service, lastProcessedAt: minutesAgo(1) } }).code,
    'queueFull',
  );
});

test('an expiring certificate is reported sixty days ahead, with the remedy', () => {
  const listener = {
    names: ['vouch.lan'],
    address: '0.0.0.0',
    port: 4611,
    addresses: ['https://vouch.lan:4611'],
    certificate: '',
    fingerprint: '',
    selfSigned: true,
    validUntil: '2026-06-30T12:00:00Z',
    daysLeft: 61,
  };
  assert.equal(judgeNetwork(null, null).code, 'networkOff');
  assert.equal(judgeNetwork(listener, null).code, 'networkGood');
  assert.equal(judgeNetwork({ ...listener, daysLeft: 60 }, null).code, 'networkEnds');
  assert.equal(judgeNetwork({ ...listener, daysLeft: -1 }, null).code, 'networkEnded');
  assert.equal(judgeNetwork({ ...listener, selfSigned: false, daysLeft: 0 }, null).code, 'networkEndsGiven');
  assert.equal(
    judgeNetwork({ ...listener, selfSigned: false, daysLeft: -1 }, null).code,
    'networkEndedGiven',
  );
  const shut = judgeNetwork(listener, problem('NETWORK_PORT_TAKEN', { port: 4611 }));
  assert.deepEqual(
    [shut.code, shut.facts.problem],
    ['networkShut', problem('NETWORK_PORT_TAKEN', { port: 4611 })],
  );
});

test('a held run is named with its company and reason', () => {
  assert.equal(judgeRetention([{ name: 'Acme', held: null, unerased: NONE }]).code, 'retentionGood');
  const clock = {
    reason: 'clock',
    now: '2029-01-01T00:00:00.000Z',
    latest: '2026-01-01T00:00:00.000Z',
  } as const;
  const companies = [
    { name: 'Acme', held: null, unerased: NONE },
    { name: 'Other', held: clock, unerased: NONE },
  ];
  assert.deepEqual(judgeRetention(companies), {
    code: 'retentionClock',
    facts: { company: 'Other', now: clock.now, latest: clock.latest },
  });
  const count = judgeRetention([
    { name: 'Acme', held: { reason: 'count', due: 900, most: 100 }, unerased: NONE },
  ]);
  assert.deepEqual([count.code, count.facts.due], ['retentionCount', '900']);
  assert.equal(
    judgeRetention([{ name: 'A', held: { reason: 'unconfirmed' }, unerased: NONE }]).code,
    'retentionUnconfirmed',
  );
});

test('the confinement of the image processes is named', () => {
  assert.deepEqual(
    (['kernel', 'calls', 'runtime'] as const).map((each) => judgeWorkers(each).code),
    ['workersConfined', 'workersFiltered', 'workersOpen'],
  );
});
