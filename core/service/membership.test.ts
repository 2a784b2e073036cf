import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import type { NodeReport, Nodes } from '../storage/engine/postgres/nodes.ts';
import { SILENT_LOG } from '../../test/support/fakes.ts';
import { Membership } from './membership.ts';
import { readinessOf } from './apiPorts.ts';

const INTERVAL = 5_000;

/** The other services, of which the test decides whether one of them leads. */
class FakeNodes implements Nodes {
  readonly name = 'here';
  readonly reports: NodeReport[] = [];
  othersLead = false;
  isReachable = true;
  hasLeft = false;

  report(report: NodeReport): Promise<void> {
    this.reports.push(report);
    return Promise.resolve();
  }

  leave(): Promise<void> {
    this.hasLeft = true;
    return Promise.resolve();
  }

  list() {
    return Promise.resolve([]);
  }

  lead(): Promise<boolean> {
    return this.isReachable ? Promise.resolve(!this.othersLead) : Promise.reject(new Error('no database'));
  }
}

function member(
  t: TestContext,
  nodes: Nodes | undefined,
  options: { leads?: boolean; stop?: () => Promise<void> } = {},
) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const steps: string[] = [];
  const work = {
    start: () => steps.push('start'),
    wake: () => steps.push('wake'),
    stop: () => {
      steps.push('stop');
      return options.stop?.() ?? Promise.resolve();
    },
  };
  const membership = new Membership({
    nodes,
    role: 'all',
    version: '1',
    answered: () => 0,
    address: () => 'http://127.0.0.1:1',
    ...(options.leads !== false && { leaderWork: [work] }),
    log: SILENT_LOG,
  });
  const pass = async () => {
    t.mock.timers.tick(INTERVAL);
    await later();
  };
  return { membership, steps, pass };
}

test('the only service of a store leads without a report', async (t) => {
  const { membership, steps } = member(t, undefined);
  await membership.start();
  assert.equal(membership.leads, true);
  await membership.stop();
  assert.deepEqual(steps, ['start', 'stop']);
});

test('a service takes over the work for all when no other leads, and gives it up', async (t) => {
  const nodes = new FakeNodes();
  nodes.othersLead = true;
  const { membership, steps, pass } = member(t, nodes);
  await membership.start();
  assert.deepEqual([membership.leads, steps], [false, []]);
  nodes.othersLead = false;
  await pass();
  await pass();
  assert.deepEqual(steps, ['start', 'wake', 'wake'], 'it asks for work that others accepted');
  nodes.isReachable = false;
  await pass();
  assert.deepEqual([membership.leads, steps.at(-1)], [false, 'stop'], 'another may lead by now');
  nodes.isReachable = true;
  await pass();
  assert.equal(membership.leads, true);
  await membership.stop();
  assert.ok(nodes.hasLeft);
  assert.equal(steps.at(-1), 'stop');
});

test('work that ends badly leaves a service that still reports, and can lead again', async (t) => {
  const nodes = new FakeNodes();
  const { membership, pass } = member(t, nodes, { stop: () => Promise.reject(new Error('no database')) });
  await membership.start();
  nodes.isReachable = false;
  await pass();
  assert.equal(membership.leads, false);
  nodes.isReachable = true;
  await pass();
  assert.equal(membership.leads, true);
  assert.equal(nodes.reports.at(-1)?.leads, true);
});

test('a vision node never leads', async (t) => {
  const nodes = new FakeNodes();
  const { membership } = member(t, nodes, { leads: false });
  await membership.start();
  assert.equal(membership.leads, false);
  await membership.stop();
});

test('a service that is about to stop says so to the others and to load balancers', async (t) => {
  const nodes = new FakeNodes();
  const { membership } = member(t, nodes);
  await membership.start();
  const ready = readinessOf({
    store: () => Promise.resolve(),
    gallery: () => Promise.resolve(),
    workers: () => true,
    draining: () => membership.draining,
    log: SILENT_LOG,
  });
  assert.equal((await ready()).ready, true);
  await membership.drain();
  assert.equal(nodes.reports.at(-1)?.draining, true);
  assert.deepEqual(await ready(), {
    ready: false,
    checks: { store: true, gallery: true, workers: true, accepting: false },
  });
  await membership.stop();
});

test('a store that fails and a gallery that does not answer make a service unready', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ready = readinessOf({
    store: () => Promise.reject(new Error('no database')),
    gallery: () => new Promise(() => undefined),
    workers: () => false,
    draining: () => false,
    log: SILENT_LOG,
  });
  const state = ready();
  await later();
  t.mock.timers.tick(INTERVAL);
  assert.deepEqual(await state, {
    ready: false,
    checks: { store: false, gallery: false, workers: false, accepting: true },
  });
});
