/**
 * Fits core/vision/nets/heads.json, which finds hidden heads, on people whom `desk faces` does not use.
 * `npm run research -- heads FOLDER [scenes] [covers to leave out, with commas]`. The folder, outside the repository, keeps what
 * BlazeFace makes of each scene, 123 kB; a run that was ended goes on from there.
 */
import { appendFileSync, existsSync, mkdirSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openImage } from '../../core/vision/decode.ts';
import { isInImage, wholePicture } from '../../core/vision/detection.ts';
import type { Similarity } from '../../core/vision/geometry.ts';
import { BLAZEFACE_SIZE } from '../../core/vision/nets/blazeface.ts';
import { openSession, Tensor } from '../../core/vision/nets/net.ts';
import { convertBlazeFaceFeatures } from '../../models/catalogue.ts';
import { isHeldOut } from '../../bench/desk/people.ts';
import { randomNumbers } from '../../bench/vision/pictures.ts';
import { secondMoments, symmetricEigen } from '../fusion/linear.ts';
import { standardised } from '../occlusion/coverNet.ts';
import { ALL_COVERS } from './covers.ts';
import { fitHeadNet, type Cell } from './headNet.ts';
import { readSources, SceneMaker, type Scene } from './scenes.ts';

const LAW = join(import.meta.dirname, '../../core/vision/nets/heads.json');
const CHANNELS = 96;
const CELLS = { 16: 16, 8: 8 } as const;
/** Numbers that BlazeFace makes of one picture. */
const NUMBERS = { 16: CHANNELS * CELLS[16] ** 2, 8: CHANNELS * CELLS[8] ** 2 } as const;
const BYTES = 4 * (NUMBERS[16] + NUMBERS[8]);
/** Numbers that are kept of the features of each cell. */
const KEPT = { 16: 32, 8: 16 } as const;
/** Windows over which these are averaged: side in cells, and how far apart nine of them are; 0: one window. */
const WINDOWS = {
  16: [
    [1, 0],
    [3, 3],
    [7, 0],
  ],
  8: [
    [1, 0],
    [3, 0],
  ],
} as const;
type Grid = keyof typeof WINDOWS;
/** The axes are taken from so many scenes. */
const AXES_SCENES = 150;
/** Cells of a picture that are fitted on: of a head, and of what is none. */
const MAX_OF_HEAD = 12;
const MAX_OF_FACE = 4;
const MAX_BESIDE = 24;
/** Nearer to the middle of a head than this, in its widths, is neither the head nor beside it. */
const BESIDE = 0.75;
/** Scenes that are composed at the same time. */
const SCENE_BATCH_SIZE = 4;
/** Hidden heads to scenes of one person. */
const HIDDEN_SHARE = 0.6;

/** Where the heads of a scene are in the picture that BlazeFace sees, and where the photo is in it. */
interface Places {
  cover: string;
  heads: { x: number; y: number; width: number; isHidden: boolean }[];
  photo: { width: number; height: number };
}

const [folder, count = '13000', leftOut = ''] = process.argv.slice(2);
if (folder === undefined) throw new Error('npm run research -- heads FOLDER [scenes] [covers to leave out]');
mkdirSync(folder, { recursive: true });
const files = { features: join(folder, 'features.f32'), places: join(folder, 'places.jsonl') };
await composeScenes(Number(count));
const places = readPlaces().slice(0, Number(count));
const random = randomNumbers(5);
const file = openSync(files.features, 'r');
const axes = { 16: axesOf(16), 8: axesOf(8) };
const left = new Set(leftOut === '' ? [] : leftOut.split(','));
const cells = places.flatMap((place, i) => (left.has(place.cover) ? [] : cellsOf(place, readFeatures(i))));
console.log(`${cells.length} cells`);
const { bias, weights, answers } = fitHeadNet(cells, random);
const law = { in16: sumsOf(16, 0), in8: sumsOf(8, numbersOf(16)), bias, answers };
await writeFile(LAW, `${JSON.stringify(law)}\n`);
console.log('Now: npm run format, and npm run models -- --pin');

