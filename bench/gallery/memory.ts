/** Part of `npm run bench -- gallery`: memory that a gallery takes, against the bytes of its vectors. */
import { table } from '../report.ts';
import { COMPANY, nearestIds, PIPELINE } from './subject.ts';
import { MemoryGallery } from '../../core/gallery/gallery.ts';
import type { FaceId } from '../../core/contracts/ids.ts';
import { spread } from './templates.ts';

const DIMENSIONS = 128;
const PAGE = 1_000;
const largest = Math.max(...(process.argv[2] ?? '1000').split(',').map(Number));
const sizes = [100_000, 1_000_000].filter((size) => size <= largest);
if (sizes.length === 0) sizes.push(largest);

/** Faces arrive by pages, as from a database: nothing of them stays but what the gallery keeps. */
function grown(size: number, exactBudget: number): MemoryGallery {
  const vectors = () => Promise.resolve(new Map<FaceId, Float32Array>());
  const gallery = new MemoryGallery({
    pipelineId: PIPELINE,
    dimensions: DIMENSIONS,
    threads: 0,
    exactBudget,
    vectors,
  });
  for (let first = 0; first < size; first += PAGE) {
    const rows = spread(Math.min(PAGE, size - first), DIMENSIONS, [], first + 1);
    const entries = Array.from({ length: rows.length / DIMENSIONS }, (_, i) => ({
      faceId: (first + i + 1) as FaceId,
      watchlist: { kind: 'duplicate' } as const,
      template: { pipelineId: PIPELINE, vector: rows.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS) },
    }));
    gallery.append(COMPANY, entries);
  }
  return gallery;
}

/** Resident bytes: those of the heap that are free again, but not given back yet, do not count. */
function resident(): number {
  for (let i = 0; i < 3; i++) global.gc?.();
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return rss - heapTotal + heapUsed;
}

/** Code that is compiled on first use is no gallery's memory. */
const first = grown(10 * PAGE, Infinity);
await nearestIds(first, spread(1, DIMENSIONS, [], 5));
await first.close();

const lines: string[][] = [];
const galleries: MemoryGallery[] = [];
for (const size of sizes)
  for (const exactBudget of [Infinity, 0]) {
    const before = resident();
    const gallery = grown(size, exactBudget);
    const taken = resident() - before;
    const vectors = size * DIMENSIONS * 4;
    const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
    const where = exactBudget === 0 ? 'in the database' : 'in memory';
    lines.push([
      size.toLocaleString('en'),
      where,
      mebibytes(vectors),
      mebibytes(taken),
      (taken / vectors).toFixed(2),
    ]);
    // None is closed before the end: its memory would be given back in the middle of the next one's measurement.
    galleries.push(gallery);
  }
for (const gallery of galleries) await gallery.close();

console.log(`### Memory

Resident memory that a gallery of templates of 128 components adds, once it is filled. Where the exact vectors stay in the database (\`vouch gallery memory\`), a search reads the few that it needs from there.

${table(['N', 'exact vectors', 'bytes of the vectors, MiB', 'gallery, MiB', 'gallery / vectors'], lines)}
`);
