/** Part of `npm run bench -- gallery`: memory that a gallery takes, against the bytes of its vectors. */
import { table } from '../report.ts';
import { COMPANY, nearestIds, PIPELINE } from './subject.ts';
import { MemoryGallery } from '../../core/gallery/gallery.ts';
import type { FaceId } from '../../core/contracts/ids.ts';
import { randomFrom } from './templates.ts';

const DIMENSIONS = 128;
const PAGE = 1_000;
const largest = Math.max(...(process.argv[2] ?? '1000').split(',').map(Number));
const sizes = [100_000, 1_000_000, 4_000_000].filter((size) => size <= largest);
if (sizes.length === 0) sizes.push(largest);

/** One page of faces, written again and again: what a caller leaves behind is no gallery's memory. */
const page = new Float32Array(PAGE * DIMENSIONS);
const vectors = Array.from({ length: PAGE }, (_, i) => page.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS));
const random = randomFrom(1);

async function grown(size: number, exactBudget: number): Promise<MemoryGallery> {
  const gallery = new MemoryGallery({
    pipelineId: PIPELINE,
    dimensions: DIMENSIONS,
    threads: 0,
    exactBudget,
    vectors: () => Promise.resolve(new Map<FaceId, Float32Array>()),
  });
  for (let first = 0; first < size; first += PAGE) {
    for (const vector of vectors) invent(vector);
    const entries = vectors.slice(0, size - first).map((vector, i) => ({
      faceId: (first + i + 1) as FaceId,
      watchlist: { kind: 'duplicate' } as const,
      template: { pipelineId: PIPELINE, vector },
    }));
    gallery.append(COMPANY, entries);
    await gallery.coded(COMPANY);
  }
  return gallery;
}

/** A template of random direction. */
function invent(vector: Float32Array): void {
  let squares = 0;
  for (let i = 0; i < DIMENSIONS; i++) {
    vector[i] = random() - 0.5;
    squares += vector[i]! ** 2;
  }
  for (let i = 0; i < DIMENSIONS; i++) vector[i]! /= Math.sqrt(squares);
}

/** Resident bytes: those of the heap that are free again, but not given back yet, do not count. */
function resident(): number {
  for (let i = 0; i < 3; i++) global.gc?.();
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return rss - heapTotal + heapUsed;
}

/** Code that is compiled on first use, and room in the heap for a scale's samples, are no gallery's memory: some are filled before. */
const galleries: MemoryGallery[] = [];
for (let i = 0; i < 5; i++) {
  const warm = await grown(20 * PAGE, Infinity);
  await nearestIds(warm, vectors[0]!);
  galleries.push(warm);
}

/**
 * Smaller galleries are filled several times and the mean is taken: what the heap has or has not given back to the system
 * makes some MiB of difference, more than a tenth of a small gallery.
 */
const LEAST_ROWS = 2_000_000;

// None is closed before the end: its memory would be given back in the middle of the next one's measurement.
const lines: string[][] = [];
for (const size of sizes)
  for (const exactBudget of [Infinity, 0]) {
    const copies = Math.max(1, Math.floor(LEAST_ROWS / size));
    const before = resident();
    for (let i = 0; i < copies; i++) galleries.push(await grown(size, exactBudget));
    const taken = (resident() - before) / copies;
    const bytes = size * DIMENSIONS * 4;
    const mebibytes = (count: number) => (count / 2 ** 20).toFixed(1);
    const where = exactBudget === 0 ? 'in the database' : 'in memory';
    lines.push([
      size.toLocaleString('en'),
      where,
      mebibytes(bytes),
      mebibytes(taken),
      (taken / bytes).toFixed(3),
    ]);
  }
for (const gallery of galleries) await gallery.close();

console.log(`### Memory

Resident memory that a gallery of templates of 128 components adds, once it is filled. Where the exact vectors stay in the database (\`vouch settings set galleryMemoryMiB\`), a search reads the few that it needs from there.

${table(['N', 'exact vectors', 'bytes of the vectors, MiB', 'gallery, MiB', 'gallery / vectors'], lines)}
`);
