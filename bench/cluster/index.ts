/** Several services on one PostgreSQL database: start, searches and photos per second, and what they say about growth. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../../core/storage/engine/postgres/open.ts';
import { KeyFile } from '../../core/storage/erasure/keyFile.ts';
import { ImagePlaces } from '../../core/storage/images/places/imagePlaces.ts';
import { fillDatabase } from '../gallery/store.ts';
import { spread } from '../gallery/templates.ts';
import { startThrowawayServer } from '../../test/support/throwawayServer.ts';
import { publish, table } from '../report.ts';
import { growth } from './growth.ts';
import { measurePhotos, PHOTOS_PER_ROUND, VISION_COUNTS } from './photos.ts';

const DIMENSIONS = 128;
const SERVICES = 2;
/** Rounds alternate between the numbers of services, so that a busy moment of the machine meets all of them. */
const ROUNDS = 4;
const ROUND_MS = 5_000;
/** Callers of each service at the same time. */
const LINES = 8;
const size = Number(process.argv[2] ?? 100_000);

const server = await startThrowawayServer([]);
const address = `${server.address}search`;
const folder = mkdtempSync(join(tmpdir(), 'cluster-bench-'));
const images = join(folder, 'images');
const nodes: ChildProcess[] = [];

/** Resolves with the next message of a service. */
async function nextOf<T>(node: ChildProcess): Promise<T> {
  const [message] = (await once(node, 'message')) as [T];
  return message;
}

interface Started {
  startedMs: number;
  /** Faces that came from snapshots. */
  restored: number;
}

async function start(own: number, key: Uint8Array): Promise<Started> {
  const home = join(folder, `service-${own}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'store.key'), Buffer.from(key).toString('hex'), { mode: 0o600 });
  writeFileSync(join(home, 'database.url'), `${address}\n`);
  writeFileSync(join(home, 'images.url'), images);
  const node = fork(join(import.meta.dirname, 'node.ts'), [home, String(DIMENSIONS), String(own)]);
  nodes.push(node);
  return nextOf<Started>(node);
}

/** Ends the services as a crash does. */
async function kill(): Promise<void> {
  for (const node of nodes.splice(0)) {
    node.kill('SIGKILL');
    await once(node, 'close');
  }
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
  await KeyFile.open(db, new ImagePlaces(db, images));
  await fillDatabase(db, spread(size, DIMENSIONS, [], 1), DIMENSIONS);
  await db.destroy();
  const started: number[] = [];
  for (let own = 0; own < SERVICES; own++) started.push((await start(own, key)).startedMs);
  const counts = Array.from({ length: SERVICES }, (_, i) => i + 1);
  await round(SERVICES);
  const times = new Map(counts.map((count) => [count, [] as number[]]));
  for (let i = 0; i < ROUNDS; i++)
    for (const count of counts) times.get(count)?.push(...(await round(count)));
  const perSecond = (count: number) => (times.get(count)!.length / (ROUNDS * ROUND_MS)) * 1_000;
  await kill();
  const startedMs = Math.min(...started);
  const again: Started[] = [];
  for (let own = 0; own < SERVICES; own++) again.push(await start(own, key));
  await kill();
  const restored = Math.min(...again.map((each) => each.restored));
  if (restored < 0.9 * size) throw new Error(`Only ${restored} faces came from snapshots.`);
  const restartedMs = Math.min(...again.map((each) => each.startedMs));
  const photos = await measurePhotos(folder, `${server.address}photos`);
  const one = photos.perSecond.get(1) ?? Number.NaN;
  publish({
    name: 'cluster',
    title: 'Several services on one PostgreSQL database',
    body: `${size.toLocaleString('en')} faces with ${DIMENSIONS} components; ${LINES} callers of each service, each with one search after the other.
All services and the server share the machine. A service reads these faces from the database in ${Math.round(startedMs)} ms. With its snapshots of ${restored.toLocaleString('en')} of them it starts in ${Math.round(restartedMs)} ms (ratio ${(restartedMs / startedMs).toFixed(2)}); the exact vectors follow in the background.

${table(
  ['services', 'searches per second', 'ratio', 'median ms', '99 % ms'],
  counts.map((count) => {
    const sorted = times.get(count)!.toSorted((a, b) => a - b);
    const quantile = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
    const ratio = (perSecond(count) / perSecond(1)).toFixed(2);
    return [String(count), Math.round(perSecond(count)), ratio, quantile(0.5), quantile(0.99)];
  }),
)}

One service of the role \`api\` receives ${PHOTOS_PER_ROUND} photos of LFW from \`vouch enroll\` in each round; services of the role \`vision\`, each with one worker, enrol them. Medians of the rounds in turn.

${table(
  ['vision services', 'photos per second', 'ratio'],
  VISION_COUNTS.map((count) => {
    const rate = photos.perSecond.get(count) ?? Number.NaN;
    return [String(count), rate.toFixed(1), (rate / one).toFixed(2)];
  }),
)}

One company writes ${Math.round(photos.ofOneCompany)} answered photos per second (16 in each transaction, one transaction after the other).

${growth({ photosOfWorker: one, photosOfCompany: photos.ofOneCompany, startOfFaceMs: startedMs / size, restartOfFaceMs: restartedMs / size })}`,
    args: process.argv.slice(2),
  });
} finally {
  for (const node of nodes) node.kill();
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}