/** Composes the scenes that are missing in the folder. Each is drawn by its number alone. */
async function composeScenes(wanted: number): Promise<void> {
  const there = existsSync(files.features) ? Math.floor(statSync(files.features).size / BYTES) : 0;
  if (there >= wanted) return;
  const sources = await readSources((name) => !isHeldOut(name));
  console.log(`${sources.alone.length} photos of one person, ${sources.groups.length} of several`);
  const net = await loadFeatures();
  const covers = Object.keys(ALL_COVERS);
  const compose = async (i: number) => {
    const draw = randomNumbers(Math.imul(i + 1, 2654435761));
    const maker = new SceneMaker(sources, draw);
    // First the photos as they are, then their mirror images.
    const asTaken = sources.alone[i % sources.alone.length]!;
    const isComposed = i >= 2 * sources.alone.length;
    const cover = isComposed && draw() < HIDDEN_SHARE ? covers[i % covers.length]! : '';
    const { bytes, heads } = await (cover !== ''
      ? maker.hidden(cover)
      : isComposed
        ? maker.single()
        : maker.asTaken(asTaken, i >= sources.alone.length));
    const { picture, place } = await pictureOf(bytes, heads);
    return { picture, line: `${JSON.stringify({ cover, ...place })}\n` };
  };
  for (let i = there; i < wanted; i += SCENE_BATCH_SIZE) {
    const some = Array.from({ length: Math.min(SCENE_BATCH_SIZE, wanted - i) }, (_, k) => compose(i + k));
    for (const { picture, line } of await Promise.all(some)) {
      appendFileSync(files.places, line);
      for (const map of await net(picture))
        appendFileSync(files.features, new Uint8Array(map.buffer, map.byteOffset, map.byteLength));
    }
    if (i % 500 < SCENE_BATCH_SIZE) console.log(`${i + some.length} scenes`);
  }
}

function readPlaces(): Places[] {
  return readFileSync(files.places, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Places);
}

function readFeatures(scene: number): Maps {
  const numbers = new Float32Array(NUMBERS[16] + NUMBERS[8]);
  readSync(file, new Uint8Array(numbers.buffer), 0, BYTES, scene * BYTES);
  return { 16: numbers.subarray(0, NUMBERS[16]), 8: numbers.subarray(NUMBERS[16]) };
}

/** BlazeFace as far as its features, from the weights in the installed package. */
async function loadFeatures(): Promise<(picture: Uint8Array) => Promise<[Float32Array, Float32Array]>> {
  const models = join(dirname(createRequire(import.meta.url).resolve('@vladmandic/human')), '../models');
  const description = await readFile(join(models, 'blazeface.json'), 'utf8');
  const session = await openSession(
    Buffer.from(convertBlazeFaceFeatures(description, await readFile(join(models, 'blazeface.bin')))),
  );
  return async (picture) => {
    const image = new Tensor('uint8', picture, [1, BLAZEFACE_SIZE, BLAZEFACE_SIZE, 3]);
    const { features16, features8 } = await session.run({ image });
    return [features16!.data as Float32Array, features8!.data as Float32Array];
  };
}

/** What BlazeFace sees of a scene. */
async function pictureOf(
  bytes: Buffer,
  heads: Scene['heads'],
): Promise<{ picture: Uint8Array; place: Omit<Places, 'cover'> }> {
  const opened = await openImage(bytes);
  const { width, height } = opened.facts;
  const onto = wholePicture({ width, height });
  const picture = (await opened.overview()).sample(onto, BLAZEFACE_SIZE, BLAZEFACE_SIZE, 'black');
  const inPicture = heads.map((head) => ({
    x: (head.x + head.width / 2 - onto.tx) / onto.a,
    y: (head.y + head.height / 2 - onto.ty) / onto.a,
    width: head.width / onto.a,
    isHidden: head.isHidden,
  }));
  return { picture: picture.data, place: { heads: inPicture, photo: { width, height } } };
}

function cellsOf({ heads, photo }: Places, maps: Maps): Cell[] {
  const features = featuresOf(maps);
  const size = BLAZEFACE_SIZE / CELLS[16];
  const onto = wholePicture(photo);
  const visible = heads.map((head) => ({ ...head, ...visibleMiddle(head, onto, photo) }));
  const found: Cell[] = [];
  for (let i = 0; i < CELLS[16] ** 2; i++) {
    const [x, y] = [((i % CELLS[16]) + 0.5) * size, (Math.floor(i / CELLS[16]) + 0.5) * size];
    if (!isInImage({ x, y }, onto, photo)) continue;
    const farFrom = (head: (typeof heads)[0]) => Math.hypot(x - head.x, 0.85 * (y - head.y)) / head.width;
    const [near] = visible.toSorted((one, other) => farFrom(one) - farFrom(other));
    const far = near === undefined ? Infinity : farFrom(near);
    const isHead = near !== undefined && far < Math.max(0.3, 9 / near.width);
    if (!isHead && far < BESIDE) continue;
    const place = isHead
      ? ([(near.x - x) / size, (near.y - y) / size, Math.log2(near.width / 32)] as const)
      : ([0, 0, 0] as const);
    // Of a clear face the place alone is learnt: whether it is there, BlazeFace says.
    found.push({ features: features(i), isHead, weight: isHead && !near.isHidden ? 0 : 1, place });
  }
  const drawn: Cell[] = [];
  for (const [isOne, most] of [
    [({ isHead, weight }: Cell) => isHead && weight > 0, MAX_OF_HEAD],
    [({ weight }: Cell) => weight === 0, MAX_OF_FACE],
    [({ isHead }: Cell) => !isHead, MAX_BESIDE],
  ] as const) {
    const some = found.filter(isOne);
    while (some.length > most) some.splice(Math.floor(random() * some.length), 1);
    // A large head has many cells, and counts hardly more than a small one.
    const share = some[0]?.isHead === true ? 1 / Math.sqrt(some.length) : 1;
    drawn.push(...some.map((cell) => ({ ...cell, weight: cell.weight * share })));
  }
  return drawn;
}

