/** Processor time per photo: our two pipelines against a plain face-api script, and where our time goes. */
// First: it must be evaluated before the library is loaded.
import '../core/vision/nets/noTelemetry.ts';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { chipToImage } from '../core/vision/alignment.ts';
import { openImage } from '../core/vision/decode.ts';
import { loadDescriber } from '../core/vision/descriptor.ts';
import { displayChip } from '../core/vision/displayChip.ts';
import { createEngine } from '../core/vision/engine.ts';
import { BLAZEFACE_SIZE, loadBlazeFace } from '../core/vision/nets/blazeface.ts';
import {
  FACERES_SIZE,
  loadFaceres,
  loadRecognition,
  RECOGNITION_SIZE,
} from '../core/vision/nets/descriptors.ts';
import { FACEMESH_SIZE, loadFaceMesh } from '../core/vision/nets/facemesh.ts';
import { createVision } from '../core/vision/vision.ts';
import { OnnxGraph } from '../models/convert/onnx.ts';
import { loadFaceApi } from '../models/reference/face-api.ts';
import { packagePath } from '../models/reference/tfjs.ts';
import { publish, table } from './report.ts';
import { central, createFaceFinder, qualityOf } from './vision/faceFinder.ts';

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

/**
 * The nets as an enrolment runs them, with their multiply-adds in millions: two mesh fits, two views for each
 * descriptor. Counted from the layers: output pixels × filters × filter size × inputs.
 */
async function netWork(): Promise<{ name: string; run: () => Promise<unknown>; multiplyAdds: number }[]> {
  const picture = (size: number, count = 1) => new Uint8Array(count * size * size * 3).fill(127);
  const [blazeFace, faceMesh] = [await loadBlazeFace(MODELS), await loadFaceMesh(MODELS)];
  const [recognition, faceres] = [await loadRecognition(MODELS), await loadFaceres(MODELS)];
  const crop = picture(FACEMESH_SIZE);
  return [
    { name: 'BlazeFace', run: () => blazeFace(picture(BLAZEFACE_SIZE), 0.5), multiplyAdds: 193.5 },
    {
      name: 'Face Mesh, twice',
      run: async () => [await faceMesh(crop), await faceMesh(crop)],
      multiplyAdds: 2 * 40.2,
    },
    {
      name: '128-D, two views',
      run: () => recognition(picture(RECOGNITION_SIZE, 2)),
      multiplyAdds: 2 * 272.5,
    },
    { name: 'HSE-FaceRes, two views', run: () => faceres(picture(FACERES_SIZE, 2)), multiplyAdds: 2 * 567.7 },
  ];
}

/** Million multiply-adds per millisecond of ONNX Runtime's matrix product on this core: as fast as a net could run. */
async function matrixRate(): Promise<number> {
  const SIDE = 768;
  const graph = new OnnxGraph('product');
  graph.input('a', 'float32', [SIDE, SIDE]);
  graph.input('b', 'float32', [SIDE, SIDE]);
  graph.node('MatMul', ['a', 'b'], {}, 'c');
  graph.output('c', 'float32', [SIDE, SIDE]);
  const session = await InferenceSession.create(graph.encode(), { intraOpNumThreads: 1 });
  const square = new Tensor('float32', new Float32Array(SIDE * SIDE).fill(0.5), [SIDE, SIDE]);
  return SIDE ** 3 / 1e6 / (await cpuMs(() => session.run({ a: square, b: square })));
}

/** What an enrolment does beside decoding and the nets, as far as it can be run alone. */
async function otherWork(photo: Buffer): Promise<Map<string, number>> {
  const opened = await openImage(photo);
  const finder = await createFaceFinder();
  const look = await finder.look(photo);
  const face = central(look);
  if (face === undefined) throw new Error('no face to measure on');
  const view = await opened.overview();
  // The largest picture, with the smaller copies that it needs of this photo; the next ones find them made.
  const fresh = () => view.withRaster(view.raster);
  const whole = chipToImage(face, BLAZEFACE_SIZE, 4);
  const chips = [FACEMESH_SIZE, FACEMESH_SIZE, ...Array<number>(2).fill(RECOGNITION_SIZE)];
  const sample = () => {
    const sampled = fresh();
    sampled.sample(whole, BLAZEFACE_SIZE, BLAZEFACE_SIZE, 'black');
    for (const size of [...chips, FACERES_SIZE, FACERES_SIZE])
      sampled.sample(chipToImage(face, size), size, size);
    return Promise.resolve();
  };
  return new Map([
    ['sampling of seven pictures', await cpuMs(sample)],
    ['quality', await cpuMs(() => Promise.resolve(qualityOf(look, face)))],
    ['chip for people', await cpuMs(() => displayChip(view, face.eyes))],
  ]);
}

