/** Services that the network separates from their database: `npm run test:postgres test/cluster/partitions.test.ts`. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { EXIT } from '../../core/cli/terminal/output.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { PORTRAITS, portrait } from '../support/facePhotos.ts';
import { readLedger } from '../support/ledger.ts';
import { relayTo, type Cut } from '../support/relay.ts';
import { run, startService, tokenFor, vouch } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { newAddress, WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';

const COMPANY = 'Acme';
const PHOTOS = 24;
/** Milliseconds. A service asks the server every five seconds and waits ten for the answer; the rest is for a busy machine. */
const BOUND = 60_000;
const OPTIONS = { skip: WITHOUT_SERVER, timeout: 400_000 };

/** A service with the role `all`, a database that another one can reach by a relay, and a folder for the photos of both. */
async function openSite(t: TestContext) {
  const folder = temporaryFolder(t);
  const database = newAddress();
  const homeOf = (name: string) => {
    const home = join(folder, name);
    mkdirSync(home, { mode: 0o700 });
    if (name !== 'first') copyFileSync(join(folder, 'first', 'store.key'), join(home, 'store.key'));
    return home;
  };
  const first = homeOf('first');
  const service = await startService(first, 0, 1, {}, ['--database', database]);
  t.after(() => service.kill());
  const created = await run(first, ['company', 'create', COMPANY, '--storage', join(folder, 'shared')]);
  assert.equal(created.code, 0, created.stderr);
  const token = await tokenFor(first, COMPANY, 'enroll');
  /** Enrols photos of invented people and waits for the answer. */
  const enrol = async (name: string, persons: readonly number[]) => {
    const photos = join(folder, name);
    mkdirSync(photos);
    for (const person of persons)
      writeFileSync(join(photos, `${name} ${person}.jpg`), await portrait(person % PORTRAITS, person));
    return run(first, ['enroll', photos, '--batch', '3', '--address', service.address], {
      VOUCH_TOKEN: token,
    });
  };
  return { folder, database, homeOf, first, service, enrol };
}

for (const cut of ['both', 'toServer', 'fromServer'] satisfies Cut[])
  test(`a service that lost its database gives no old answer (${cut})`, OPTIONS, async (t) => {
    const { folder, database, homeOf, enrol } = await openSite(t);
    const relay = await relayTo(t, database);
    const second = homeOf('second');
    const other = await startService(second, 0, 1, {}, ['--role', 'api', '--database', relay.address]);
    t.after(() => other.kill());
    const probe = join(folder, 'probe.jpg');
    writeFileSync(probe, await portrait(1, 1));
    const search = () => run(second, ['--json', 'search', probe, '--company', COMPANY]);

    assert.equal((await enrol('before', [0])).code, EXIT.ok);
    const before = await search();
    assert.equal(before.code, EXIT.ok, before.stderr);
    relay.cut(cut);
    assert.equal((await enrol('after', [1])).code, EXIT.ok);
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
  const { database, homeOf, first, service, enrol } = await openSite(t);
  // Its statements arrive; it never learns what became of them.
  const relay = await relayTo(t, database);
  const second = homeOf('second');
  const vision = vouch(second, ['serve', '--role', 'vision', '--workers', '1', '--database', relay.address]);
  t.after(() => vision.kill('SIGKILL'));
  const status = async () =>
    JSON.parse((await run(first, ['--json', 'cluster', 'status'])).stdout) as {
      nodes: { role: string; leases: number }[];
    };
  const persons = Array.from({ length: PHOTOS }, (_, index) => index);
  const enrolled = enrol('photo', persons);
  await until(
    async () => (await status()).nodes.some(({ role, leases }) => role === 'vision' && leases > 0),
    'a lease of the vision service',
  );
  relay.cut('fromServer');
  const { code, stderr } = await enrolled;
  assert.equal(code, EXIT.ok, stderr);
  relay.heal();
  const { pipelineId } = JSON.parse((await run(first, ['--json', 'status'])).stdout) as {
    pipelineId: PipelineId;
  };
  // It continues with the next photos, and repeats none.
  assert.equal((await enrol('more', [PHOTOS])).code, EXIT.ok);
  const expected = [...persons.map((person) => `photo ${person}`), `more ${PHOTOS}`];
  await service.kill();
  const ledger = await readLedger(first, COMPANY, pipelineId);
  assert.deepEqual(ledger.validations.toSorted(), expected.toSorted(), 'each photo once');
});
