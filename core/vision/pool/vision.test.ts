import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { trusted, type CompanyId, type PipelineId } from '../../contracts/ids.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import { ProcessPool } from '../../workers/processPool.ts';
import { VISION_WORKER_FLAGS, WorkerPool } from './vision.ts';
import type { VisionResult } from '../../workers/workerProtocol.ts';

/**
 * A worker whose behaviour follows from the bytes of the "image": so the pool is tested against processes that really die,
 * hang, throw and take memory. It cannot write; the test leaves files in its folder (its first argument) for it.
 */
const HOSTILE_WORKER = `
import { existsSync } from 'node:fs';
import { join } from 'node:path';
const folder = process.argv[2];
process.on('disconnect', () => process.exit());
if (existsSync(join(folder, 'refuse-to-start'))) {
  process.send({ kind: 'unable', reason: 'the nets are gone' });
  process.disconnect();
} else process.send({ kind: 'ready' });
process.on('message', ({ job }) => {
  const order = Buffer.from(job.image).toString();
  const seen = existsSync(join(folder, 'died'));
  if (order.startsWith('die') || (order.startsWith('once') && !seen)) process.abort();
  else if (order.startsWith('fill')) {
    const held = [];
    setInterval(() => held.push(Buffer.alloc(32 * 2 ** 20, 1)), 1);
  } else if (order.startsWith('hang')) for (;;);
  else if (order.startsWith('throw')) process.send({ kind: 'failed', reason: 'the engine threw' });
  else setTimeout(
    () => process.send({ kind: 'done', result: { kind: 'refused', code: order.startsWith('damaged') ? 'CORRUPT_IMAGE' : 'NO_FACE', image: { width: process.pid, height: 1, format: 'png' } } }),
    order.startsWith('slow') ? 150 : 0,
  );
});
`;

const NO_MATTER = { name: 'light', id: 'light/1' as PipelineId, dimensions: 4 };

let program: string;
let programFolder: string;

before(async () => {
  programFolder = await mkdtemp(join(tmpdir(), 'vouch-pool-'));
  program = join(programFolder, 'hostileWorker.mjs');
  await writeFile(program, HOSTILE_WORKER);
});

after(() => rm(programFolder, { recursive: true }));

interface Tested {
  pool: WorkerPool;
  folder: string;
  deaths: string[];
  /** Submits an "image" that says what the worker shall do. */
  submit: (what: string, priority?: 'bulk' | 'interactive', company?: CompanyId) => Promise<VisionResult>;
  /** The answers of the workers, in order. */
  log: string[];
}

async function withPool(
  context: TestContext,
  workers: number,
  timeLimitMs = 60_000,
  idleMs = 60_000,
): Promise<Tested> {
  const folder = await mkdtemp(join(programFolder, 'run-'));
  const deaths: string[] = [];
  const pool = new WorkerPool({
    modelsFolder: folder,
    packsFolder: null,
    preload: [],
    workerPath: program,
    workers,
    timeLimitMs,
    idleMs,
    onWorkerDeath: (reason) => {
      deaths.push(reason);
      writeFileSync(join(folder, 'died'), '');
    },
  });
  await pool.start();
  context.after(() => pool.close());
  const log: string[] = [];
  return {
    pool,
    folder,
    deaths,
    submit: async (what, priority = 'bulk', company) => {
      const image = Buffer.from(what);
      const result = await pool.submit(
        { kind: 'search', image, pipeline: NO_MATTER },
        priority,
        company ?? null,
      );
      log.push(what);
      return result;
    },
    log,
  };
}

