/** Error versus discard: how many wrong rejections remain when the photos with the lowest scores are left out. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { DescribedFace } from '../../core/contracts/faces.ts';
import type { Engine } from '../../core/vision/engine.ts';
import { dataPath } from '../data.ts';
import { table } from '../report.ts';
import { randomNumbers } from './pictures.ts';

interface Described {
  person: string;
  vector: Float32Array;
  score: number;
}

/** The first photo of a pair is taken as it is, the second as it may arrive. */
interface Pair {
  first: Described;
  second: Described;
}

const DISCARDS = [0, 0.05, 0.1, 0.2, 0.3, 0.5];
const FALSE_MATCH_RATES = [1e-2, 1e-3];

/** @returns Markdown. `step`: every n-th genuine pair of LFW's folds. */
export async function errorVersusDiscard(engine: Engine, step: number): Promise<string> {
  const pairs = await genuinePairs(engine, step);
  const impostors = pairs
    .flatMap((p) =>
      pairs.filter((q) => q.first.person !== p.second.person).map((q) => distance(q.first, p.second)),
    )
    .toSorted((a, b) => a - b);
  const byScore = pairs.toSorted((p, q) => p.second.score - q.second.score);
  const rows = DISCARDS.map((share) => {
    const kept = byScore.slice(Math.floor(share * byScore.length));
    const rates = FALSE_MATCH_RATES.map((rate) => {
      const threshold = impostors[Math.floor(rate * impostors.length)]!;
      const rejected = kept.filter(({ first, second }) => distance(first, second) > threshold).length;
      return `${((100 * rejected) / kept.length).toFixed(2)} %`;
    });
    return [`${100 * share} %`, kept[0]!.second.score, ...rates];
  });
  const heads = FALSE_MATCH_RATES.map((rate) => `FNMR at FMR ${rate}`);
  return (
    `Error versus discard, ${pairs.length} genuine pairs of which one photo is blurred, darkened, reduced, compressed, ` +
    `overexposed, cut, or left as it is (pipeline ${engine.pipelineId}):\n\n` +
    table(['lowest scores left out', 'lowest kept', ...heads], rows)
  );
}

async function genuinePairs(engine: Engine, step: number): Promise<Pair[]> {
  const root = dataPath('faces', 'lfw');
  const random = randomNumbers(11);
  const [, ...lines] = (await readFile(join(root, 'pairs.csv'), 'utf8')).trim().split(/\r?\n/);
  const genuine = lines.map((line) => line.split(',')).filter(([, , same]) => same === '1');
  const pairs: Pair[] = [];
  for (const [a, b] of genuine.filter((_, i) => i % step === 0)) {
    const first = await describe(engine, await readFile(join(root, a!)));
    const second = await describe(engine, await arrived(await readFile(join(root, b!)), random));
    const person = a!.split('/')[0]!;
    if (first && second) pairs.push({ first: { ...first, person }, second: { ...second, person } });
  }
  return pairs;
}

async function describe(engine: Engine, bytes: Uint8Array): Promise<Omit<Described, 'person'> | undefined> {
  const analysis = await engine.search(bytes);
  if (analysis.kind !== 'faces') return undefined;
  const { width, height } = analysis.image;
  const inMiddle = ({ box }: DescribedFace) =>
    Math.abs(box.x + box.width / 2 - width / 2) < box.width / 2 &&
    Math.abs(box.y + box.height / 2 - height / 2) < box.height / 2;
  const face = analysis.faces.find(inMiddle);
  return face && { vector: face.template.vector, score: face.quality.score };
}

function arrived(bytes: Uint8Array, random: () => number): Promise<Buffer> {
  const photo = sharp(bytes);
  const ways: (() => Sharp)[] = [
    () => photo,
    () => photo,
    () => photo.blur(0.5 + 3.5 * random()),
    () => photo.linear(0.05 + 0.4 * random(), 0),
    () => photo.linear(1.4 + 1.6 * random(), 0),
    () => photo.resize(Math.round(50 + 120 * random())),
    () => photo.extract({ left: Math.round(120 * random()), top: 0, width: 130, height: 250 }),
  ];
  const quality = random() < 0.25 ? Math.round(4 + 12 * random()) : 90;
  return ways[Math.floor(random() * ways.length)]!().jpeg({ quality }).toBuffer();
}

function distance(p: Described, q: Described): number {
  return Math.sqrt(p.vector.reduce((sum, value, i) => sum + (value - q.vector[i]!) ** 2, 0));
}
