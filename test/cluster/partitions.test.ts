/** Services that the network separates from their database: `npm run test:postgres test/cluster/partitions.test.ts`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { EXIT } from '../../core/cli/terminal/output.ts';
import type { NodeRole } from '../../core/contracts/nodes.ts';
import { COMPANY, openCluster } from '../support/cluster.ts';
import { relayTo, type Cut } from '../support/relay.ts';
import { run } from '../support/serviceProcess.ts';
import { newAddress, WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';

const PHOTOS = 24;
/** Milliseconds. A service asks the server every five seconds and waits ten for the answer; the rest is for a busy machine. */
const BOUND = 60_000;
const OPTIONS = { skip: WITHOUT_SERVER, timeout: 400_000 };

/** A service, a database that another one can reach by a relay, and a way to enrol people. */
async function openSite(t: TestContext, role: NodeRole) {
  const database = newAddress();
  const cluster = openCluster(t, database);
  const service = await cluster.api('first', { options: ['--role', role] });
  const token = await cluster.createCompany();
  const enrol = async (name: string, persons: readonly number[]) =>
    cluster.enrol(await cluster.photos(name, persons), service, token);
  return { cluster, database, service, enrol };
}

for (const cut of ['both', 'toServer', 'fromServer'] satisfies Cut[])
  test(`a service that lost its database gives no old answer (${cut})`, OPTIONS, async (t) => {
    const { cluster, database, enrol } = await openSite(t, 'all');
    const relay = await relayTo(t, database);
    const other = await cluster.api('second', { database: relay.address });
    const probe = join(await cluster.photos('probe', [1]), 'probe 1.jpg');
    const search = () => run(cluster.homeOf('second'), ['--json', 'search', probe, '--company', COMPANY]);

    await enrol('before', [0]);
    const before = await search();
    assert.equal(before.code, EXIT.ok, before.stderr);
    relay.cut(cut);
    await enrol('after', [1]);
    const begun = performance.now();
    const during = await search();
    assert.notEqual(during.code, EXIT.ok, 'an answer without the enrolled face');
    assert.ok(performance.now() - begun < BOUND, 'the refusal came late');
    await until(
      async () => (await fetch(`${other.address}/health/ready`)).status === 503,
      'the balancer to be told',
    );
    relay.heal();
    await until(async () => {
      const { code, stdout } = await search();
      return code === EXIT.ok && stdout.includes('after 1');
    }, 'the enrolled face');
  });

test('photos of a vision service without its database are enrolled by another', OPTIONS, async (t) => {
  const { cluster, database, service, enrol } = await openSite(t, 'api');
  const client = new pg.Client(database);
  await client.connect();
  t.after(() => client.end());
  const leased = async () =>
    (await client.query('select from upload_item where leased_until is not null limit 1')).rowCount === 1;

  // Its statements arrive; it never learns what became of them.
  const relay = await relayTo(t, database);
  cluster.vision('second', { database: relay.address });
  await until(
    async () => (await cluster.nodes('first')).some(({ role }) => role === 'vision'),
    'the vision service',
  );
  const persons = Array.from({ length: PHOTOS }, (_, index) => index);
  const enrolled = enrol('photo', persons);
  await until(leased, 'a lease of the vision service');
  relay.cut('fromServer');
  cluster.vision('third');
  await enrolled;
  relay.heal();
  // It continues with the next photos, and repeats none.
  await enrol('more', [PHOTOS]);
  await client.end();
  await service.kill();
  await cluster.requireOnce([...persons.map((person) => `photo ${person}`), `more ${PHOTOS}`]);
});

test('a service whose database falls silent says so, and ends by SIGTERM', OPTIONS, async (t) => {
  const relay = await relayTo(t, newAddress());
  const cluster = openCluster(t, relay.address);
  const service = await cluster.api('first');
  await until(async () => (await fetch(`${service.address}/health/ready`)).status === 200, 'a ready service');
  relay.cut('both');
  for (const path of ['/health', '/health/ready'])
    assert.equal((await fetch(service.address + path)).status, 503, path);
  const home = cluster.homeOf('first');
  const silence = /"code": "databaseSilent"/;
  assert.match((await run(home, ['--json', 'doctor'])).stdout, silence);
  await service.stop(EXIT.failed);
  assert.match(service.printed(), /8 seconds went by without an answer from/);
  assert.match((await run(home, ['--json', 'doctor'])).stdout, silence);
});
