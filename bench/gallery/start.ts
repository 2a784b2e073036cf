/** Part of `npm run bench -- gallery`: starting from snapshots against reading every row. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryGallery } from '../../core/gallery/gallery.ts';
import { fillCompany, keepSnapshots } from '../../core/gallery/start.ts';
import type { Database } from '../../core/storage/engine/database.ts';
import { openDatabase } from '../../core/storage/engine/sqliteFile.ts';
import { table } from '../report.ts';
import { fillDatabase, storesOf } from './store.ts';
import { COMPANY, nearestIds, PIPELINE } from './subject.ts';
import { spread } from './templates.ts';

const DIMENSIONS = 128;
/** Filling a database with more takes minutes; both ways of starting grow in proportion. */
const size = Math.min(Math.max(...(process.argv[2] ?? '1000').split(',').map(Number)), 1_000_000);
const rows = spread(size, DIMENSIONS, [], 1);
const folder = mkdtempSync(join(tmpdir(), 'gallery-bench-'));
try {
  await measure();
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const file = join(folder, 'vouch.db');
  const key = randomBytes(32);
  let db = await openDatabase(file, key);
  await fillDatabase(db, rows, DIMENSIONS);
  const withoutSnapshots = await timedStart(db);
  const bytes = statSync(file).size;
  const begun = performance.now();
  const stores = storesOf(db);
  const kept = await keepSnapshots(withoutSnapshots.gallery, stores, COMPANY, PIPELINE);
  const keeping = performance.now() - begun;
  const expected = await nearestIds(withoutSnapshots.gallery, rows.subarray(0, DIMENSIONS));
  await withoutSnapshots.gallery.close();
  await db.destroy();
  const times = [];
  for (let i = 0; i < 3; i++) {
    db = await openDatabase(file, key);
    const start = await timedStart(db);
    const found = await nearestIds(start.gallery, rows.subarray(0, DIMENSIONS));
    if (String(found) !== String(expected)) throw new Error('The start from snapshots answers otherwise.');
    if (kept === 0 || start.restored === 0) throw new Error('The snapshots were not used.');
    times.push(start.ms);
    await start.gallery.close();
    await db.destroy();
  }
  const best = Math.min(...times);
  console.log(`### Start with ${size.toLocaleString('en')} faces

Encrypted database of ${Math.round(bytes / 2 ** 20)} MiB; processor time in milliseconds from the open database to a gallery that answers.

${table(
  ['reading every row', `from ${kept} snapshots`, 'ratio', 'keeping the snapshots, in the background'],
  [
    [
      withoutSnapshots.ms.toFixed(0),
      best.toFixed(0),
      (best / withoutSnapshots.ms).toFixed(3),
      keeping.toFixed(0),
    ],
  ],
)}
`);
}

async function timedStart(db: Database) {
  const stores = storesOf(db);
  const gallery = new MemoryGallery({
    pipelineId: PIPELINE,
    threads: 0,
    vectors: (company, faces) => stores.faces.vectors(company, PIPELINE, faces),
  });
  const before = process.cpuUsage();
  const { restored } = await fillCompany(gallery, stores, COMPANY, PIPELINE);
  const { user, system } = process.cpuUsage(before);
  return { gallery, restored, ms: (user + system) / 1000 };
}
