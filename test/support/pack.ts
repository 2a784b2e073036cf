/** Another model to drop in: our own 128-D net with its weights perturbed, under a manifest of its own. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CATALOGUE } from '../../models/catalogue.ts';
import type { PackManifest } from '../../core/vision/packs/manifest.ts';

/** Where single bytes are turned over, shares of the weights' file: large convolutions, a byte per weight. */
const PERTURBED = { from: 0.8, to: 0.9, every: 5 };

/** The source weights are single bytes on a scale of their own: the lowest bit of some is turned over. */
async function perturbedNet(): Promise<Uint8Array> {
  const { files, convert } = CATALOGUE.recognition;
  const folder = dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json'));
  const [description, weights] = files;
  const perturbed = await readFile(join(folder, weights));
  const { from, to, every } = PERTURBED;
  for (let at = Math.floor(from * perturbed.length); at < to * perturbed.length; at += every)
    perturbed[at]! ^= 1;
  return convert(await readFile(join(folder, description), 'utf8'), perturbed);
}

let made: Promise<Uint8Array> | undefined;

/** Writes the pack `name` into `folder`. @param change replaces parts of its manifest */
export async function writePerturbedPack(
  folder: string,
  name: string,
  change: Partial<Record<keyof PackManifest, unknown>> = {},
): Promise<void> {
  const net = await (made ??= perturbedNet());
  const manifest = {
    format: 1,
    title: 'Perturbed 128-D',
    file: 'net.onnx',
    sha256: createHash('sha256').update(net).digest('hex'),
    licence: 'MIT',
    origin: 'dlib face recognition ResNet, perturbed by a test',
    input: { name: 'image', size: 150, layout: 'NHWC', type: 'uint8', colours: 'RGB' },
    alignment: { method: 'mean-face', widening: 1.1 },
    views: 'mirrored',
    output: { name: 'descriptor', dimension: 128 },
    metric: 'euclidean',
    calibration: [
      { fmr: 0.5, threshold: 0.56 },
      { fmr: 1e-2, threshold: 0.42 },
      { fmr: 1e-4, threshold: 0.33 },
      { fmr: 1e-6, threshold: 0.26 },
    ],
    ...change,
  };
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'net.onnx'), net);
  await writeFile(join(folder, name, 'pipeline.json'), JSON.stringify(manifest));
}
