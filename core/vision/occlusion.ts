/** Whether eyes or mouth and nose are covered: by a bar, dark glasses, a mask, a hand. */
import type { FacePicture } from './faceRegion.ts';
import fitted from './occlusion.json' with { type: 'json' };

/**
 * A small net over gradients, tones and colours of the aligned face: units that pass on what is positive, then one
 * logistic unit for each part. Fitted by `research/occlusion` on press photos on which it paints covers of many kinds
 * (ADR 0014).
 */
export interface OcclusionNet {
  hidden: readonly Unit[];
  eyes: Unit;
  mouth: Unit;
}

export interface Unit {
  bias: number;
  weights: readonly number[];
}

export interface Occlusion {
  /** Probability that the eyes are covered, 0 to 1; nose and mouth likewise. */
  eyesCovered: number;
  mouthCovered: number;
}

export function occlusion(picture: FacePicture): Occlusion {
  return judgeOcclusion(fitted, occlusionFeatures(picture));
}

/** @param features as {@link occlusionFeatures} gives them */
export function judgeOcclusion({ hidden, eyes, mouth }: OcclusionNet, features: Float32Array): Occlusion {
  const passed = Float32Array.from(hidden, (unit) => Math.max(0, weigh(unit, features)));
  const probability = (unit: Unit) => 1 / (1 + Math.exp(-weigh(unit, passed)));
  return { eyesCovered: probability(eyes), mouthCovered: probability(mouth) };
}

function weigh({ bias, weights }: Unit, inputs: Float32Array): number {
  return inputs.reduce((sum, value, i) => sum + value * weights[i]!, bias);
}

/** Side of the picture that is looked at, and of the cells in which gradients are counted and colours averaged. */
const SIDE = 64;
const CELL = 8;
const BINS = 8;
const CELLS = SIDE / CELL;
/** Rows of cells in which the eyes with their brows lie, and nose and mouth; both use the six middle columns. */
const EYE_ROWS = [1, 4] as const;
const MOUTH_ROWS = [4, 7] as const;
const COLUMNS = [1, 7] as const;
const ACROSS = COLUMNS[1] - COLUMNS[0];

/** Steps in which differences of colour and of tone are counted, of 255, and the most that colour may differ. */
const COLOUR_STEP = 16;
const TONE_STEP = 64;
const MAX_COLOUR_STEPS = 3;
/** A picture with less colour than this, of 255, on average is a grey one. */
const GREY = 2;

/** The face at 64 × 64, each value the mean over the pixels it covers, 0 to 255; colours as JPEG has them, around 0. */
interface Planes {
  tone: Float32Array;
  blueness: Float32Array;
  redness: Float32Array;
}

/**
 * The inputs of the net. Of each part its gradient histograms, at unit length, and how its cells differ in colour and tone
 * from what is usual in the other part: a cover has another colour than the skin that it leaves free. Of both, how they
 * differ as a whole, and whether there is colour at all.
 */
export function occlusionFeatures(picture: FacePicture): Float32Array {
  const planes = reduce(picture);
  const histograms = gradientHistograms(planes.tone);
  const [eyes, mouth] = [EYE_ROWS, MOUTH_ROWS].map((rows) => cellsOf(histograms, rows, BINS)) as [
    Float32Array,
    Float32Array,
  ];
  const [above, below] = [statistics(planes.tone, EYE_ROWS), statistics(planes.tone, MOUTH_ROWS)];
  const [eyeStrength, mouthStrength] = [Math.hypot(...eyes) + 1, Math.hypot(...mouth) + 1];
  return Float32Array.from([
    ...eyes.map((value) => (4 * value) / eyeStrength),
    ...mouth.map((value) => (4 * value) / mouthStrength),
    Math.log(eyeStrength / mouthStrength),
    (above.mean - below.mean) / TONE_STEP,
    Math.log((above.deviation + 2) / (below.deviation + 2)),
    ...colourFeatures(planes, EYE_ROWS, MOUTH_ROWS),
    ...colourFeatures(planes, MOUTH_ROWS, EYE_ROWS),
    isGrey(planes) ? 1 : 0,
  ]);
}

function reduce({ size, raster: { data } }: FacePicture): Planes {
  const [tone, blueness, redness] = [0, 1, 2].map(() => new Float32Array(SIDE * SIDE)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const factor = size / SIDE;
  const share = 1 / factor ** 2;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = (y * size + x) * 3;
      const to = Math.floor(y / factor) * SIDE + Math.floor(x / factor);
      const luma = 0.299 * data[from]! + 0.587 * data[from + 1]! + 0.114 * data[from + 2]!;
      tone[to]! += luma * share;
      blueness[to]! += 0.564 * (data[from + 2]! - luma) * share;
      redness[to]! += 0.713 * (data[from]! - luma) * share;
    }
  }
  return { tone, blueness, redness };
}

