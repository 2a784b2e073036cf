/** Services of several roles as processes on one PostgreSQL database: `npm run test:postgres`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCluster } from '../support/cluster.ts';
import { run } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { WITHOUT_FILE, WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';

const PHOTOS = 8;

test(
  'one service enrols the photos of another; the leader is replaced',
  { skip: WITHOUT_SERVER, timeout: 600_000 },
  async (t) => {
    const cluster = openCluster(t);
    const api = await cluster.api('first');
    const token = await cluster.createCompany();
    const other = await cluster.api('second');
    const leaders = async (name: string) =>
      (await cluster.nodes(name)).filter(({ leads }) => leads).map(({ address }) => address);
    assert.deepEqual(await leaders('first'), [api.address]);

    cluster.vision('vision');
    const persons = Array.from({ length: PHOTOS }, (_, index) => index);
    await cluster.enrol(await cluster.photos('person', persons), other, token);
    assert.deepEqual(
      (await cluster.nodes('first'))
        .map(({ role, alive }) => ({ role, alive }))
        .toSorted((a, b) => a.role.localeCompare(b.role)),
      [
        { role: 'api', alive: true },
        { role: 'api', alive: true },
        { role: 'vision', alive: true },
      ],
    );

    const ready = await fetch(`${other.address}/health/ready`);
    assert.deepEqual(
      [ready.status, await ready.json()],
      [200, { ready: true, checks: { store: true, gallery: true, workers: true, accepting: true } }],
    );
    await api.kill();
    await until(async () => (await leaders('second')).includes(other.address), 'another leader');
    await other.stop();
  },
);

test(
  'a service that is about to stop is not ready before it stops',
  { skip: WITHOUT_SERVER, timeout: 300_000 },
  async (t) => {
    const service = await openCluster(t).api('first', { options: ['--drain', '2'] });
    const state = async () => (await fetch(`${service.address}/health/ready`)).status;
    await until(async () => (await state()) === 200);
    const stopped = service.stop();
    await until(async () => (await state()) === 503);
    assert.equal((await fetch(`${service.address}/health`)).status, 200, 'it still answers');
    await stopped;
  },
);

test('SQLite has one service', { skip: WITHOUT_FILE }, async (t) => {
  const home = join(temporaryFolder(t), 'home');
  const { code, stderr } = await run(home, ['serve', '--role', 'vision', '--port', '0']);
  assert.notEqual(code, 0);
  assert.match(stderr, /The role vision needs a PostgreSQL database/);
});
