/** Part of `npm run bench -- gallery`: how large galleries grow, and what a second core gives. */
import { freemem } from 'node:os';
import { table } from '../report.ts';
import { memoryStream } from './peers.ts';
import { filled, nearestIds } from './subject.ts';
import { spread } from './templates.ts';
import { median } from '../statistics.ts';

const DIMENSIONS = 128;
const PROBES = 16;
const ROUNDS = 15;
const largest = Math.max(...(process.argv[2] ?? '1000').split(',').map(Number));
/** 4 million take 8 GB, the rows that the gallery is filled from among them. */
if (largest >= 4_000_000 && freemem() < 10 * 2 ** 30)
  throw new Error('4,000,000 rows need 10 GiB of free memory; name smaller sizes.');
const sizes = [1_000, 10_000, 100_000, 1_000_000, 4_000_000].filter((size) => size <= largest);
if (sizes.length === 0) sizes.push(largest);

const lines: (string | number)[][] = [];
for (const size of sizes) {
  const rows = spread(size, DIMENSIONS, [], 1);
  const probes = spread(PROBES, DIMENSIONS, [], 2);
  const line: (string | number)[] = [size.toLocaleString('en')];
  for (const threads of [0, 1, 2]) {
    const gallery = await filled(rows, DIMENSIONS, { threads });
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const at = (round % PROBES) * DIMENSIONS;
      const start = performance.now();
      await nearestIds(gallery, probes.subarray(at, at + DIMENSIONS));
      if (round > 0) times.push(performance.now() - start);
    }
    line.push(Math.min(...times).toFixed(1), median(times).toFixed(1));
    await gallery.close();
  }
  const stream = memoryStream(size * (DIMENSIONS + 8));
  const streams = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    stream();
    return performance.now() - start;
  });
  lines.push([...line, Math.min(...streams).toFixed(1)]);
}

console.log(`### Growth and threads

Nearest 10, templates of random direction, elapsed milliseconds: the least of ${ROUNDS} searches, and their median (which shows the other work of the machine).

${table(
  [
    'N',
    'no thread, least',
    'median',
    '1 thread, least',
    'median',
    '2 threads, least',
    'median',
    'stream of codes, least',
  ],
  lines,
)}
`);
