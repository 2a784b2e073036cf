/** Time of whole comparisons on one core: decode, clean, match. */
import { spawnSync } from 'node:child_process';
import sharp from 'sharp';
import { table } from '../report.ts';
import { Chance } from './random.ts';
import { developSignature, sign } from './hand.ts';
import { inventName } from './names.ts';
import { render } from './page.ts';
import { runSignatureJob } from '../../core/signatures/engine.ts';
import { runPartJob, runPrepareJob, runScoreJob } from '../../core/signatures/known/jobs.ts';
import { compareKnownSet } from '../../core/signatures/known/knownSet.ts';
import type { Crew } from '../../core/signatures/known/knownSet.ts';
import { preparingOnce } from '../../core/signatures/known/preparedOnce.ts';
import { SIGNATURE_WORKER_FLAGS } from '../../core/signatures/signatures.ts';

const REPEATS = 40;
const KNOWN_REPEATS = 8;
const ROUNDS = 3;

/** Does the jobs of workers in this process. */
const CREW: Crew = {
  size: 1,
  prepare: runPrepareJob,
  score: (job) => Promise.resolve(runScoreJob(job)),
  part: (job) => Promise.resolve(runPartJob(job)),
};

/** CPU time and not wall time: the machine is shared. */
async function cpuMilliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function timed(
  images: readonly Buffer[],
  repeats: number,
): Promise<{ median: number; slowest: number }> {
  const times: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const [image1, image2] = [images[i % images.length]!, images[(i + 1) % images.length]!];
    times.push(
      await cpuMilliseconds(() => runSignatureJob({ kind: 'pair', image1, image2, pictures: false })),
    );
  }
  const warm = times.slice(Math.floor(repeats / 4)).sort((a, b) => a - b);
  return { median: warm[warm.length >> 1]!, slowest: warm.at(-1)! };
}

/** One questioned signature with known ones of the same size, from files. */
async function timedKnown(
  images: readonly Buffer[],
  known: number,
): Promise<{ median: number; slowest: number }> {
  const times: number[] = [];
  for (let i = 0; i < KNOWN_REPEATS; i++) {
    const at = (offset: number) => images[(i + offset) % images.length]!;
    const set = { questioned: at(0), known: Array.from({ length: known }, (_, index) => at(index + 1)) };
    times.push(await cpuMilliseconds(() => compareKnownSet(CREW, set, { pictures: false })));
  }
  times.sort((a, b) => a - b);
  return { median: times[times.length >> 1]!, slowest: times.at(-1)! };
}

/** Every pair of the images, as a calibration compares them: the time with each image prepared once, as a share. */
async function sharePreparedOnce(images: readonly Buffer[]): Promise<number> {
  const shares: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const many = preparingOnce(CREW);
    let [each, once] = [0, 0];
    for (const [index, image1] of images.entries())
      for (const image2 of images.slice(0, index)) {
        each += await cpuMilliseconds(() =>
          runSignatureJob({ kind: 'pair', image1, image2, pictures: false }),
        );
        once += await cpuMilliseconds(() => many.compare(image1, image2));
      }
    shares.push(once / each);
  }
  return shares.sort((a, b) => a - b)[ROUNDS >> 1]!;
}

async function specimens(width: number, height: number, format: 'png' | 'jpeg'): Promise<Buffer[]> {
  const images: Buffer[] = [];
  for (let person = 0; person < 12; person++) {
    const chance = new Chance(900 + person);
    const { data, ...size } = render(
      sign(developSignature(inventName(chance), chance), chance),
      'scan',
      chance,
    );
    images.push(
      await sharp(data, { raw: { ...size, channels: 3 } })
        .resize(width, height, { fit: 'contain', background: '#eeeeee' })
        .toFormat(format)
        .toBuffer(),
    );
  }
  return images;
}

/** In a process with the flags of a signature worker, so that what is measured is what runs. */
export function speedReport(): string {
  const { stdout, status } = spawnSync(process.execPath, [...SIGNATURE_WORKER_FLAGS, import.meta.filename], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`the timed process ended with ${status ?? 'a signal'}`);
  return stdout.trim();
}

if (import.meta.main) {
  sharp.concurrency(1);
  const pictures = await specimens(600, 300, 'png');
  const scans = await timed(pictures, REPEATS);
  const five = await timedKnown(pictures, 5);
  const ten = await timedKnown(pictures, 10);
  const share = await sharePreparedOnce(pictures);
  const photos = await timed(await specimens(4000, 3000, 'jpeg'), REPEATS / 2);
  const row = (name: string, { median, slowest }: { median: number; slowest: number }) => [
    name,
    median.toFixed(0),
    slowest.toFixed(0),
  ];
  console.log(
    [
      'Milliseconds of processor time for a whole comparison (decode both, clean both, match), after warming up, with the flags of a worker.',
      table(
        ['images', 'median', 'slowest'],
        [
          row('two scans of 600 × 300, PNG', scans),
          row('two photos of 4000 × 3000, JPEG', photos),
          row('one beside five known scans (15 comparisons)', five),
          row('one beside ten known scans (55 comparisons)', ten),
        ],
      ),
      `All ${(pictures.length * (pictures.length - 1)) / 2} pairs of ${pictures.length} scans take ${share.toFixed(2)} of the time when each scan is prepared once, as a calibration does.`,
    ].join('\n\n'),
  );
}
