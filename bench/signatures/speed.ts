/** Time of whole comparisons on one core: decode, clean, match. */
import { spawnSync } from 'node:child_process';
import sharp from 'sharp';
import { table } from '../report.ts';
import { Chance } from './random.ts';
import { developSignature, sign } from './hand.ts';
import { inventName } from './names.ts';
import { render } from './page.ts';
import { runSignatureJob } from '../../core/signatures/engine.ts';
import { SIGNATURE_WORKER_FLAGS } from '../../core/signatures/signatures.ts';

const REPEATS = 40;

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

async function specimens(width: number, height: number, format: 'png' | 'jpeg'): Promise<Buffer[]> {
  const images: Buffer[] = [];
  for (let person = 0; person < 8; person++) {
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
  const scans = await timed(await specimens(600, 300, 'png'), REPEATS);
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
        ['two images', 'median', 'slowest'],
        [row('600 × 300 scans, PNG', scans), row('4000 × 3000 photos, JPEG', photos)],
      ),
    ].join('\n\n'),
  );
}
