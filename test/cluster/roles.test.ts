/** Services of several roles as processes on one PostgreSQL database: `npm run test:postgres`. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { NodeState } from '../../core/contracts/nodes.ts';
import { portrait } from '../support/facePhotos.ts';
import { run, startService, tokenFor, vouch } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { newAddress, WITHOUT_FILE, WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';

const COMPANY = 'Acme';
const PHOTOS = 8;

test(
  'one service enrols the photos of another; the leader is replaced',
  { skip: WITHOUT_SERVER, timeout: 600_000 },
  async (t) => {
    const folder = temporaryFolder(t);
    const database = newAddress();
    const photos = join(folder, 'photos');
    mkdirSync(photos);
    for (let index = 0; index < PHOTOS; index += 1)
      writeFileSync(join(photos, `person ${index}.jpg`), await portrait(index, index));
    const homeOf = (name: string) => {
      const home = join(folder, name);
      mkdirSync(home, { mode: 0o700 });
      if (name !== 'first') copyFileSync(join(folder, 'first', 'store.key'), join(home, 'store.key'));
      return home;
    };
    const start = (home: string, role: string) =>
      startService(home, 0, 1, {}, ['--role', role, '--database', database]);

    const first = homeOf('first');
    const api = await start(first, 'api');
    t.after(() => api.kill());
    const created = await run(first, ['company', 'create', COMPANY, '--storage', join(folder, 'shared')]);
    assert.equal(created.code, 0, created.stderr);
    const second = homeOf('second');
    const other = await start(second, 'api');
    t.after(() => other.kill());
    const nodes = async (): Promise<NodeState[]> => {
      const { stdout } = await run(first, ['--json', 'cluster', 'status']);
      return (JSON.parse(stdout) as { nodes: NodeState[] }).nodes;
    };
    const leaders = async () => (await nodes()).filter(({ leads }) => leads).map(({ address }) => address);
    assert.deepEqual(await leaders(), [api.address]);

    const vision = vouch(homeOf('vision'), [
      'serve',
      '--role',
      'vision',
      '--workers',
      '1',
      '--database',
      database,
    ]);
    t.after(() => vision.kill('SIGKILL'));
    const token = await tokenFor(first, COMPANY, 'enroll');
    const enrolled = await run(first, ['enroll', photos, '--address', other.address], { VOUCH_TOKEN: token });
    assert.equal(enrolled.code, 0, enrolled.stderr);
    assert.deepEqual(
      (await nodes())
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
    await until(async () => {
      const { stdout } = await run(second, ['--json', 'cluster', 'status']);
      const { nodes: seen } = JSON.parse(stdout) as { nodes: NodeState[] };
      return seen.some(({ leads, address }) => leads && address === other.address);
    });
    await other.stop();
  },
);

test(
  'a service that is about to stop is not ready before it stops',
  { skip: WITHOUT_SERVER, timeout: 300_000 },
  async (t) => {
    const folder = temporaryFolder(t);
    const service = await startService(join(folder, 'home'), 0, 1, {}, [
      '--database',
      newAddress(),
      '--drain',
      '2',
    ]);
    t.after(() => service.kill());
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
