/** Part of `npm run bench -- gallery`: how long the gallery's own work delays a waiting caller. */
import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaceId } from '../../core/contracts/ids.ts';
import { MemoryGallery } from '../../core/gallery/gallery.ts';
import { fillCompany, keepSnapshots, loadVectors } from '../../core/gallery/start.ts';
import type { Kysely } from 'kysely';
import type { Schema } from '../../core/storage/engine/schema.ts';
import { openDatabase } from '../../core/storage/engine/sqliteFile.ts';
import { table } from '../report.ts';
import { fillDatabase, storesOf } from './store.ts';
import { COMPANY, nearestIds, PIPELINE } from './subject.ts';
import { spread } from './templates.ts';

const largest = Math.max(...(process.argv[2] ?? '1000').split(',').map(Number));
/** One full segment, and some rows of the next. */
const size = Math.min(largest, 100_000);

/** Processor time of this thread in milliseconds: work of others on the machine is not in it. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest that others had to wait for a turn while the work went on, in milliseconds of this thread's processor time. */
async function longestTurn(work: () => unknown): Promise<number> {
  let longest = 0;
  const ended = { work: false };
  let before = used();
  const note = () => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const turns = (async () => {
    while (!ended.work) {
      await new Promise(setImmediate);
      note();
    }
  })();
  await work();
  ended.work = true;
  await turns;
  // Work that went on by itself after the call.
  for (let i = 0, idle = 0; idle < 50 && i < 1e6; i++) {
    const start = used();
    await new Promise(setImmediate);
    note();
    idle = used() - start < 0.5 ? idle + 1 : 0;
  }
  return longest;
}

const WORKS = [
  'filling it from the store',
  'keeping snapshots',
  'filling it from snapshots',
  'bringing the exact vectors into memory',
  'enrolling a face',
  'removing every third face of all',
  'removing the company',
] as const;

async function measure(dimensions: number): Promise<Record<(typeof WORKS)[number], number>> {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-bench-'));
  const db = await openDatabase(join(folder, 'vouch.db'), randomBytes(32));
  try {
    return await measureOn(db, dimensions);
  } finally {
    await db.destroy();
    rmSync(folder, { recursive: true });
  }
}

async function measureOn(
  db: Kysely<Schema>,
  dimensions: number,
): Promise<Record<(typeof WORKS)[number], number>> {
  const rows = spread(size + 1, dimensions, [], 1);
  const stored = rows.subarray(0, size * dimensions);
  await fillDatabase(db, stored, dimensions);
  const stores = storesOf(db);
  const open = () =>
    new MemoryGallery({
      pipelineId: PIPELINE,
      dimensions,
      threads: 1,
      vectors: (company, faces) => stores.faces.vectors(company, PIPELINE, faces),
    });
  const first = open();
  const reading = await longestTurn(() => fillCompany(first, stores, COMPANY, PIPELINE));
  const keeping = await longestTurn(() => keepSnapshots(first, stores, COMPANY, PIPELINE));
  await first.close();
  const gallery = open();
  const restoring = await longestTurn(() => fillCompany(gallery, stores, COMPANY, PIPELINE));
  const loading = await longestTurn(() => loadVectors(gallery, stores, COMPANY, PIPELINE));
  await nearestIds(gallery, rows.subarray(0, dimensions));
  const enrolling = await longestTurn(() => {
    const faceId = (size + 1) as FaceId;
    const template = { pipelineId: PIPELINE, vector: rows.subarray(size * dimensions) };
    gallery.append(COMPANY, [{ faceId, watchlist: { kind: 'duplicate' }, template }]);
  });
  const third = Array.from({ length: Math.floor(size / 3) }, (_, i) => (3 * i + 1) as FaceId);
  const removing = await longestTurn(() => gallery.remove(COMPANY, third));
  const forgetting = await longestTurn(() => gallery.forget(COMPANY));
  await gallery.close();
  return Object.fromEntries(
    [reading, keeping, restoring, loading, enrolling, removing, forgetting].map((turn, i) => [
      WORKS[i],
      turn,
    ]),
  ) as Record<(typeof WORKS)[number], number>;
}

const light = await measure(64);
const full = await measure(128);
console.log(`### Time slices

The longest time slice, for which other requests to the service wait, while the gallery of ${size.toLocaleString('en')} faces does this: processor time in milliseconds.

${table(
  ['', '64 components', '128 components'],
  WORKS.map((work) => [work, light[work].toFixed(1), full[work].toFixed(1)]),
)}
`);
