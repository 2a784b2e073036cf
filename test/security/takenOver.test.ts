/** A worker process that an attacker has taken over reaches nothing: not the home, the key, the network or the service. */
import assert from 'node:assert/strict';
import { spawnSync, type StdioOptions } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { confinedStart, confinementHere } from '../../core/workers/confinement/confinement.ts';
import { residentMemory } from '../../core/workers/processUse.ts';
import { ProcessPool } from '../../core/workers/processPool.ts';
import { WorkerProcess } from '../../core/workers/workerProcess.ts';
import { temporaryFolder } from '../support/site.ts';

const SUPPORT = join(import.meta.dirname, '..', 'support');
const PROGRAM = join(SUPPORT, 'takenOver.mjs');
const confinement = confinementHere();

interface Job {
  home: string;
  database: string;
  key: string;
  socket: string;
  port: number;
  core: number;
  writable: string;
}
const outcomeSchema = z.object({
  tried: z.array(z.string()),
  worked: z.array(z.string()),
  environment: z.array(z.string()),
});
type Outcome = z.infer<typeof outcomeSchema>;

/** Things of a core that an attacker would want, all of them within reach of this process. */
async function within(t: TestContext): Promise<Job> {
  const home = temporaryFolder(t);
  const [database, key, socket] = ['vouch.db', 'store.key', 'vouch.sock'].map((name) => join(home, name));
  writeFileSync(database!, 'faces');
  writeFileSync(key!, 'ab'.repeat(32), { mode: 0o600 });
  const owner = createServer().listen(socket);
  const web = createServer().listen(0, '127.0.0.1');
  t.after(() => {
    owner.close();
    web.close();
  });
  await Promise.all(
    [owner, web].map((server) => new Promise((resolve) => server.once('listening', resolve))),
  );
  const { port } = web.address() as AddressInfo;
  return {
    home,
    database: database!,
    key: key!,
    socket: socket!,
    port,
    core: process.pid,
    writable: join(home, 'planted'),
  };
}

const skipWithout =
  confinement === 'kernel' ? false : `this machine confines workers by "${confinement}" alone`;
/** Operations that Node's permission model of this version allows: the network and signals. */
const OPEN_TO_THE_RUNTIME = [
  "enter the owner's socket",
  'connect over TCP',
  'listen over TCP',
  'signal the service',
];

test('a worker that its pool started reaches nothing with all that Node offers', async (t) => {
  const job = await within(t);
  const pool = new ProcessPool<Job, Outcome>({
    name: 'test',
    workerPath: PROGRAM,
    workerArguments: [],
    reads: [],
    memoryLimit: () => 2 ** 29,
    workers: 1,
    timeLimitMs: 60_000,
    onWorkerDeath: () => undefined,
    check: (result) => outcomeSchema.parse(result),
    giveUp: (code) => ({ tried: [], worked: [code], environment: [] }),
  });
  await pool.start();
  t.after(() => pool.close());
  const { tried, worked, environment } = await pool.submit(job, 'bulk', null);
  assert.equal(pool.stats.confinement, confinement, 'the pool gave nothing up to start its workers');
  assert.ok(tried.length > 10);
  const unguarded = confinement === 'runtime' ? OPEN_TO_THE_RUNTIME : [];
  if (unguarded.length > 0) t.diagnostic(`not asserted here: ${unguarded.join(', ')}`);
  assert.deepEqual(
    worked.filter((name) => !unguarded.includes(name)),
    [],
  );
  assert.ok(!existsSync(job.writable));
  assert.equal(statSync(job.key).mode & 0o777, 0o600);
  const foreign = environment.filter((name) =>
    /^(VOUCH_(?!WORKER_MEMORY)|NODE_OPTIONS|LD_PRELOAD|HOME)/.test(name),
  );
  assert.deepEqual(foreign, []);
});

test(
  'the kernel alone stops what Node would refuse, should an attacker be past Node',
  { skip: skipWithout },
  async (t) => {
    const job = await within(t);
    const program = { workerPath: PROGRAM, workerArguments: [], flags: [], reads: [], memory: 2 ** 29 };
    const started = confinedStart(program, confinement);
    const past = started.execArgv.filter((flag) => !/^--(permission|allow-)/.test(flag));
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const worker = new WorkerProcess<Job>(
        program,
        { ...started, execArgv: past },
        {
          ready: () => worker.send(job),
          answered: (message) => {
            if (message.kind === 'done') resolve(outcomeSchema.parse(message.result));
            void worker.end();
          },
          ended: (reason) => reject(new Error(reason)),
        },
      );
    });
    assert.deepEqual(outcome.worked, []);
    assert.ok(!existsSync(job.writable));
  },
);

test('native code has no system call that leads out of a worker', { skip: skipWithout }, async (t) => {
  const job = await within(t);
  const script = join(SUPPORT, 'rawSystemCalls.pl');
  const program = { workerPath: script, flags: [], reads: ['/usr/share/perl'], memory: 2 ** 29 };
  const { execPath, execArgv } = confinedStart(program, confinement);
  const writable = join(job.home, 'folder');
  mkdirSync(writable);
  const attempts = [script, String(process.pid), job.key, writable];
  // A file that the program which started the service had left open, as descriptors 3 to 9.
  const inherited = openSync(job.key, 'r');
  t.after(() => closeSync(inherited));
  const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...Array.from({ length: 7 }, () => inherited)];
  const free = spawnSync(execPath, [script, '0', '/nowhere', '/nowhere'], { encoding: 'utf8', stdio });
  for (const call of ['socket AF_INET', 'F_SETOWN', 'FIOSETOWN', 'an inherited file'])
    assert.ok(free.stdout.includes(`${call}\n`), `the program itself can: ${call}`);
  const policy = execArgv.slice(0, execArgv.indexOf('--'));
  const { stdout, stderr } = spawnSync(
    execPath,
    [...policy, '--run', execPath, '--', execPath, ...attempts],
    { encoding: 'utf8', stdio },
  );
  assert.equal(stdout, 'tried\n', stderr);
});

test('the end of the service ends a worker that ignores its pipe', { skip: skipWithout }, async (t) => {
  const worker = join(temporaryFolder(t), 'worker.mjs');
  writeFileSync(worker, `setInterval(() => {}, 1000); process.on('disconnect', () => {}); process.send({});`);
  const { stdout, stderr } = spawnSync(process.execPath, [join(SUPPORT, 'parentThatDies.ts'), worker], {
    encoding: 'utf8',
  });
  const pid = Number(stdout);
  assert.ok(pid > 0, stderr);
  // The signal comes with the parent's end; a process that has ended but was not reaped is a zombie, and has no memory.
  const lives = () => residentMemory(pid) !== undefined;
  for (let tries = 0; tries < 200 && lives(); tries++) await sleep(25);
  assert.ok(!lives());
});
