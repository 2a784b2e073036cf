/**
 * A primary server is killed and its synchronous standby takes its place: `npm run test:postgres test/cluster/failover.test.ts`.
 * `VOUCH_FAILOVERS=5` repeats the failover with new servers.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EnrolmentClient } from '../../core/cli/enroll/client.ts';
import { OutcomeUnknown } from '../../core/domain/ports/machine.ts';
import { parseAddress } from '../../core/storage/engine/postgres/address.ts';
import { commit } from '../../core/storage/engine/postgres/commit.ts';
import { openCluster } from '../support/cluster.ts';
import { startReplicatedServer, type ReplicatedServer } from '../support/replicatedServer.ts';
import { seededRandom } from '../support/seed.ts';
import type { ServiceProcess } from '../support/serviceProcess.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';

const FAILOVERS = Number(process.env.VOUCH_FAILOVERS ?? 1);
/** Photos of each of two programs. */
const PHOTOS = 30;
const OPTIONS = { skip: WITHOUT_SERVER, timeout: 900_000 };
/** Milliseconds that COMMIT may take. */
const WAIT = 500;

/** A transaction that has written a row, and has not been committed. */
async function openTransaction(t: TestContext, server: ReplicatedServer) {
  const client = new pg.Client(`${server.address}postgres`);
  client.on('error', () => undefined);
  await client.connect();
  t.after(() => client.end().catch(() => undefined));
  await client.query('begin; create table kept (id integer)');
  const { rows } = await client.query<{ id: string; timeline: string }>(
    `select pg_current_xact_id()::text as id, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`,
  );
  return { client, ...rows[0]! };
}

test('a COMMIT that the standby did not confirm is not acknowledged', OPTIONS, async (t) => {
  const server = await startReplicatedServer(t);
  const { client, id, timeline } = await openTransaction(t, server);
  server.killStandby();
  const address = parseAddress(`${server.address}postgres`);
  await assert.rejects(commit(address, { client, timeline }, id, WAIT), OutcomeUnknown);
});

test('a committed transaction of another timeline is not taken for the own one', OPTIONS, async (t) => {
  const server = await startReplicatedServer(t);
  const { client, timeline } = await openTransaction(t, server);
  await server.failOver();
  const address = `${server.address}postgres`;
  const rows = await server.ask('select pg_current_xact_id()::text as id');
  const { id } = rows[0] as { id: string };
  await assert.rejects(commit(parseAddress(address), { client, timeline }, id, WAIT), OutcomeUnknown);
});

const isReady = ({ address }: ServiceProcess) =>
  until(async () => (await fetch(`${address}/health/ready`)).status === 200, 'a ready service');

test('a former primary server alone acknowledges no upload', OPTIONS, async (t) => {
  const server = await startReplicatedServer(t);
  const cluster = openCluster(t, `${server.address}vouch`);
  const first = await cluster.api('first');
  const token = await cluster.createCompany();
  const alone = await cluster.api('alone', { database: `${server.firstAddress}vouch` });
  const folder = await cluster.photos('photo', [0]);
  const send = ({ address }: ServiceProcess) =>
    new EnrolmentClient({ address, token }, { path: folder }).send(
      [join(folder, 'photo 0.jpg')],
      randomUUID(),
    );
  await server.isolatePrimary();
  const refused = await send(alone);
  assert.ok(refused.kind === 'later' && refused.status === 503, JSON.stringify(refused));
  await isReady(first);
  const accepted = await send(first);
  assert.ok(accepted.kind === 'accepted', JSON.stringify(accepted));
  const client = new pg.Client(`${server.address}vouch`);
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select id from upload');
  await client.end();
  assert.deepEqual(rows, [{ id: accepted.uploadId }]);
});

for (let round = 1; round <= FAILOVERS; round += 1)
  test(`the standby replaces a killed primary server under load, round ${round}`, OPTIONS, async (t) => {
    const server = await startReplicatedServer(t);
    const cluster = openCluster(t, `${server.address}vouch`);
    const api = await cluster.api('first');
    const token = await cluster.createCompany();
    const services = [api, await cluster.api('second')];
    for (const name of ['third', 'fourth']) cluster.vision(name);
    // A service whose database fails while it starts ends, and nobody starts it again here.
    await until(
      async () => (await cluster.nodes('first')).filter(({ alive }) => alive).length === 4,
      'the four services',
    );

    const persons = services.map((_, program) =>
      Array.from({ length: PHOTOS }, (_photo, index) => index + program * PHOTOS),
    );
    const folders = await Promise.all(
      persons.map((some, program) => cluster.photos(`photo ${program}`, some)),
    );
    const enrolled = Promise.all(
      services.map((service, program) => cluster.enrol(folders[program]!, service, token)),
    );
    const random = seededRandom(t);
    await sleep(2_000 + random() * 4_000);
    const began = performance.now();
    await server.failOver();
    for (const service of services) await isReady(service);
    t.diagnostic(`ready ${Math.round(performance.now() - began)} ms after the primary server was killed`);

    await enrolled;
    await isReady(api);
    for (const service of services) await service.kill();
    await cluster.requireOnce(
      persons.flatMap((some, program) => some.map((person) => `photo ${program} ${person}`)),
    );
  });
