/** Damaged and hostile images through the real worker processes: deaths, answers, peak memory, slowest file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMAGE_LIMITS } from '../core/contracts/limits/limits.ts';
import { qualityThresholds } from '../core/contracts/settings.ts';
import { createSignatures } from '../core/signatures/signatures.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import { randomFrom } from './gallery/templates.ts';
import { headerBombs, mutated, sampleImages } from '../test/support/hostileImages.ts';
import { processesFrom } from '../test/support/processList.ts';
import { signings, encoded } from '../test/signatures/specimens.ts';
import { dataPath, lfwPhotos } from './data.ts';
import { publish, table } from './report.ts';
import { trusted } from '../core/contracts/ids.ts';
import { sniffImageFormat } from '../core/domain/values/bytes.ts';

const COMPANY = trusted.company(1);

const COUNT = Number(process.argv[2] ?? 100_000);
const SEED = Number(process.argv[3] ?? 1);
const WORKERS = 2;
/** One mutation in so many is compared as a signature, one searched for; the others are enrolled. */
const [SIGNATURE_SHARE, SEARCH_SHARE] = [10, 10];
const MIB = 2 ** 20;

interface Counts {
  submitted: number;
  answered: number;
  rejected: number;
  outcomes: Map<string, number>;
  slowest: { name: string; milliseconds: number };
}

const random = randomFrom(SEED);
const deaths: string[] = [];
const onWorkerDeath = (reason: string) => deaths.push(reason);
const vision = await createVision({
  modelsFolder: join(import.meta.dirname, '../models'),
  workers: WORKERS,
  onWorkerDeath,
});
await vision.start();
const signatures = createSignatures({ onWorkerDeath });
await signatures.start();
const good = await encoded(signings(31, 1)[0]!);
const gate = qualityThresholds.parse({});
const peaks = { faces: 0, signatures: 0 };
const watch = setInterval(lookAtMemory, 500);

/** Highest memory of each worker so far, from Linux; elsewhere it stays 0. */
function lookAtMemory(): void {
  if (process.platform !== 'linux') return;
  for (const { pid, commandLine } of processesFrom(process.pid)) {
    const kind = commandLine.includes('signatures/worker') ? 'signatures' : 'faces';
    if (!commandLine.includes('worker.ts')) continue;
    try {
      const kibibytes = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
      peaks[kind] = Math.max(peaks[kind], Number(kibibytes ?? 0) * 1024);
    } catch {
      // It ended in the meantime, and is counted as a death.
    }
  }
}

async function outcomeOf(bytes: Buffer, how: 'enrol' | 'search' | 'signature'): Promise<string> {
  if (sniffImageFormat(bytes) === undefined) return 'refused before decoding: neither JPEG nor PNG';
  if (how === 'signature') {
    const answer = await signatures.compare(bytes, good, { pictures: true, company: COMPANY });
    if (answer.kind === 'refused') return `signature ${answer.faults.image1}`;
    return answer.kind === 'inconclusive'
      ? `signature ${answer.reasons.image1 ?? 'inconclusive'}`
      : 'signature compared';
  }
  const answer =
    how === 'search'
      ? await vision.search(bytes, { priority: 'interactive' })
      : await vision.enrol(bytes, { gate, priority: 'bulk' });
  return answer.kind === 'refused' ? answer.code : answer.kind;
}

/** As many at a time as there are workers, so that the time of an image is its own. */
async function send(
  images: Iterable<{ name: string; bytes: Buffer; how: 'enrol' | 'search' | 'signature' }>,
) {
  const counts: Counts = {
    submitted: 0,
    answered: 0,
    rejected: 0,
    outcomes: new Map(),
    slowest: { name: '', milliseconds: 0 },
  };
  const queue = images[Symbol.iterator]();
  const lane = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      const { name, bytes, how } = next.value;
      counts.submitted++;
      const begun = performance.now();
      try {
        const outcome = await outcomeOf(bytes, how);
        counts.answered++;
        counts.outcomes.set(outcome, (counts.outcomes.get(outcome) ?? 0) + 1);
      } catch (error) {
        counts.rejected++;
        console.error(`${name}: ${String(error)}`);
      }
      const milliseconds = performance.now() - begun;
      if (milliseconds > counts.slowest.milliseconds) counts.slowest = { name, milliseconds };
      if (counts.submitted % 5000 === 0)
        console.log(`${counts.submitted} of ${COUNT}, ${deaths.length} deaths`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, lane));
  return counts;
}

function* mutations(sources: readonly { name: string; bytes: Buffer }[]) {
  for (let index = 0; index < COUNT; index++) {
    const pick = () => sources[Math.floor(random() * sources.length)]!;
    const { name, bytes } = pick();
    const kind = index % (SIGNATURE_SHARE * SEARCH_SHARE);
    const how = kind % SIGNATURE_SHARE === 0 ? 'signature' : kind % SEARCH_SHARE === 1 ? 'search' : 'enrol';
    yield { name: `mutation ${index} of ${name}`, bytes: mutated(bytes, pick().bytes, random), how } as const;
  }
}

function row(what: string, { submitted, answered, rejected, slowest }: Counts): (string | number)[] {
  return [what, submitted, answered, rejected, `${(slowest.milliseconds / 1000).toFixed(1)} s`, slowest.name];
}

try {
  const folder = dataPath('faces', 'bad_inputs');
  const sources = [
    ...readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) })),
    ...lfwPhotos(200).map(({ path, name }) => ({ name, bytes: readFileSync(path) })),
    ...(await sampleImages(random)).map((bytes, index) => ({ name: `sample ${index}`, bytes })),
  ].filter(({ bytes }) => sniffImageFormat(bytes) !== undefined);
  const bombs = [...(await headerBombs({ large: true }))].flatMap(([name, bytes]) =>
    (['search', 'signature'] as const).map((how) => ({ name, bytes, how })),
  );
  const ofBombs = await send(bombs);
  lookAtMemory();
  const ofMutations = await send(mutations(sources));
  lookAtMemory();
  const outcomes = [...ofMutations.outcomes].toSorted(([, a], [, b]) => b - a);
  const mib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`;
  publish({
    name: 'hostileImages',
    title: 'Hostile images: mutations and header bombs',
    args: process.argv.slice(2),
    peers: ['sharp', 'onnxruntime-node'],
    body: [
      table(
        ['images', 'sent', 'answered', 'rejected', 'slowest', 'which'],
        [
          row('files that claim or cost much, searched and compared', ofBombs),
          row(`mutations, seed ${SEED}`, ofMutations),
        ],
      ),
      `Worker deaths: ${deaths.length}. Highest memory of a face worker: ${mib(peaks.faces)}, of the signature worker: ${mib(peaks.signatures)}; the limit is ${mib(IMAGE_LIMITS.workerBytes)}.`,
      table(['outcome of a mutation', 'number'], outcomes),
    ].join('\n\n'),
  });
  for (const death of new Set(deaths)) console.error(death);
  if (deaths.length > 0 || ofBombs.rejected + ofMutations.rejected > 0) process.exitCode = 1;
} finally {
  clearInterval(watch);
  await vision.close();
  await signatures.close();
}
