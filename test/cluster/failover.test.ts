/**
 * A primary server is killed and its synchronous standby takes its place: `npm run test:postgres test/cluster/failover.test.ts`.
 * `VOUCH_FAILOVERS=5` repeats the failover with new servers.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EXIT } from '../../core/cli/terminal/output.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { OutcomeUnknown } from '../../core/domain/ports/machine.ts';
import { parseAddress } from '../../core/storage/engine/postgres/address.ts';
import { commit } from '../../core/storage/engine/postgres/commit.ts';
import { PORTRAITS, portrait } from '../support/facePhotos.ts';
import { readLedger } from '../support/ledger.ts';
import { startReplicatedServer, type ReplicatedServer } from '../support/replicatedServer.ts';
import { seededRandom } from '../support/seed.ts';
import { run, startService, tokenFor, vouch } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';

const COMPANY = 'Acme';
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

for (let round = 1; round <= FAILOVERS; round += 1)
  test(`the standby replaces a killed primary server under load, round ${round}`, OPTIONS, async (t) => {
    const server = await startReplicatedServer(t);
    const folder = temporaryFolder(t);
    const database = `${server.address}vouch`;
    const homeOf = (name: string) => {
      const home = join(folder, name);
      mkdirSync(home, { mode: 0o700 });
      if (name !== 'first') copyFileSync(join(folder, 'first', 'store.key'), join(home, 'store.key'));
      return home;
    };
    const serving = (home: string) => startService(home, 0, 1, {}, ['--role', 'api', '--database', database]);
    const first = homeOf('first');
    const api = await serving(first);
    t.after(() => api.kill());
    const created = await run(first, ['company', 'create', COMPANY, '--storage', join(folder, 'shared')]);
    assert.equal(created.code, 0, created.stderr);
    const second = homeOf('second');
    const other = await serving(second);
    t.after(() => other.kill());
    for (const name of ['third', 'fourth']) {
      const vision = vouch(homeOf(name), [
        'serve',
        '--role',
        'vision',
        '--workers',
        '1',
        '--database',
        database,
      ]);
      t.after(() => vision.kill('SIGKILL'));
    }
    const token = await tokenFor(first, COMPANY, 'enroll');
    const { pipelineId } = JSON.parse((await run(first, ['--json', 'status'])).stdout) as {
      pipelineId: PipelineId;
    };

    const expected: string[] = [];
    const programs = await Promise.all(
      [api.address, other.address].map(async (address, program) => {
        const photos = join(folder, `photos ${program}`);
        mkdirSync(photos);
        for (let index = 0; index < PHOTOS; index += 1) {
          const name = `photo ${program} ${index}`;
          expected.push(name);
          const image = await portrait(index % PORTRAITS, index + program * PHOTOS);
          writeFileSync(join(photos, `${name}.jpg`), image);
        }
        return ['enroll', photos, '--batch', '3', '--address', address];
      }),
    );
    const enrolled = programs.map(async (order) => {
      let result;
      do result = await run(second, order, { VOUCH_TOKEN: token });
      while (result.code === EXIT.unreachable);
      return result;
    });
    const random = seededRandom(t);
    await sleep(2_000 + random() * 4_000);
    const began = performance.now();
    await server.failOver();
    for (const { address } of [api, other])
      await until(async () => (await fetch(`${address}/health/ready`)).status === 200, 'a ready service');
    t.diagnostic(`ready ${Math.round(performance.now() - began)} ms after the primary server was killed`);

    for (const { code, stdout, stderr } of await Promise.all(enrolled))
      assert.equal(code, 0, `${stdout}\n${stderr}`);
    await until(async () => (await fetch(`${api.address}/health/ready`)).status === 200, 'a ready service');
    await other.kill();
    await api.kill();
    const ledger = await readLedger(first, COMPANY, pipelineId);
    assert.deepEqual(ledger.validations.toSorted(), expected.toSorted(), 'each photo once');
    const count = expected.length;
    assert.deepEqual(
      { ...ledger, validations: undefined },
      { validations: undefined, faces: count, files: count, readable: count, waiting: 0 },
    );
  });
