/** CPU per image, ours beside the plain script, and what ours consists of. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { packagePath } from '../../models/reference/tfjs.ts';
import { openImage } from '../../core/vision/decode.ts';
import { BLAZEFACE_SIZE, loadBlazeFace } from '../../core/vision/nets/blazeface.ts';
import { loadRecognition, RECOGNITION_SIZE } from '../../core/vision/nets/descriptors.ts';
import { FACEMESH_SIZE, loadFaceMesh } from '../../core/vision/nets/facemesh.ts';
import { table } from '../report.ts';
import { MODELS } from './faceFinder.ts';

/** Describes one image as enrolment does. */
export type Describe = (bytes: Uint8Array) => Promise<unknown>;

interface Format {
  name: string;
  width: number;
  height: number;
}

const FORMATS: readonly Format[] = [
  { name: '1200 × 1600', width: 1200, height: 1600 },
  { name: '3024 × 4032 (12 MP)', width: 3024, height: 4032 },
];

/** Portraits in face-api's group photos: sample number, left, top, width; height is 4/3 of it. */
const PORTRAITS = [
  [6, 1330, 130, 500],
  [6, 560, 250, 430],
  [3, 480, 200, 420],
  [4, 900, 60, 330],
] as const;

async function portraits(folder: string, { width, height }: Format): Promise<string[]> {
  const files: string[] = [];
  for (const [sample, left, top, side] of PORTRAITS) {
    const source = packagePath('@vladmandic/face-api', '..', 'demo', `sample${sample}.jpg`);
    const bytes = await sharp(source)
      .extract({ left, top, width: side, height: Math.floor((side * 4) / 3) })
      .resize(width, height, { fit: 'fill' })
      .jpeg({ quality: 90 })
      .toBuffer();
    files.push(join(folder, `${width}-${files.length}.jpg`));
    await writeFile(files.at(-1)!, bytes);
  }
  return files;
}

async function cpuOf(work: () => Promise<unknown>, times: number): Promise<number> {
  await work();
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

async function plainScript(filesOfFormats: readonly string[][]): Promise<number[]> {
  const peer = fork(join(import.meta.dirname, 'peer.ts'), { serialization: 'advanced' });
  try {
    await once(peer, 'message');
    const costs: number[] = [];
    for (const files of filesOfFormats) {
      peer.send([...files, ...files]);
      const [answer] = (await once(peer, 'message')) as [{ cpuMs: number }];
      costs.push(answer.cpuMs);
    }
    return costs;
  } finally {
    peer.kill();
  }
}

/** @returns Markdown */
export async function costTables(describe: Describe): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-cost-'));
  try {
    const files = await Promise.all(FORMATS.map((format) => portraits(folder, format)));
    const plain = await plainScript(files);
    const nets = await netCosts();
    const rows: (string | number)[][] = [];
    for (const [i, { name }] of FORMATS.entries()) {
      const images = await Promise.all(files[i]!.map((file) => readFile(file)));
      const each = (work: (bytes: Uint8Array) => Promise<unknown>) => async () => {
        for (const bytes of images) await work(bytes);
      };
      const decode =
        (await cpuOf(
          each(async (bytes) => (await openImage(bytes)).overview()),
          4,
        )) / images.length;
      const total = (await cpuOf(each(describe), 4)) / images.length;
      rows.push([
        name,
        plain[i]!.toFixed(0),
        total.toFixed(0),
        `${(plain[i]! / total).toFixed(1)} ×`,
        decode.toFixed(0),
      ]);
    }
    return [
      table(['photo', 'plain script, CPU ms', 'ours, CPU ms', 'less by', 'of it decoding'], rows),
      '',
      `Nets, CPU ms per call in this run: ${nets}. A photo with one face takes one BlazeFace, two meshes and the descriptors; ` +
        'the rest is sampling, measuring and the display chip.',
    ].join('\n');
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function netCosts(): Promise<string> {
  const blank = (side: number, count = 1) => new Uint8Array(side * side * 3 * count).fill(90);
  const blazeFace = await loadBlazeFace(MODELS);
  const faceMesh = await loadFaceMesh(MODELS);
  const recognition = await loadRecognition(MODELS);
  const costs = {
    BlazeFace: await cpuOf(() => blazeFace(blank(BLAZEFACE_SIZE), 0.3), 30),
    FaceMesh: await cpuOf(() => faceMesh(blank(FACEMESH_SIZE)), 30),
    '128-D of two chips': await cpuOf(() => recognition(blank(RECOGNITION_SIZE, 2)), 30),
  };
  return Object.entries(costs)
    .map(([name, cpu]) => `${name} ${cpu.toFixed(1)}`)
    .join(', ');
}
