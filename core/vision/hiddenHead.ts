/** Heads that a veil, a blur or paint hides: what detail is left inside, and what there is around. */
import type { Proposal } from './detection.ts';
import { squareOnto } from './geometry.ts';
import law from './hiddenHead.json' with { type: 'json' };
import type { ImageView } from './imageView.ts';
import { luma } from './raster.ts';

/** Pixels of the side of the picture of a proposal, which is twice as wide as the proposal. */
const SIDE = 96;
const RADII = [1, 3, 7, 16] as const;
/** Ellipses around the middle: the face, its rim, what is around. In halves of the side of the proposal. */
const REGIONS = [0.8, 1.3, 2] as const;
/** Width of the ellipses over their height. */
const WIDTH = 0.85;
/** A tone this near the mean, of 255, is level with it. */
const LEVEL = 4;

/** Whether a proposal lies on a hidden head. @param widest width of the largest confirmed face, pixels of the image. */
export function isHiddenHead(view: ImageView, proposal: Proposal, widest: number): boolean {
  const traces = tracesOf(view, proposal, widest);
  const log = traces.reduce((sum, trace, i) => sum + law.weights[i]! * trace, law.intercept);
  return log >= law.least;
}

/**
 * The numbers that `hiddenHead.json` weighs: score, its root, size, tone; detail of four widths over the three regions;
 * spread and level share inside; how far the tones of rim and surroundings are from it. The weights are a logistic
 * regression (ridge 1) on 2,126 photos of LFW and 598 on sheets without, and 171 composed photos with a head that is
 * hidden by a niqab, a blur, white paint or squares.
 */
export function tracesOf(view: ImageView, { score, side, center }: Proposal, widest: number): number[] {
  const grey = luma(view.sample(squareOnto(SIDE, center, side * 2, 0), SIDE, SIDE));
  const means = PIXELS.map((pixels) => meanOver(pixels, (at) => grey[at]!));
  const traces = [score, Math.sqrt(score), logOf(side / widest), means[0]! / 255];
  let finer = grey;
  for (const radius of RADII) {
    const coarser = boxBlurred(grey, radius);
    const before = finer;
    for (const pixels of PIXELS)
      traces.push(logOf(meanOver(pixels, (at) => Math.abs(before[at]! - coarser[at]!))));
    finer = coarser;
  }
  const [mean = 0, rim = 0, around = 0] = means;
  const [inside] = PIXELS;
  const spread = meanOver(inside!, (at) => Math.abs(grey[at]! - mean));
  const level = meanOver(inside!, (at) => (Math.abs(grey[at]! - mean) <= LEVEL ? 1 : 0));
  traces.push(logOf(spread), level, logOf(Math.abs(mean - rim)), logOf(Math.abs(mean - around)));
  return traces;
}

function logOf(value: number): number {
  return Math.log(value + 0.1);
}

/** The pixels of each region, as indices of the picture. */
const PIXELS = REGIONS.map((outer, region) => {
  const inner = REGIONS[region - 1] ?? 0;
  const pixels: number[] = [];
  for (let at = 0; at < SIDE * SIDE; at++) {
    const x = ((at % SIDE) + 0.5 - SIDE / 2) / WIDTH;
    const y = Math.floor(at / SIDE) + 0.5 - SIDE / 2;
    const radius = Math.hypot(x, y) / (SIDE / 4);
    if (radius >= inner && radius < outer) pixels.push(at);
  }
  return Uint16Array.from(pixels);
});

function meanOver(pixels: Uint16Array, valueOf: (at: number) => number): number {
  let sum = 0;
  for (const at of pixels) sum += valueOf(at);
  return sum / pixels.length;
}

/** Means over squares of 2 · radius + 1 pixels; beyond its edges the picture goes on as they are. */
function boxBlurred(grey: Float32Array, radius: number): Float32Array {
  return alongLines(alongLines(grey, radius, 1), radius, SIDE);
}

function alongLines(grey: Float32Array, radius: number, step: number): Float32Array {
  const across = step === 1 ? SIDE : 1;
  const window = 2 * radius + 1;
  const line = new Float32Array(SIDE + window);
  const result = new Float32Array(grey.length);
  for (let start = 0; start < SIDE * across; start += across) {
    for (let i = 0; i < SIDE; i++) line[radius + i] = grey[start + i * step]!;
    line.fill(line[radius]!, 0, radius);
    line.fill(line[radius + SIDE - 1]!, radius + SIDE);
    let sum = 0;
    for (let i = 0; i < window; i++) sum += line[i]!;
    for (let i = 0; i < SIDE; i++) {
      result[start + i * step] = sum / window;
      sum += line[i + window]! - line[i]!;
    }
  }
  return result;
}
