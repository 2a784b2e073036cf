/** Measures the cost of confining a worker by the kernel: the same photos through a confined worker and an unconfined one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { qualityThresholds } from '../core/contracts/settings.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import { confinedStart, confinementHere, type Start } from '../core/workers/confinement/confinement.ts';
import { WorkerProcess } from '../core/workers/workerProcess.ts';
import type { VisionJob } from '../core/workers/workerProtocol.ts';
import { lfwPhotos } from './data.ts';
import { median } from './statistics.ts';
import { publish, table } from './report.ts';

const ROUNDS = Number(process.argv[2] ?? 16);
/** Photos of one round. */
const PHOTOS = 100;
const MEMORY = 700 * 2 ** 20;
const MODELS = join(import.meta.dirname, '../models');

const images = lfwPhotos(PHOTOS).map(({ path }) => new Uint8Array(readFileSync(path)));
const gate = qualityThresholds.parse({});
const vision = await createVision({ modelsFolder: MODELS, workers: 1 });
const { id, name, dimensions } = vision.standard;
await vision.close();

const program = {
  workerPath: join(import.meta.dirname, '../core/vision/pool/worker.ts'),
  workerArguments: [MODELS, '', name],
  flags: [],
  reads: [MODELS],
  memory: MEMORY,
};
const unconfined: Start = { execPath: process.execPath, execArgv: [] };

/** A worker that analyses one photo at a time. */
function begin(
  start: Start,
): Promise<{ analyse(image: Uint8Array): Promise<void>; end(): Promise<void>; worked(): number }> {
  return new Promise((resolve, reject) => {
    let answered: (() => void) | undefined;
    const worker = new WorkerProcess<VisionJob>(program, start, {
      ready: () =>
        resolve({
          analyse: (image) =>
            new Promise((done) => {
              answered = done;
              worker.send({
                pipeline: { id, name, dimensions },
                kind: 'enrol',
                image,
                gate,
                severalFaces: 'refuse',
                samePerson: 0,
              });
            }),
          end: () => worker.end(),
          worked: () => worker.worked ?? Number.NaN,
        }),
      answered: () => answered?.(),
      ended: (reason) => reject(new Error(reason)),
    });
  });
}

const workers = {
  confined: await begin(confinedStart(program, confinementHere())),
  unconfined: await begin(unconfined),
};
const times = { confined: [] as number[], unconfined: [] as number[] };
for (let round = -1; round < ROUNDS; round++)
  for (const kind of round % 2 === 0
    ? (['confined', 'unconfined'] as const)
    : (['unconfined', 'confined'] as const)) {
    const start = workers[kind].worked();
    for (const image of images) await workers[kind].analyse(image);
    if (round >= 0) times[kind].push((workers[kind].worked() - start) / images.length);
  }
await Promise.all(Object.values(workers).map((worker) => worker.end()));

const ratios = times.confined.map((time, round) => time / times.unconfined[round]!).sort((a, b) => a - b);
publish({
  name: 'confinement',
  title: 'What the confinement of a worker costs',
  args: process.argv.slice(2),
  body: `
${PHOTOS} photos of LFW through two running workers in turns, ${ROUNDS} rounds: one confined as in the service ("${confinementHere()}"), one a
plain Node process. Processor time of the worker for each photo, and the ratio of each pair of rounds.

${table(
  ['worker', 'median, ms', 'ratio: median', 'lower quarter', 'upper quarter'],
  [
    ['unconfined', median(times.unconfined).toFixed(2), '1', '', ''],
    [
      'confined',
      median(times.confined).toFixed(2),
      median(ratios).toFixed(3),
      ratios[Math.floor(ratios.length / 4)]!.toFixed(3),
      ratios[Math.floor((3 * ratios.length) / 4)]!.toFixed(3),
    ],
  ],
)}`,
});
