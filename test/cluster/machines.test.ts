/** Faults of a single machine: its clock, and its disk. `npm run test:postgres test/cluster/machines.test.ts` */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../core/cli/terminal/output.ts';
import { COMPANY, openCluster } from '../support/cluster.ts';
import { run } from '../support/serviceProcess.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';

const OPTIONS = { skip: WITHOUT_SERVER, timeout: 400_000 };
const PERSONS = Array.from({ length: 15 }, (_, index) => index);
const MINUTE = 60_000;

/** The environment of a process whose clock is wrong by this many milliseconds. */
function clockOff(by: number): NodeJS.ProcessEnv {
  const code = `const Right = Date;
    globalThis.Date = class extends Right {
      constructor(...given) { if (given.length === 0) super(Right.now() + ${by}); else super(...given); }
      static now() { return Right.now() + ${by}; }
    };`;
  return { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(code)}"` };
}

test('clocks that are two minutes wrong lose no photo and repeat none', OPTIONS, async (t) => {
  const cluster = openCluster(t);
  const first = await cluster.api('first');
  const token = await cluster.createCompany();
  const late = await cluster.api('late', { env: clockOff(-2 * MINUTE) });
  const visions = [
    cluster.vision('vision early', { env: clockOff(2 * MINUTE) }),
    cluster.vision('vision late', { env: clockOff(-2 * MINUTE) }),
  ];
  await Promise.all([
    cluster.enrol(await cluster.photos('right', PERSONS), first, token),
    cluster.enrol(await cluster.photos('late', PERSONS), late, token),
  ]);
  await until(
    async () => (await cluster.nodes('first')).filter(({ alive }) => alive).length === 4,
    'four services that count as running',
  );
  for (const vision of visions) vision.kill('SIGKILL');
  for (const service of [first, late]) await service.kill();
  await cluster.requireOnce(PERSONS.flatMap((person) => [`right ${person}`, `late ${person}`]));
});

/** Writes zeros until the disk is full. */
function fill(file: string): void {
  const zeros = Buffer.alloc(65_536);
  assert.throws(() => {
    for (;;) appendFileSync(file, zeros);
  }, /ENOSPC/);
}

/** Runs `work` while a folder is on a small disk of its own. @returns false: this account may not mount one */
async function onSmallDisk(folder: string, work: () => Promise<void>): Promise<boolean> {
  const options = ['-t', 'tmpfs', '-o', 'size=16m,mode=0700', 'vouch', folder];
  if (spawnSync('mount', options).status !== 0) return false;
  try {
    await work();
  } finally {
    spawnSync('umount', ['--lazy', folder]);
  }
  return true;
}

test('a service whose own disk is full loses no photo, and says so', OPTIONS, async (t) => {
  const cluster = openCluster(t);
  const first = await cluster.api('first');
  const token = await cluster.createCompany();
  const home = cluster.homeOf('full');
  const done = await onSmallDisk(home, async () => {
    for (const file of ['store.key', 'images.url'])
      copyFileSync(join(cluster.homeOf('first'), file), join(home, file));
    const full = await cluster.api('full');
    const vision = cluster.vision('vision');
    const filler = join(home, 'filler');
    fill(filler);
    await Promise.all([
      cluster.enrol(await cluster.photos('first', PERSONS), first, token),
      cluster.enrol(await cluster.photos('full', PERSONS), full, token),
    ]);
    const probe = await cluster.photos('probe', [3]);
    const found = await run(home, ['--json', 'search', join(probe, 'probe 3.jpg'), '--company', COMPANY]);
    assert.equal(found.code, EXIT.ok, found.stderr);
    assert.match(found.stdout, /full 3/);
    const doctor = await run(home, ['doctor']);
    assert.match(doctor.stdout, /disk +(FAILED|WARNING)/, doctor.stderr);
    rmSync(filler);
    await until(async () => (await fetch(`${full.address}/health/ready`)).status === 200, 'a ready service');
    vision.kill('SIGKILL');
    for (const service of [first, full]) await service.kill();
    await cluster.requireOnce(PERSONS.flatMap((person) => [`first ${person}`, `full ${person}`]));
  });
  if (!done) t.skip('this account may not mount a file system');
});
