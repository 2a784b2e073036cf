/** Processor time per photo: our two pipelines against a plain face-api script, and where our time goes. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { PipelineName } from '../../core/vision/builtInPipelines.ts';
import { createVision } from '../../core/vision/pool/vision.ts';
import { VISION_WORKER_FLAGS } from '../../core/vision/pool/vision.ts';
import { packagePath } from '../../models/reference/tfjs.ts';
import type { PeerAnswer } from '../enrol/peer.ts';
import { publish, table } from '../report.ts';
import { MODELS } from '../vision/faceFinder.ts';
import type { Part, Parts } from './parts.ts';
import { median } from '../statistics.ts';

const ROUNDS = Number(process.argv[2] ?? 15);
const SIZES = [
  { name: '1200 × 1600', width: 1200, height: 1600 },
  { name: '3024 × 4032 (12 MP)', width: 3024, height: 4032 },
];
/** Photos per round: the peer is so slow that one says enough; ours must bear their share of collected garbage. */
const PEERS_PHOTOS = 1;
const OUR_PHOTOS = 8;
/** Worker processes of the service, one for each of the two cores that the target is stated for. */
const WORKERS = 2;
/** Photos that wait at once, as in any bulk enrolment: the workers never do. */
const WAITING = 24;

/** A portrait out of face-api's demo photos, as a camera would have stored it. */
function portrait(width: number, height: number): Promise<Buffer> {
  return sharp(packagePath('@vladmandic/face-api', '..', 'demo', 'sample6.jpg'))
    .extract({ left: 1330, top: 130, width: 450, height: 600 })
    .resize(width, height)
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** A program that takes files and answers what they cost, or consist of. */
class Subject {
  readonly #child: ChildProcess;
  /** Rejects when the process has ended. */
  readonly #ended: Promise<never>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the measured process ended with code ${code as number}`);
    });
    // Ended by this bench: no request follows.
    this.#ended.catch(() => undefined);
  }

  /** @param flags of Node; ours run with those of the service's workers, the peer with none. */
  static async start(program: string, args: readonly string[], flags: readonly string[]): Promise<Subject> {
    const child = fork(join(import.meta.dirname, program), args, { execArgv: [...flags] });
    const subject = new Subject(child);
    await subject.#next();
    return subject;
  }

  async ask<Answer>(files: readonly string[]): Promise<Answer> {
    this.#child.send(files);
    return (await this.#next()) as Answer;
  }

  end(): void {
    this.#child.kill();
  }

  async #next(): Promise<unknown> {
    const [message] = (await Promise.race([once(this.#child, 'message'), this.#ended])) as [unknown];
    return message;
  }
}

interface Cost {
  cpu: number;
  wall: number;
}

/** Milliseconds per photo, median of the rounds; the subjects take turns, so that a busy moment meets them all. */
async function costs(
  subjects: readonly { subject: Subject; photos: number }[],
  file: string,
): Promise<Cost[]> {
  const found = subjects.map((): Cost[] => []);
  for (let round = -2; round < ROUNDS; round++) {
    for (const [i, { subject, photos }] of subjects.entries()) {
      const { cpuMs, wallMs, missed } = await subject.ask<PeerAnswer>(Array<string>(photos).fill(file));
      if (missed.length > 0) throw new Error('the one face was not found');
      if (round >= 0) found[i]!.push({ cpu: cpuMs / photos, wall: wallMs / photos });
    }
  }
  return found.map((rounds) => ({
    cpu: median(rounds.map(({ cpu }) => cpu)),
    wall: median(rounds.map(({ wall }) => wall)),
  }));
}

/** Time per photo when many photos wait: the service's own workers. */
async function wallOf(pipeline: PipelineName, photo: Buffer): Promise<number> {
  const vision = await createVision({ modelsFolder: MODELS, pipeline, workers: WORKERS });
  await vision.start();
  const all = () =>
    Promise.all(Array.from({ length: WAITING }, () => vision.enrol(photo, { priority: 'bulk' })));
  const times: number[] = [];
  try {
    for (let round = -1; round < ROUNDS; round++) {
      const before = performance.now();
      await all();
      if (round >= 0) times.push((performance.now() - before) / WAITING);
    }
    return median(times);
  } finally {
    await vision.close();
  }
}

const ms = (time: number) => time.toFixed(1);
const folder = await mkdtemp(join(tmpdir(), 'vouch-cost-'));
const running: Subject[] = [];
async function started(...args: Parameters<typeof Subject.start>): Promise<Subject> {
  const subject = await Subject.start(...args);
  running.push(subject);
  return subject;
}

try {
  const files: string[] = [];
  for (const { width, height } of SIZES) {
    files.push(join(folder, `${width}.jpg`));
    await writeFile(files.at(-1)!, await portrait(width, height));
  }
  const partsSubject = await started('parts.ts', [String(ROUNDS)], VISION_WORKER_FLAGS);
  const { rate, nets, photos } = await partsSubject.ask<Parts>(files);
  partsSubject.end();
  const peer = { subject: await started('../enrol/peer.ts', [], []), photos: PEERS_PHOTOS };
  const full = { subject: await started('subject.ts', ['full'], VISION_WORKER_FLAGS), photos: OUR_PHOTOS };
  const light = { subject: await started('subject.ts', ['light'], VISION_WORKER_FLAGS), photos: OUR_PHOTOS };

  const netSum = nets.reduce((sum, { time }) => sum + time, 0);
  const totals: string[][] = [];
  const walls: string[][] = [];
  const shares: string[][] = [];
  const floors: Part[] = [...nets];
  const others: string[][] = [];
  for (const [i, { name }] of SIZES.entries()) {
    const [stock, fullCost, lightCost] = (await costs([peer, full, light], files[i]!)) as [Cost, Cost, Cost];
    const against = (time: number, whole: number) => `${ms(time)} (1/${(whole / time).toFixed(1)})`;
    totals.push([name, ms(stock.cpu), against(fullCost.cpu, stock.cpu), against(lightCost.cpu, stock.cpu)]);
    const photo = await readFile(files[i]!);
    const [fullWall, lightWall] = [await wallOf('full', photo), await wallOf('light', photo)];
    walls.push([name, ms(stock.wall), against(fullWall, stock.wall), against(lightWall, stock.wall)]);
    const { decode, others: rest } = photos[i]!;
    floors.push({ ...decode, name: `decode, ${name}` });
    shares.push([
      name,
      ...[decode.time, ...nets.map(({ time }) => time), fullCost.cpu - decode.time - netSum].map(
        (time) => `${ms(time)} (${Math.round((100 * time) / fullCost.cpu)} %)`,
      ),
    ]);
    others.push([name, ...rest.map(({ time }) => ms(time))]);
  }
  publish({
    name: 'cost',
    title: 'Recognition: processor time per photo',
    body: [
      'One face per JPEG photo, from bytes to template; processor milliseconds of all threads, one inference thread each.',
      `Each in a process of its own, ours with the flags of the service's workers, ${OUR_PHOTOS} photos a round; median of ${ROUNDS}`,
      'rounds, in which the three take turns. The peer decodes with sharp and runs SSD, 68 landmarks and 128-D.',
      '',
      table(['photo', 'face-api + tfjs-wasm + sharp', 'full', 'light'], totals),
      '',
      `Wall milliseconds per photo when ${WAITING} wait: ours by ${WORKERS} worker processes, the peer in its one thread.`,
      '',
      table(['photo', 'face-api + tfjs-wasm + sharp', 'full', 'light'], walls),
      '',
      'Where the full pipeline spends its processor time.',
      '',
      table(['photo', 'decode', ...nets.map(({ name }) => name), 'rest'], shares),
      '',
      'How far each is from its floor, but for the 128-D net, which multiplies bytes. The floor of a net is its multiply-adds at the highest rate that this core showed in',
      `this run, ${(2 * rate).toFixed(0)} GFLOP/s: the fastest single run among convolutions of six shapes and the nets themselves, so`,
      'nothing lies below it. That of decoding is the fastest bare call of the decoder for the same pixels.',
      '',
      table(
        ['', 'ms', 'floor', 'times the floor'],
        floors.flatMap(({ name, time, floor }) =>
          floor === undefined ? [] : [[name, ms(time), ms(floor), (time / floor).toFixed(1)]],
        ),
      ),
      '',
      'Of the rest, run alone:',
      '',
      table(['photo', ...photos[0]!.others.map(({ name }) => name)], others),
    ].join('\n'),
    peers: ['@vladmandic/face-api', '@tensorflow/tfjs-backend-wasm', 'sharp', 'onnxruntime-node'],
    args: process.argv.slice(2),
  });
} finally {
  for (const subject of running) subject.end();
  await rm(folder, { recursive: true });
}