/** The same reduction by the decoder's bare call: no orientation, no alpha, no colour space. */
function bareDecode(photo: Buffer, shrink: number, width: number, height: number): Promise<unknown> {
  const size = [Math.round(width / shrink), Math.round(height / shrink)] as const;
  const image = sharp(photo);
  return (shrink === 1 ? image : image.resize(...size, { fit: 'fill', kernel: 'linear' })).raw().toBuffer();
}

/** Worker processes of the service, one for each of the two cores that the target is stated for. */
const WORKERS = 2;
/** Photos that wait at once: the workers never do. */
const WAITING = 6;

/** Wall milliseconds per photo, median of the rounds. */
async function wallMs(photos: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const before = performance.now();
    await work();
    if (round >= 0) times.push((performance.now() - before) / photos);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1]!;
}

/** What a person waits for per photo when many wait: the service's own workers against the peer, which has one thread. */
async function wallOf(pipeline: keyof typeof engines, photo: Buffer): Promise<number> {
  const vision = await createVision({ modelsFolder: MODELS, pipeline, workers: WORKERS });
  const all = () =>
    Promise.all(Array.from({ length: WAITING }, () => vision.enrol(photo, { priority: 'bulk' })));
  try {
    return await wallMs(WAITING, all);
  } finally {
    await vision.close();
  }
}

const ms = (time: number) => time.toFixed(1);
const rate = await matrixRate();
const nets: { name: string; time: number; floor: number }[] = [];
for (const { name, run, multiplyAdds } of await netWork())
  nets.push({ name, time: await cpuMs(run), floor: multiplyAdds / rate });
const netSum = nets.reduce((sum, { time }) => sum + time, 0);
const totals: string[][] = [];
const walls: string[][] = [];
const shares: string[][] = [];
const floors = nets.map(({ name, time, floor }) => [name, ms(time), ms(floor), (time / floor).toFixed(1)]);
const others: string[][] = [];
let otherNames: string[] = [];
for (const { name, width, height } of SIZES) {
  const photo = await portrait(width, height);
  const peer = await cpuMs(() => stock(photo));
  const full = await cpuMs(() => ours('full', photo));
  const light = await cpuMs(() => ours('light', photo));
  const overview = async () => (await openImage(photo)).overview();
  const decode = await cpuMs(overview);
  const { scale } = await overview();
  const bare = await cpuMs(() => bareDecode(photo, 1 / scale, width, height));
  floors.push([`decode, ${name}`, ms(decode), ms(bare), (decode / bare).toFixed(1)]);
  const against = (time: number) => `${ms(time)} (1/${(peer / time).toFixed(1)})`;
  totals.push([name, ms(peer), against(full), against(light)]);
  const peerWall = await wallMs(1, () => stock(photo));
  const waited = (time: number) => `${ms(time)} (1/${(peerWall / time).toFixed(1)})`;
  walls.push([name, ms(peerWall), waited(await wallOf('full', photo)), waited(await wallOf('light', photo))]);
  shares.push([
    name,
    ...[decode, ...nets.map(({ time }) => time), full - decode - netSum].map(
      (time) => `${ms(time)} (${Math.round((100 * time) / full)} %)`,
    ),
  ]);
  const rest = await otherWork(photo);
  otherNames = [...rest.keys()];
  others.push([name, ...[...rest.values()].map(ms)]);
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
    `Wall milliseconds per photo when ${WAITING} wait: ours by ${WORKERS} worker processes, the peer in its one thread.`,
    '',
    table(['photo', 'face-api + tfjs-wasm + sharp', 'full', 'light'], walls),
    '',
    'Where the full pipeline spends its processor time.',
    '',
    table(['photo', 'decode', ...nets.map(({ name }) => name), 'rest'], shares),
    '',
    "How far each is from its floor. A net could not be faster than its multiply-adds at the rate of ONNX Runtime's",
    `matrix product, ${(2 * rate).toFixed(0)} GFLOP/s on this core in this run; a photo is not decoded faster than by`,
    'the bare call of the decoder at the same reduction.',
    '',
    table(['', 'ms', 'floor', 'times the floor'], floors),
    '',
    'Of the rest, run alone:',
    '',
    table(['photo', ...otherNames], others),
  ].join('\n'),
  peers: ['@vladmandic/face-api', '@tensorflow/tfjs-backend-wasm', 'sharp', 'onnxruntime-node'],
});
