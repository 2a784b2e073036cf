/** How long the first photo waits when no worker runs, as after five idle minutes, beside the photos after it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { qualityThresholds } from '../core/contracts/settings.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import { lfwPhotos } from './data.ts';
import { publish, table } from './report.ts';

const ROUNDS = Number(process.argv[2] ?? 20);
const photos = lfwPhotos(ROUNDS).map(({ path }) => readFileSync(path));
const gate = qualityThresholds.parse({});

/** Times of one kind of photo in milliseconds. */
const times = { first: [] as number[], next: [] as number[] };
for (const photo of photos) {
  const vision = await createVision({ modelsFolder: join(import.meta.dirname, '../models'), workers: 1 });
  for (const kind of ['first', 'next'] as const) {
    const start = performance.now();
    await vision.enrol(photo, { gate, priority: 'interactive' });
    times[kind].push(performance.now() - start);
  }
  await vision.close();
}

function row(name: string, values: readonly number[]): string[] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))]!).toString();
  return [name, at(0.5), at(0.9), at(1)];
}

publish({
  name: 'firstPhoto',
  title: 'The first photo after an idle time',
  args: process.argv.slice(2),
  body: `
${ROUNDS} photos of LFW, each analysed by a worker process that starts for it (confinement, networks and the analysis
included), and once more by the same process. A service without work has ended its workers, so its first photo waits that long.

${table(
  ['milliseconds', 'median', '90 %', 'longest'],
  [row('first photo', times.first), row('the same photo, worker running', times.next)],
)}`,
});
