/** Processor time per photo: our two pipelines against a plain face-api script, and where our time goes. */
import { join } from 'node:path';
import sharp from 'sharp';
import { openImage } from '../core/vision/decode.ts';
import { loadDescriber } from '../core/vision/descriptor.ts';
import { createEngine } from '../core/vision/engine.ts';
import { BLAZEFACE_SIZE, loadBlazeFace } from '../core/vision/nets/blazeface.ts';
import {
  FACERES_SIZE,
  loadFaceres,
  loadRecognition,
  RECOGNITION_SIZE,
} from '../core/vision/nets/descriptors.ts';
import { FACEMESH_SIZE, loadFaceMesh } from '../core/vision/nets/facemesh.ts';
import { loadFaceApi } from '../models/reference/face-api.ts';
import { packagePath } from '../models/reference/tfjs.ts';
import { publish, table } from './report.ts';

const MODELS = join(import.meta.dirname, '..', 'models');
const ROUNDS = Number(process.argv[2] ?? 15);
const SIZES = [
  { name: '1200 × 1600', width: 1200, height: 1600 },
  { name: '3024 × 4032 (12 MP)', width: 3024, height: 4032 },
];

/** A portrait out of face-api's demo photos, as a camera would have stored it. */
function portrait(width: number, height: number): Promise<Buffer> {
  return sharp(packagePath('@vladmandic/face-api', '..', 'demo', 'sample6.jpg'))
    .extract({ left: 1330, top: 130, width: 450, height: 600 })
    .resize(width, height)
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Processor milliseconds of this process, all threads, the median of the rounds. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) times.push((user + system) / 1000);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1]!;
}

sharp.cache(false);
const faceApi = await loadFaceApi();
async function stock(photo: Buffer): Promise<void> {
  const { data, info } = await sharp(photo).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const faces = await faceApi.describeFaces({ data, width: info.width, height: info.height });
  if (faces.length !== 1) throw new Error('the peer did not find the one face');
}

const engines = {
  full: await createEngine(MODELS, await loadDescriber(MODELS, 'full')),
  light: await createEngine(MODELS, await loadDescriber(MODELS, 'light')),
};
async function ours(pipeline: keyof typeof engines, photo: Buffer): Promise<void> {
  const analysis = await engines[pipeline].enrol(photo, undefined);
  if (analysis.kind !== 'face') throw new Error(`our own pipeline says ${analysis.code}`);
}

/** One run of each net as an enrolment has them: two mesh fits, two views for each descriptor. */
async function netTimes(): Promise<Map<string, number>> {
  const picture = (size: number, count = 1) => new Uint8Array(count * size * size * 3).fill(127);
  const blazeFace = await loadBlazeFace(MODELS);
  const faceMesh = await loadFaceMesh(MODELS);
  const recognition = await loadRecognition(MODELS);
  const faceres = await loadFaceres(MODELS);
  return new Map([
    ['BlazeFace', await cpuMs(() => blazeFace(picture(BLAZEFACE_SIZE), 0.5))],
    ['Face Mesh, twice', 2 * (await cpuMs(() => faceMesh(picture(FACEMESH_SIZE))))],
    ['128-D, two views', await cpuMs(() => recognition(picture(RECOGNITION_SIZE, 2)))],
    ['HSE-FaceRes, two views', await cpuMs(() => faceres(picture(FACERES_SIZE, 2)))],
  ]);
}

const ms = (time: number) => time.toFixed(1);
const nets = await netTimes();
const netSum = [...nets.values()].reduce((sum, time) => sum + time, 0);
const totals: string[][] = [];
const shares: string[][] = [];
for (const { name, width, height } of SIZES) {
  const photo = await portrait(width, height);
  const peer = await cpuMs(() => stock(photo));
  const full = await cpuMs(() => ours('full', photo));
  const light = await cpuMs(() => ours('light', photo));
  const decode = await cpuMs(async () => (await openImage(photo)).overview());
  const against = (time: number) => `${ms(time)} (1/${(peer / time).toFixed(1)})`;
  totals.push([name, ms(peer), against(full), against(light)]);
  shares.push([
    name,
    ...[decode, ...nets.values(), full - decode - netSum].map(
      (time) => `${ms(time)} (${Math.round((100 * time) / full)} %)`,
    ),
  ]);
}
publish({
  name: 'cost',
  title: 'Recognition: processor time per photo',
  body: [
    `One face per JPEG photo, from bytes to template; processor milliseconds, median of ${ROUNDS} rounds, one inference`,
    'thread each. The peer decodes with sharp and runs SSD, 68 landmarks and 128-D.',
    '',
    table(['photo', 'face-api + tfjs-wasm + sharp', 'full', 'light'], totals),
    '',
    'Where the full pipeline spends it. The rest is sampling of crops, quality measures and the chip for people.',
    '',
    table(['photo', 'decode', ...nets.keys(), 'rest'], shares),
  ].join('\n'),
  peers: ['@vladmandic/face-api', '@tensorflow/tfjs-backend-wasm', 'sharp', 'onnxruntime-node'],
});