/** The hostile worker answers its process id as the width of the image. */
function widthSeen(result: VisionResult): number | undefined {
  return 'image' in result ? result.image.width : undefined;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function code(result: VisionResult): string {
  return result.kind === 'refused' ? result.code : result.kind;
}

test('an image that kills its worker twice ends as ENGINE_ERROR, alone', async (context) => {
  const { submit, deaths } = await withPool(context, 2);
  const order = ['ok1', 'die', 'ok2', 'ok3', 'ok4', 'ok5'];
  const results = await Promise.all(order.map((what) => submit(what)));
  assert.deepEqual(results.map(code), [
    'NO_FACE',
    'ENGINE_ERROR',
    'NO_FACE',
    'NO_FACE',
    'NO_FACE',
    'NO_FACE',
  ]);
  assert.equal(deaths.length, 2);
});

test('an image whose worker died by bad luck is tried once more, and succeeds', async (context) => {
  const { submit, deaths } = await withPool(context, 1);
  assert.equal(code(await submit('once')), 'NO_FACE');
  assert.equal(deaths.length, 1);
});

test('an image that exceeds its time twice ends as TIMEOUT, and the next is worked on', async (context) => {
  const { submit } = await withPool(context, 1, 500);
  const [hanging, next] = await Promise.all([submit('hang'), submit('ok')]);
  assert.equal(code(hanging), 'TIMEOUT');
  assert.equal(code(next), 'NO_FACE');
});

test('an image above the memory limit ends as IMAGE_TOO_LARGE after one attempt', async (context) => {
  const { submit, deaths } = await withPool(context, 1);
  assert.equal(code(await submit('fill')), 'IMAGE_TOO_LARGE');
  assert.equal(deaths.length, 1);
  assert.equal(code(await submit('ok')), 'NO_FACE');
});

test('an image that throws twice ends as ENGINE_ERROR, and the worker survives', async (context) => {
  const { submit, deaths } = await withPool(context, 1);
  assert.equal(code(await submit('throw')), 'ENGINE_ERROR');
  assert.equal(code(await submit('ok')), 'NO_FACE');
  assert.equal(deaths.length, 2);
  assert.ok(deaths.every((reason) => reason.includes('the engine threw')));
});

test('what a person waits for goes before everything that is queued as bulk', async (context) => {
  const { submit, log } = await withPool(context, 1);
  const bulk = ['slow1', 'bulk2', 'bulk3'].map((what) => submit(what, 'bulk'));
  await Promise.all([...bulk, submit('person1', 'interactive'), submit('person2', 'interactive')]);
  assert.deepEqual(log, ['slow1', 'person1', 'person2', 'bulk2', 'bulk3']);
});

test('a worker has one image at a time, and all workers have work', async (context) => {
  const { submit, pool } = await withPool(context, 3);
  assert.equal(pool.stats.alive, 1, 'the others start when there is work for them');
  const workers = new Set<number | undefined>();
  while (workers.size < 3)
    for (const result of await Promise.all(Array.from({ length: 6 }, (_, i) => submit(`slow${i}`))))
      workers.add(widthSeen(result));
  for (let i = 0; i < 6; i++) workers.add(widthSeen(await submit('quick')));
  assert.deepEqual([workers.size, pool.stats.alive, pool.stats.max], [3, 3, 3]);
});

test('a worker without work is ended, and the next image starts another', async (context) => {
  const { submit, pool, deaths } = await withPool(context, 2, 60_000, 100);
  const pid = widthSeen(await submit('quick')) ?? 0;
  while (isRunning(pid)) await sleep(20);
  assert.equal(pool.stats.alive, 0);
  const next = widthSeen(await submit('quick'));
  assert.notEqual(next, pid);
  // Ended in the middle of the wait for the next image, which is not lost.
  for (let i = 0; i < 5; i++) {
    await sleep(100);
    assert.ok(widthSeen(await submit('quick')));
  }
  assert.deepEqual([pool.stats.restarts, deaths], [0, []]);
});

test('closing rejects what waits and what is in progress, and leaves no process behind', async (context) => {
  const { submit, pool } = await withPool(context, 1);
  const probe = await submit('ok');
  const pid = widthSeen(probe) ?? 0;
  const unfinished = [submit('hang'), submit('waiting')];
  const rejections = unfinished.map((promise) => assert.rejects(promise, UnavailableError));
  await pool.close();
  await Promise.all(rejections);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  await assert.rejects(submit('late'), UnavailableError);
});

test(
  'a job that other programs keep waiting is not given up for it',
  { skip: process.platform !== 'linux' && 'only Linux reports how long a process has worked' },
  async (t) => {
    const { submit, deaths } = await withPool(t, 1, 1000);
    const pid = widthSeen(await submit('quick')) ?? 0;
    const slow = submit('slow');
    process.kill(pid, 'SIGSTOP');
    // Longer than the limit, in which it does nothing.
    await sleep(1200);
    process.kill(pid, 'SIGCONT');
    assert.equal(widthSeen(await slow), pid);
    assert.deepEqual(deaths, []);
  },
);

test('a pool whose workers cannot start says why instead of waiting forever', async () => {
  const folder = await mkdtemp(join(programFolder, 'run-'));
  await writeFile(join(folder, 'refuse-to-start'), '');
  const deaths: string[] = [];
  const pool = new WorkerPool({
    modelsFolder: folder,
    packsFolder: null,
    preload: [],
    workerPath: program,
    workers: 2,
    timeLimitMs: 1000,
    onWorkerDeath: (reason) => deaths.push(reason),
  });
  await assert.rejects(pool.start(), /the nets are gone/);
  assert.ok(deaths.length >= 3);
});

test('a worker program that does not exist is reported, not retried forever', async () => {
  const pool = new WorkerPool({
    modelsFolder: programFolder,
    packsFolder: null,
    preload: [],
    workerPath: join(programFolder, 'absent.mjs'),
    workers: 1,
    timeLimitMs: 1000,
    onWorkerDeath: () => undefined,
  });
  await assert.rejects(pool.start(), /absent\.mjs/);
});

test('a worker runs with the flags that its pool names, and with none of the parent', async () => {
  const echo = join(programFolder, 'echo.mjs');
  await writeFile(
    echo,
    `process.on('message', () => process.send({ kind: 'done', result: process.execArgv }));
    process.on('disconnect', () => process.exit());
    process.send({ kind: 'ready' });`,
  );
  const pool = new ProcessPool<null, readonly string[]>({
    name: 'echo',
    workerPath: echo,
    workerArguments: [],
    workerFlags: ['--single-threaded-gc'],
    reads: [],
    memoryLimit: () => 2 ** 30,
    workers: 1,
    timeLimitMs: 60_000,
    onWorkerDeath: () => undefined,
    check: (answer) => z.array(z.string()).parse(answer),
    giveUp: () => [],
  });
  await pool.start();
  const flags = await pool.submit(null, 'bulk', null);
  await pool.close();
  assert.equal(flags.at(-1), '--single-threaded-gc');
  assert.ok(
    flags.every((flag) => /^--(permission|allow|disable|single)/.test(flag)),
    flags.join(' '),
  );
});

test('a worker collects its heap after a hundred jobs', async (context) => {
  const log = join(programFolder, 'collections.txt');
  const worker = fork(join(import.meta.dirname, 'worker.ts'), [join(programFolder, 'no-models'), ''], {
    execArgv: [...VISION_WORKER_FLAGS, '--trace-gc'],
    serialization: 'advanced',
    // V8 writes each line before the worker goes on.
    stdio: ['ignore', openSync(log, 'w'), 'inherit', 'ipc'],
  });
  context.after(() => worker.kill('SIGKILL'));
  const forced = () => readFileSync(log, 'utf8').match(/Mark-Compact.*testing/g)?.length ?? 0;
  const jobs = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      worker.send({ job: { kind: 'try', pipeline: { id: 'absent', name: 'absent', dimensions: 128 } } });
      await once(worker, 'message');
    }
  };
  await once(worker, 'message');
  await jobs(99);
  assert.equal(forced(), 0);
  // It collects after an answer, and before the next one.
  await jobs(2);
  assert.equal(forced(), 1);
});