/** The middle of the part of a face that is in the photo: where the edge cuts a head off, what is left is the head. */
function visibleMiddle(
  { x, y, width }: Places['heads'][0],
  { a, tx, ty }: Similarity,
  photo: Places['photo'],
): { x: number; y: number } {
  const middle = (at: number, half: number, first: number, length: number) =>
    (Math.max(at - half, -first / a) + Math.min(at + half, (length - first) / a)) / 2;
  const half = width / 2;
  return { x: middle(x, half, tx, photo.width), y: middle(y, half, ty, photo.height) };
}

/** Numbers that the windows of a grid give for each cell. */
function numbersOf(grid: Grid): number {
  return WINDOWS[grid].reduce((sum, [, apart]) => sum + KEPT[grid] * (apart > 0 ? 9 : 1), 0);
}

/** The part of the law for one grid. @param first of its weights among all */
function sumsOf(grid: Grid, first: number) {
  let next = first;
  const windows = WINDOWS[grid].map(([side, apart]) => {
    const numbers = KEPT[grid] * (apart > 0 ? 9 : 1);
    next += numbers;
    return { cells: side, apart, weights: weights.slice(next - numbers, next) };
  });
  return { axes: axes[grid], windows };
}

/** The principal axes of the features of a grid, each feature first divided by its spread: for each feature a row. */
function axesOf(grid: Grid): number[][] {
  const vectors: Float32Array[] = [];
  for (let i = 0; i < AXES_SCENES; i++) {
    const map = readFeatures(Math.floor((i * places.length) / AXES_SCENES))[grid];
    for (let at = 0; at < map.length; at += CHANNELS) vectors.push(map.slice(at, at + CHANNELS));
  }
  const { means, scales } = standardised(vectors.map((features) => ({ features })));
  const spread = vectors.map((vector) => vector.map((value, k) => (value - means[k]!) / scales[k]!));
  const { vectors: all } = symmetricEigen(secondMoments(spread));
  return Array.from({ length: CHANNELS }, (_, k) =>
    all.slice(0, KEPT[grid]).map((axis) => Number((axis[k]! / scales[k]!).toPrecision(4))),
  );
}

type Maps = Record<Grid, Float32Array>;

/** The numbers that are kept, in the means over all windows around a cell of the 16 × 16, one behind another. */
function featuresOf(maps: Maps): (cell: number) => Float32Array {
  const reduced = { 16: reducedBy(axes[16], maps[16]), 8: reducedBy(axes[8], maps[8]) };
  const middles = {
    16: (cell: number) => [cell % CELLS[16], Math.floor(cell / CELLS[16])] as const,
    8: (cell: number) => [(cell % CELLS[16]) >> 1, cell >> 5] as const,
  };
  return (cell) => {
    const all = new Float32Array(numbersOf(16) + numbersOf(8));
    let to = 0;
    for (const grid of [16, 8] as const) {
      const [x, y] = middles[grid](cell);
      for (const [side, apart] of WINDOWS[grid])
        for (const down of apart > 0 ? [-apart, 0, apart] : [0])
          for (const across of apart > 0 ? [-apart, 0, apart] : [0]) {
            addMean(all, to, { map: reduced[grid], cells: CELLS[grid], x: x + across, y: y + down, side });
            to += KEPT[grid];
          }
    }
    return all;
  };
}

function reducedBy(rows: readonly (readonly number[])[], map: Float32Array): Float32Array {
  const kept = rows[0]!.length;
  const result = new Float32Array((map.length / CHANNELS) * kept);
  for (let cell = 0; cell < map.length / CHANNELS; cell++)
    for (const [k, row] of rows.entries()) {
      const value = map[cell * CHANNELS + k]!;
      if (value !== 0) for (let at = 0; at < kept; at++) result[cell * kept + at]! += value * row[at]!;
    }
  return result;
}

interface Window {
  map: Float32Array;
  /** Of a row of the map. */
  cells: number;
  x: number;
  y: number;
  side: number;
}

/** A window whose middle is beyond the map is zero, and so are cells beyond it. */
function addMean(all: Float32Array, to: number, { map, cells: row, x, y, side }: Window): void {
  if (Math.min(x, y) < 0 || Math.max(x, y) >= row) return;
  const [reach, kept] = [side >> 1, map.length / row ** 2];
  for (let v = Math.max(0, y - reach); v <= Math.min(row - 1, y + reach); v++)
    for (let u = Math.max(0, x - reach); u <= Math.min(row - 1, x + reach); u++)
      for (let at = 0; at < kept; at++) all[to + at]! += map[(v * row + u) * kept + at]! / side ** 2;
}
