/** Several services on one PostgreSQL database: start, and searches per second of one and of two. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../../core/storage/engine/postgres/open.ts';
import { fillDatabase } from '../gallery/store.ts';
import { spread } from '../gallery/templates.ts';
import { publish, table } from '../report.ts';

const DIMENSIONS = 128;
const SERVICES = 2;
/** Rounds alternate between the numbers of services, so that a busy moment of the machine meets all of them. */
const ROUNDS = 4;
const ROUND_MS = 5_000;
/** Callers of each service at the same time. */
const LINES = 8;
const size = Number(process.argv[2] ?? 100_000);

const server = process.env.VOUCH_TEST_POSTGRES;
if (server === undefined)
  throw new Error('Name an empty PostgreSQL server in VOUCH_TEST_POSTGRES, as postgres://user@host:port/');
const address = `${server}bench_${randomBytes(6).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'cluster-bench-'));
const nodes: ChildProcess[] = [];

/** Resolves with the next message of a service. */
async function nextOf<T>(node: ChildProcess): Promise<T> {
  const [message] = (await once(node, 'message')) as [T];
  return message;
}

async function start(own: number, key: Uint8Array): Promise<number> {
  const home = join(folder, `service-${own}`);
  mkdirSync(home);
  writeFileSync(join(home, 'store.key'), Buffer.from(key).toString('hex'), { mode: 0o600 });
  writeFileSync(join(home, 'database.url'), `${address}\n`);
  const node = fork(join(import.meta.dirname, 'node.ts'), [home, String(DIMENSIONS), String(own)]);
  nodes.push(node);
  return (await nextOf<{ startedMs: number }>(node)).startedMs;
}

/** @returns milliseconds of each search of the first `count` services */
async function round(count: number): Promise<number[]> {
  const answers = nodes.slice(0, count).map((node) => {
    node.send({ milliseconds: ROUND_MS, lines: LINES });
    return nextOf<{ times: number[] }>(node);
  });
  return (await Promise.all(answers)).flatMap(({ times }) => times);
}

try {
  const key = randomBytes(32);
  const db = await openPostgres(address, key);
  await fillDatabase(db, spread(size, DIMENSIONS, [], 1), DIMENSIONS);
  await db.destroy();
  const started: number[] = [];
  for (let own = 0; own < SERVICES; own++) started.push(await start(own, key));
  const counts = Array.from({ length: SERVICES }, (_, i) => i + 1);
  await round(SERVICES);
  const times = new Map(counts.map((count) => [count, [] as number[]]));
  for (let i = 0; i < ROUNDS; i++)
    for (const count of counts) times.get(count)?.push(...(await round(count)));
  const perSecond = (count: number) => (times.get(count)!.length / (ROUNDS * ROUND_MS)) * 1_000;
  publish({
    name: 'cluster',
    title: 'Several services on one PostgreSQL database',
    body: `${size.toLocaleString('en')} faces with ${DIMENSIONS} components; ${LINES} callers of each service, each with one search after the other.
All services and the server, which \`VOUCH_TEST_POSTGRES\` names, share the machine. A service starts with these faces in ${Math.round(Math.min(...started))} ms.

${table(
  ['services', 'searches per second', 'ratio', 'median ms', '99 % ms'],
  counts.map((count) => {
    const sorted = times.get(count)!.toSorted((a, b) => a - b);
    const quantile = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
    const ratio = (perSecond(count) / perSecond(1)).toFixed(2);
    return [String(count), Math.round(perSecond(count)), ratio, quantile(0.5), quantile(0.99)];
  }),
)}`,
    args: process.argv.slice(2),
  });
} finally {
  for (const node of nodes) node.kill();
  rmSync(folder, { recursive: true, force: true });
}
