/** Fits core/vision/nets/heads.json, which finds hidden heads, on people whom `desk faces` does not use. `npm run research -- heads [scenes] [covers to leave out, with commas]` */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openImage } from '../../core/vision/decode.ts';
import { isInImage, wholePicture } from '../../core/vision/detection.ts';
import { BLAZEFACE_SIZE } from '../../core/vision/nets/blazeface.ts';
import { openSession, Tensor } from '../../core/vision/nets/net.ts';
import { convertBlazeFaceFeatures } from '../../models/catalogue.ts';
import { isHeldOut } from '../../bench/desk/people.ts';
import { randomNumbers } from '../../bench/vision/pictures.ts';
import { ALL_COVERS } from './covers.ts';
import { fitHeadNet, type Cell } from './headNet.ts';
import { readSources, SceneMaker, type Scene } from './scenes.ts';

const LAW = join(import.meta.dirname, '../../core/vision/nets/heads.json');
const CHANNELS = 96;
const CELLS = { 16: 16, 8: 8 } as const;
/** Sides of the windows over which features are averaged, in cells. */
const WINDOWS = { 16: [1, 3, 7], 8: [1, 3] } as const;
/** Cells of a picture that are fitted on: of a head, and of what is none. */
const MAX_OF_HEAD = 12;
const MAX_OF_FACE = 4;
const MAX_BESIDE = 24;
/** Nearer to the middle of a head than this, in its widths, is neither the head nor beside it. */
const BESIDE = 0.75;
/** Hidden heads to scenes of one person. */
const HIDDEN_SHARE = 0.7;

const [count = '6000', leftOut = ''] = process.argv.slice(2);
const random = randomNumbers(5);
const sources = await readSources(isFitted);
console.log(`${sources.alone.length} photos of one person, ${sources.groups.length} of several`);
const net = await loadFeatures();
const maker = new SceneMaker(sources, random);
const covers = Object.keys(ALL_COVERS).filter((cover) => !leftOut.split(',').includes(cover));
const cells: Cell[] = [];
for (let i = 0; i < Number(count); i++) {
  const scene = await (random() < HIDDEN_SHARE ? maker.hidden(covers[i % covers.length]!) : maker.single());
  cells.push(...(await cellsOf(scene)));
  if (i % 500 === 499) console.log(`${i + 1} scenes, ${cells.length} cells`);
}
const { bias, weights, answers } = fitHeadNet(cells, random);
const windowsOf = (grid: 16 | 8, first: number) =>
  WINDOWS[grid].map((side, i) => ({
    cells: side,
    weights: weights.slice((first + i) * CHANNELS, (first + i + 1) * CHANNELS),
  }));
const law = { windows16: windowsOf(16, 0), windows8: windowsOf(8, WINDOWS[16].length), bias, answers };
await writeFile(LAW, `${JSON.stringify(law)}\n`);
console.log('Now: npm run format, and npm run models -- --pin');

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

function isFitted(name: string): boolean {
  return !isHeldOut(name);
}

async function cellsOf({ bytes, heads }: Scene): Promise<Cell[]> {
  const opened = await openImage(bytes);
  const { width, height } = opened.facts;
  const onto = wholePicture({ width, height });
  const picture = (await opened.overview()).sample(onto, BLAZEFACE_SIZE, BLAZEFACE_SIZE, 'black');
  const features = featuresOf(await net(picture.data));
  const size = BLAZEFACE_SIZE / CELLS[16];
  const found: Cell[] = [];
  const places = heads.map((head) => ({
    x: (head.x + head.width / 2 - onto.tx) / onto.a,
    y: (head.y + head.height / 2 - onto.ty) / onto.a,
    width: head.width / onto.a,
    isHidden: head.isHidden,
  }));
  for (let i = 0; i < CELLS[16] ** 2; i++) {
    const [x, y] = [((i % CELLS[16]) + 0.5) * size, (Math.floor(i / CELLS[16]) + 0.5) * size];
    if (!isInImage({ x, y }, onto, { width, height })) continue;
    const farFrom = (head: (typeof places)[0]) => Math.hypot(x - head.x, 0.85 * (y - head.y)) / head.width;
    const [near] = places.toSorted((one, other) => farFrom(one) - farFrom(other));
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

/** The means over all windows around a cell of the 16 × 16, one behind another. */
function featuresOf([features16, features8]: [Float32Array, Float32Array]): (cell: number) => Float32Array {
  const at8 = (cell: number) => (cell >> 5) * CELLS[8] + ((cell & 15) >> 1);
  return (cell) => {
    const all = new Float32Array(CHANNELS * (WINDOWS[16].length + WINDOWS[8].length));
    let start = 0;
    for (const side of WINDOWS[16])
      addMean(all, start++ * CHANNELS, { map: features16, cells: 16, at: cell, side });
    for (const side of WINDOWS[8])
      addMean(all, start++ * CHANNELS, { map: features8, cells: 8, at: at8(cell), side });
    return all;
  };
}

interface Window {
  map: Float32Array;
  /** Of a row of the map. */
  cells: number;
  at: number;
  side: number;
}

/** Cells beyond the map count as zero. */
function addMean(all: Float32Array, to: number, { map, cells: row, at, side }: Window): void {
  const [x, y, reach] = [at % row, Math.floor(at / row), side >> 1];
  for (let v = Math.max(0, y - reach); v <= Math.min(row - 1, y + reach); v++)
    for (let u = Math.max(0, x - reach); u <= Math.min(row - 1, x + reach); u++)
      for (let channel = 0; channel < CHANNELS; channel++)
        all[to + channel]! += map[(v * row + u) * CHANNELS + channel]! / side ** 2;
}
