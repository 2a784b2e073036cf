/** Whether eyes or mouth and nose are covered: by a bar, dark glasses, a mask, a hand. */
import type { FaceRegion } from './faceRegion.ts';
import weights from './occlusion.json' with { type: 'json' };

/**
 * Two logistic classifiers over gradient histograms of the aligned face, fitted by `bench/occlusion` on press photos
 * on which it paints covers of many kinds.
 */
export interface OcclusionWeights {
  eyes: { bias: number; weights: readonly number[] };
  mouth: { bias: number; weights: readonly number[] };
}

export interface Occlusion {
  /** Probability that the eyes are covered, 0 to 1; nose and mouth likewise. */
  eyesCovered: number;
  mouthCovered: number;
}

export function occlusion(region: FaceRegion): Occlusion {
  const { eyes, mouth } = occlusionFeatures(region);
  return { eyesCovered: probability(eyes, weights.eyes), mouthCovered: probability(mouth, weights.mouth) };
}

function probability(features: Float32Array, model: OcclusionWeights['eyes']): number {
  const sum = features.reduce((total, value, i) => total + value * model.weights[i]!, model.bias);
  return 1 / (1 + Math.exp(-sum));
}

/** Side of the picture that gradients are taken on, and of the cells in which they are counted. */
const SIDE = 64;
const CELL = 8;
const BINS = 8;
const CELLS = SIDE / CELL;
/** Rows of cells in which the eyes with their brows lie, and nose and mouth; both use the six middle columns. */
const EYE_ROWS = [1, 4] as const;
const MOUTH_ROWS = [4, 7] as const;
const COLUMNS = [1, 7] as const;

/** What the classifiers look at: for each part its gradient histograms, at unit length, and how it differs from the rest. */
export function occlusionFeatures(region: FaceRegion): { eyes: Float32Array; mouth: Float32Array } {
  const grey = reduce(region);
  const histograms = gradientHistograms(grey);
  return {
    eyes: partFeatures(grey, histograms, EYE_ROWS, MOUTH_ROWS),
    mouth: partFeatures(grey, histograms, MOUTH_ROWS, EYE_ROWS),
  };
}

/** The region at 64 × 64, each pixel the mean of those it covers. */
function reduce({ size, luma }: FaceRegion): Float32Array {
  const factor = size / SIDE;
  const grey = new Float32Array(SIDE * SIDE);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      grey[Math.floor(y / factor) * SIDE + Math.floor(x / factor)]! += luma[y * size + x]! / factor ** 2;
    }
  }
  return grey;
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

function partFeatures(grey: Float32Array, histograms: Float32Array, rows: Rows, others: Rows): Float32Array {
  const part = cellsOf(histograms, rows);
  const length = Math.hypot(...part) + 1;
  const [here, there] = [statistics(grey, rows), statistics(grey, others)];
  return Float32Array.from([
    ...part.map((value) => (value / length) * 4),
    Math.log(length / (Math.hypot(...cellsOf(histograms, others)) + 1)),
    (here.mean - there.mean) / 64,
    Math.log((here.deviation + 2) / (there.deviation + 2)),
  ]);
}

function cellsOf(histograms: Float32Array, [from, to]: Rows): number[] {
  const values: number[] = [];
  for (let row = from; row < to; row++) {
    const start = (row * CELLS + COLUMNS[0]) * BINS;
    values.push(...histograms.subarray(start, start + (COLUMNS[1] - COLUMNS[0]) * BINS));
  }
  return values;
}

function statistics(grey: Float32Array, [from, to]: Rows): { mean: number; deviation: number } {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let y = from * CELL; y < to * CELL; y++) {
    for (let x = COLUMNS[0] * CELL; x < COLUMNS[1] * CELL; x++) {
      const value = grey[y * SIDE + x]!;
      count++;
      sum += value;
      squares += value * value;
    }
  }
  const mean = sum / count;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}
