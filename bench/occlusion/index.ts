/** Fits the classifiers of core/vision/occlusion.ts on photos with painted covers; tests on people left out. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { ImageFacts } from '../../core/contracts/faces.ts';
import { openImage, restrictDecoder } from '../../core/vision/decode.ts';
import { proposeInWhole } from '../../core/vision/detection.ts';
import { faceRegion } from '../../core/vision/faceRegion.ts';
import { ImageView } from '../../core/vision/imageView.ts';
import { fitMesh, refitMesh, type MeshedFace } from '../../core/vision/mesh.ts';
import { loadBlazeFace } from '../../core/vision/nets/blazeface.ts';
import { loadFaceMesh } from '../../core/vision/nets/facemesh.ts';
import { occlusionFeatures } from '../../core/vision/occlusion.ts';
import { dataPath } from '../data.ts';
import { publish, table } from '../report.ts';
import { listPictures, randomNumbers } from '../vision/pictures.ts';
import { MODELS } from '../vision/faceFinder.ts';
import { withCover, type Covered } from './covers.ts';
import { fitLogistic, probability, type Model } from './logistic.ts';

const PARTS = ['eyes', 'mouth'] as const;
/** Pull of the weights towards 0. At equal false alarms 3 finds more covers on people left out than 1 does. */
const RIDGE = 3;

type Label = 'clear' | 'clear, altered' | Covered;

interface Sample {
  set: 'LFW' | 'ORL';
  /** People of one half are judged by what was fitted on the other. */
  half: number;
  label: Label;
  features: Record<(typeof PARTS)[number], Float32Array>;
}

restrictDecoder();
const blazeFace = await loadBlazeFace(MODELS);
const faceMesh = await loadFaceMesh(MODELS);
const random = randomNumbers(3);

/** The face in the middle, whether or not the mesh net believes in it: a cover may be what it doubts. */
async function middleFace(view: ImageView, { width, height }: ImageFacts): Promise<MeshedFace | undefined> {
  const proposals = await proposeInWhole(blazeFace, view, { width, height });
  const place = proposals.find(
    ({ center, side }) =>
      Math.abs(center.x - width / 2) < side / 2 && Math.abs(center.y - height / 2) < side * 0.7,
  );
  return place && refitMesh(faceMesh, view, await fitMesh(faceMesh, view, place));
}

/** What an honest photo may look like: out of focus, dark, small, compressed, tilted. */
function altered(bytes: Uint8Array, width: number): Promise<Buffer> {
  const photo = sharp(bytes);
  const ways: (() => Sharp)[] = [
    () => photo.blur(1 + random() * 1.5),
    () => photo.linear(0.35 + random() * 1.1, 0),
    () => photo.resize(Math.round(width * (0.45 + 0.4 * random()))),
    () => photo.rotate(40 * random() - 20),
  ];
  const quality = random() < 0.3 ? 15 : 90;
  return ways[Math.floor(random() * ways.length)]!().jpeg({ quality }).toBuffer();
}

async function samplesOf(file: string, set: Sample['set']): Promise<Sample[]> {
  const bytes = await readFile(file);
  const { view, image } = await opened(bytes);
  const face = await middleFace(view, image);
  if (face === undefined) return [];
  const person = set === 'LFW' ? basename(dirname(file)) : basename(file).split('_')[0]!;
  const half = Buffer.from(person).reduce((sum, byte) => sum + byte, 0) % 2;
  const samples: Sample[] = [];
  const add = (label: Label, of: ImageView, found: MeshedFace | undefined) => {
    if (found) samples.push({ set, half, label, features: occlusionFeatures(faceRegion(of, found)) });
  };
  add('clear', view, face);
  const copy = await opened(await altered(bytes, image.width));
  add('clear, altered', copy.view, await middleFace(copy.view, copy.image));
  for (const covered of ['eyes', 'mouth', 'both'] as const) {
    const painted = new ImageView(withCover(view.raster, face.eyes, covered, random));
    add(covered, painted, await middleFace(painted, image));
  }
  return samples;
}

async function opened(bytes: Uint8Array): Promise<{ view: ImageView; image: ImageFacts }> {
  const image = await openImage(bytes);
  return { view: await image.overview(), image: image.facts };
}

function fit(samples: readonly Sample[], part: (typeof PARTS)[number]): Model {
  const labelled = samples.map(({ features, label }) => ({
    features: features[part],
    positive: label === part || label === 'both',
  }));
  return fitLogistic(labelled, RIDGE);
}

const step = Number(process.argv[2] ?? 6);
const samples: Sample[] = [];
for (const file of (await listPictures(dataPath('faces', 'lfw'))).filter((_, i) => i % step === 0))
  samples.push(...(await samplesOf(file, 'LFW')));
for (const file of (await listPictures(dataPath('faces', 'orl_grey'))).filter((_, i) => i % 2 === 0))
  samples.push(...(await samplesOf(file, 'ORL')));

const rows: (string | number)[][] = [];
for (const part of PARTS) {
  const models = [0, 1].map((half) =>
    fit(
      samples.filter((sample) => sample.half !== half),
      part,
    ),
  );
  const judged = samples.map((sample) => ({
    group: `${sample.set}: ${sample.label}`,
    probability: probability(models[sample.half]!, sample.features[part]),
  }));
  for (const group of new Set(judged.map((each) => each.group))) {
    const members = judged.filter((each) => each.group === group);
    const above = (limit: number) =>
      `${((100 * members.filter((each) => each.probability > limit).length) / members.length).toFixed(1)} %`;
    rows.push([`${part} covered`, group, members.length, ...[0.5, 0.8, 0.9, 0.95, 0.98].map(above)]);
  }
}
const judgements = table(['judged', 'photos', 'number', '> 0.5', '> 0.8', '> 0.9', '> 0.95', '> 0.98'], rows);
console.log(judgements);
const rounded = ({ bias, weights }: Model) => ({
  bias: Number(bias.toFixed(4)),
  weights: weights.map((weight) => Number(weight.toFixed(4))),
});
const file = join(import.meta.dirname, '../../core/vision/occlusion.json');
const fitted = Object.fromEntries(PARTS.map((part) => [part, rounded(fit(samples, part))]));
await writeFile(file, `${JSON.stringify(fitted)}\n`);
publish({
  name: 'occlusion',
  title: 'Covered eyes, nose and mouth',
  body: `Share judged to be covered, at several limits, by classifiers that were fitted on other people.\n\n${judgements}`,
  args: process.argv.slice(2),
});