/** Gradient strength by direction (half turn in eight bins, shared between the two nearest) in each cell. */
function gradientHistograms(grey: Float32Array): Float32Array {
  const histograms = new Float32Array(CELLS * CELLS * BINS);
  for (let y = 1; y < SIDE - 1; y++) {
    for (let x = 1; x < SIDE - 1; x++) {
      const at = y * SIDE + x;
      const dx = grey[at + 1]! - grey[at - 1]!;
      const dy = grey[at + SIDE]! - grey[at - SIDE]!;
      const strength = Math.hypot(dx, dy);
      const turn = (Math.atan2(dy, dx) / Math.PI + 1) * BINS;
      const bin = Math.floor(turn);
      const cell = (Math.floor(y / CELL) * CELLS + Math.floor(x / CELL)) * BINS;
      histograms[cell + (bin % BINS)]! += strength * (1 - (turn - bin));
      histograms[cell + ((bin + 1) % BINS)]! += strength * (turn - bin);
    }
  }
  return histograms;
}

type Rows = readonly [number, number];

/** The values of the cells of a part, `each` per cell, row by row. */
function cellsOf(cells: Float32Array, [from, to]: Rows, each: number): Float32Array {
  const values = new Float32Array((to - from) * ACROSS * each);
  for (let row = from; row < to; row++) {
    const start = (row * CELLS + COLUMNS[0]) * each;
    values.set(cells.subarray(start, start + ACROSS * each), (row - from) * ACROSS * each);
  }
  return values;
}

function statistics(grey: Float32Array, [from, to]: Rows): { mean: number; deviation: number } {
  const values: number[] = [];
  for (let y = from * CELL; y < to * CELL; y++)
    values.push(...grey.subarray(y * SIDE + COLUMNS[0] * CELL, y * SIDE + COLUMNS[1] * CELL));
  return { mean: mean(values), deviation: deviation(values) };
}

/** How each cell of a part differs in colour and tone from the middle one of the other part. */
function colourFeatures(planes: Planes, rows: Rows, others: Rows): number[] {
  const [tones, blues, reds] = [planes.tone, planes.blueness, planes.redness].map((plane) => {
    const means = cellMeans(plane);
    const there = cellsOf(means, others, 1);
    const middle = median(there);
    return { here: [...cellsOf(means, rows, 1)].map((value) => value - middle), spread: deviation(there) };
  }) as [Differences, Differences, Differences];
  const [blue, red] = [blues, reds].map(({ here }) => here.map((value) => value / COLOUR_STEP)) as [
    number[],
    number[],
  ];
  const tone = tones.here.map((value) => value / TONE_STEP);
  const rowMeans = (values: number[]) =>
    [0, 1, 2].map((row) => mean(values.slice(row * ACROSS, (row + 1) * ACROSS)));
  return [
    ...blue.map((value, i) => Math.min(MAX_COLOUR_STEPS, Math.hypot(value, red[i]!))),
    Math.hypot(mean(blue), mean(red)),
    ...rowMeans(blue),
    ...rowMeans(red),
    Math.hypot(blues.spread, reds.spread) / COLOUR_STEP,
    ...tone.map(Math.abs),
    ...tone,
  ];
}

interface Differences {
  here: number[];
  spread: number;
}

function isGrey({ blueness, redness }: Planes): boolean {
  const [blue, red] = [blueness, redness].map((plane) =>
    cellsOf(cellMeans(plane), [EYE_ROWS[0], MOUTH_ROWS[1]], 1),
  ) as [Float32Array, Float32Array];
  return mean([...blue].map((value, i) => Math.hypot(value, red[i]!))) < GREY;
}

function cellMeans(plane: Float32Array): Float32Array {
  const means = new Float32Array(CELLS * CELLS);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++)
      means[Math.floor(y / CELL) * CELLS + Math.floor(x / CELL)]! += plane[y * SIDE + x]! / CELL ** 2;
  return means;
}

type Numbers = readonly number[] | Float32Array;

function mean(values: Numbers): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function deviation(values: Numbers): number {
  const middle = mean(values);
  let squares = 0;
  for (const value of values) squares += (value - middle) ** 2;
  return Math.sqrt(squares / values.length);
}

/** Of an even number of values. */
function median(values: Float32Array): number {
  const sorted = values.toSorted();
  return (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2;
}