test('a worker serves one company until it ends', async (context) => {
  const { pool, submit, deaths } = await withPool(context, 2);
  const companies = [1, 2, 3].map((id) => trusted.company(id));
  const seen = new Map<number, Set<CompanyId>>();
  const asked = Array.from({ length: 90 }, async (_, index) => {
    const company = companies[index % 3]!;
    const worker = widthSeen(await submit('ok', index % 5 === 0 ? 'interactive' : 'bulk', company))!;
    seen.set(worker, (seen.get(worker) ?? new Set()).add(company));
  });
  await Promise.all(asked);
  for (const served of seen.values()) assert.equal(served.size, 1);
  assert.ok(seen.size < 30, `workers are not replaced for each job: ${seen.size}`);
  assert.ok(pool.stats.alive <= 2);
  assert.deepEqual(deaths, []);
});

test('a company whose worker is busy with many jobs leaves its turn to another', async (context) => {
  const { submit, log } = await withPool(context, 1);
  const [one, other] = [trusted.company(1), trusted.company(2)];
  const jobs = Array.from({ length: 101 }, (_, index) =>
    index === 1 ? submit('other', 'bulk', other) : submit(`one ${index}`, 'bulk', one),
  );
  await Promise.all(jobs);
  assert.ok(log.indexOf('other') < 60, `the other company waited for ${log.indexOf('other')} jobs`);
});

test('a worker that refused a damaged image is replaced', async (context) => {
  const { submit, deaths } = await withPool(context, 1);
  const first = widthSeen(await submit('ok'));
  assert.equal(widthSeen(await submit('damaged')), first);
  assert.notEqual(widthSeen(await submit('ok')), first);
  assert.deepEqual(deaths, [], 'it is no fault of the worker');
});
