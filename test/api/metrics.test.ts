/** The metrics for a monitoring system, and the dashboard file that shows them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { disableMetrics, enableMetrics } from '../../core/domain/diagnostics/metricsAccess.ts';
import { metricsWhenRead } from '../../core/metrics/index.ts';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import { TEST_ACT } from '../support/act.ts';
import { openSite } from './site.ts';

const DASHBOARD = join(import.meta.dirname, '..', '..', 'resources', 'grafana', 'vouch.json');
const NODE = {
  name: 'a1b2c3',
  role: 'vision' as const,
  version: '1.0.0',
  address: null,
  startedAt: '2026-03-01T12:00:00.000Z',
  seenAt: '2026-03-01T12:00:00.000Z',
  alive: true,
  draining: false,
  leads: false,
  answered: 12,
  leases: 3,
};

async function openMeasuredSite(t: TestContext) {
  const metrics = metricsWhenRead({
    version: '1.0.0',
    role: 'all',
    waiting: () => Promise.resolve(7),
    inProgress: () => 2,
    paused: () => Promise.resolve(false),
    faces: () => new Map([['full', 500]]),
    workers: () => [{ work: 'faces', alive: 2, restarts: 1 }],
    leads: () => true,
    nodes: { list: () => Promise.resolve([NODE]) },
    standbys: () => Promise.resolve([{ name: 'b', isSynchronous: true, lag: 0.25 }]),
  });
  const site = await openSite(t, () => ({ metrics }));
  const ports = { ...site.storage, ...PLATFORM };
  const read = (token: string | null) => site.call('/metrics', { token });
  return { site, metrics, ports, read };
}

test('metrics answer 404 until enabled, then only to the token of their own', async (t) => {
  const { site, ports, read } = await openMeasuredSite(t);
  assert.equal((await read(null)).status, 404);
  assert.equal((await read(site.token)).status, 404);
  const first = await enableMetrics(ports, TEST_ACT);
  assert.equal((await read(null)).status, 401);
  assert.equal((await read(site.token)).status, 401);
  assert.equal((await read(first)).status, 200);
  const second = await enableMetrics(ports, TEST_ACT);
  assert.equal((await read(first)).status, 401);
  const answer = await read(second);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  await disableMetrics(ports, TEST_ACT);
  assert.equal((await read(second)).status, 404);
  assert.equal((await site.storage.installation.settings()).metricsToken, null);
});

test('wrong tokens do not keep the monitoring system from reading', async (t) => {
  const { ports, read } = await openMeasuredSite(t);
  const token = await enableMetrics(ports, TEST_ACT);
  for (let round = 0; round < 26; round += 1)
    await Promise.all(Array.from({ length: 50 }, () => read('wrong')));
  assert.equal((await read(token)).status, 200);
});

test('events are counted from the first reading on, with no name in a label', async (t) => {
  const { site, metrics, ports, read } = await openMeasuredSite(t);
  const token = await enableMetrics(ports, TEST_ACT);
  await read(token);
  await site.call('/api/v3/biometric-blacklists');
  await site.call('/api/v3/biometric-blacklists/999999');
  metrics.photoAnswered();
  metrics.photoAnswered('LOW_SHARPNESS');
  metrics.verificationFinalised(TRUST_VALIDATION_STATUS.ReviewNeeded);
  metrics.searched(3);
  const { text } = await read(token);
  const has = (line: string) => {
    assert.ok(text.split('\n').includes(line), `${line} is not in:\n${text}`);
  };
  has('vouch_photos_waiting 7');
  has('vouch_photos_in_progress 2');
  has('vouch_leader 1');
  has('vouch_gallery_faces{pipeline="full"} 500');
  has('vouch_workers{work="faces"} 2');
  has('vouch_worker_restarts{work="faces"} 1');
  has('vouch_photos_answered_total{outcome="enrolled",reason=""} 1');
  has('vouch_photos_answered_total{outcome="failed",reason="LOW_SHARPNESS"} 1');
  has('vouch_verifications_total{status="Review Needed"} 1');
  has('vouch_searched_faces_total 3');
  has('vouch_database_standby_lag_seconds{standby="b",synchronous="true"} 0.25');
  has('vouch_node_up{node="a1b2c3",role="vision"} 1');
  has('vouch_node_photos_answered{node="a1b2c3",role="vision"} 12');
  has(
    'vouch_http_request_duration_seconds_count{method="GET",route="/api/v3/biometric-blacklists",status="200"} 1',
  );
  assert.doesNotMatch(text, /blacklists\/\d|company 1/, 'a label has an address or the name of a company');
});

test('the Grafana dashboard names only metrics that the service answers', async (t) => {
  const { metrics, site } = await openMeasuredSite(t);
  await metrics.text();
  await site.call('/api/v3/biometric-blacklists', { token: null });
  metrics.photoAnswered();
  metrics.verificationFinalised(TRUST_VALIDATION_STATUS.Verified);
  const answered = new Set(
    (await metrics.text()).split('\n').flatMap((line) => /^([a-z_]\w*)[{ ]/.exec(line)?.[1] ?? []),
  );
  const shown = (await readFile(DASHBOARD, 'utf8')).matchAll(/\b(?:vouch|process|nodejs)_\w+/g);
  const names = new Set(Array.from(shown, ([name]) => name));
  assert.ok(names.size > 15, 'the file shows few metrics');
  assert.deepEqual(
    [...names].filter((name) => !answered.has(name)),
    [],
  );
});
