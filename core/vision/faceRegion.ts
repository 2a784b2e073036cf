/** The aligned picture on which the quality of a face is measured, and its sharpness and light. */
import { thumbnailToImage } from './alignment.ts';
import type { ImageView } from './imageView.ts';
import { interEyeDistance, type MeshedFace } from './mesh.ts';
import { luma, type Raster } from './raster.ts';

/** Side of the aligned picture, pixels; the eyes are 45 apart on it. */
export const FACE_REGION_SIZE = 128;

export interface FaceRegion {
  size: number;
  /** 0 to 255. */
  luma: Float32Array;
}

/** The same in colour. */
export interface FacePicture extends FaceRegion {
  raster: Raster;
}

export function faceRegion(view: ImageView, face: MeshedFace): FacePicture {
  const size = FACE_REGION_SIZE;
  const raster = view.sample(thumbnailToImage(face, size), size, size);
  return { size, luma: luma(raster), raster };
}

/** Centre and half axes of the ellipse that the skin of a frontal face fills on an aligned crop, shares of its side. */
const SKIN = { x: 0.5, y: 0.52, across: 0.3, down: 0.38 };

/** Whether the pixel in this column and row of the region shows the face rather than hair or background. */
export function isFace(column: number, row: number): boolean {
  const x = ((column + 0.5) / FACE_REGION_SIZE - SKIN.x) / SKIN.across;
  const y = ((row + 0.5) / FACE_REGION_SIZE - SKIN.y) / SKIN.down;
  return x * x + y * y <= 1;
}

/** Pixels over which the picture is blurred once more. */
const REACH = 4;

/**
 * How much of the difference between neighbouring pixels is lost when the face is blurred once more: a sharp face
 * loses nearly all of it, a blurred one had little to lose. Independent of contrast and brightness.
 * Source: Crété-Roffet, Dolmiere, Ladret, Nicolas: The blur effect (SPIE 6492, 2007); theirs is 1 minus this.
 * @returns 0 (no focus) to 1; the worse of the two directions, so that motion blur shows.
 */
export function sharpness(region: FaceRegion): number {
  return lostByBlur(region, REACH);
}

function lostByBlur(region: FaceRegion, reach: number): number {
  return Math.min(alongAxis(region, 1, reach), alongAxis(region, region.size, reach));
}

/** No lens draws a face sharper than this: what is beyond it is grain, noise, or the dots of a print. */
export const SHARPEST = 0.55;

export interface Focus {
  /** Without the dots of a print; 0 to 1. */
  sharpness: number;
  /** The sharpness with all that is there; beyond {@link SHARPEST} it is that of grain or dots. */
  grain: number;
}

export function focus(view: ImageView, face: MeshedFace, region: FaceRegion): Focus {
  if (isPixelated(view, face)) return { sharpness: 0, grain: 0 };
  const grain = sharpness(region);
  if (grain <= SHARPEST) return { sharpness: grain, grain };
  const coarse = lostByBlur(withoutDots(view, face), COARSE.reach);
  return { sharpness: Math.min(grain, coarse * (COARSE.slope + COARSE.bend * coarse)), grain };
}

/**
 * Dots of a print are finer than what tells a blurred face from a sharp one. In a smooth picture of half the side they are gone, and a
 * face without dots is as sharp as `slope` and `bend` say (bench/README.md).
 */
const COARSE = { reach: 2, slope: 1.02, bend: 0.88 };
/** The face is sampled so many times as fine as the smooth picture; deviation of the smoothing in these fine pixels. */
const [FINE, SMOOTHING] = [4, 3];
const WEIGHTS = Array.from(
  { length: 6 * SMOOTHING + FINE },
  (_, i, middle = 3 * SMOOTHING + (FINE - 1) / 2) => Math.exp(-((i - middle) ** 2) / (2 * SMOOTHING ** 2)),
);
const SUM_OF_WEIGHTS = WEIGHTS.reduce((sum, weight) => sum + weight, 0);

/** The face at half the side of its region, smoothed until no dot of a print is left. */
function withoutDots(view: ImageView, face: MeshedFace): FaceRegion {
  const size = FACE_REGION_SIZE / 2;
  const fine = FINE * size;
  const light = luma(view.sample(thumbnailToImage(face, fine), fine, fine));
  return { size, luma: narrowed(narrowed(light, fine), fine) };
}

/**
 * The rows, smoothed along and with one pixel for {@link FINE}, as columns: done twice, a picture is upright again.
 * @param length of a row
 */
function narrowed(light: Float32Array, length: number): Float32Array {
  const [rows, columns] = [light.length / length, length / FINE];
  const narrow = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let i = 0; i < WEIGHTS.length; i++) {
        const at = Math.min(length - 1, Math.max(0, FINE * column + i - 3 * SMOOTHING));
        sum += WEIGHTS[i]! * light[row * length + at]!;
      }
      narrow[column * rows + row] = sum / SUM_OF_WEIGHTS;
    }
  return narrow;
}

/** `step`: 1 along the rows, the row length down the columns. */
function alongAxis({ size, luma: light }: FaceRegion, step: number, reach: number): number {
  const zoom = FACE_REGION_SIZE / size;
  let before = 0;
  let lost = 0;
  for (let row = reach + 1; row < size - reach; row++) {
    for (let column = reach + 1; column < size - reach; column++) {
      if (!isFace(zoom * (column + 0.5) - 0.5, zoom * (row + 0.5) - 0.5)) continue;
      const at = row * size + column;
      const difference = Math.abs(light[at]! - light[at - step]!);
      // The difference of two neighbouring running means is that of the pixels that enter and leave the window.
      const blurred = Math.abs(light[at + reach * step]! - light[at - (reach + 1) * step]!) / (2 * reach + 1);
      before += difference;
      lost += Math.max(0, difference - blurred);
    }
  }
  return before === 0 ? 0 : lost / before;
}

/** Side of the picture in which squares are looked for, pixels, and the share of a face's box that it leaves out on each side. */
const [SQUARES_SIDE, INSET] = [128, 0.2];
/** Squares of which the eyes are so many apart at most hide who it is, and no face is found in fewer (bench/README.md). */
const SQUARES_BETWEEN_EYES = { least: 2, most: 11 };
/** Steps of the search for their side: a face of 25 squares shows a comb in sides that are off by less. */
const SIDE_STEP = 1.02;
/** Of faces made of squares so much of the contrast lies on a grid: 0.57 or more; of other photos 0.39 or less (bench/README.md). */
const ON_GRID = 0.5;

/** Whether a face is made of squares of one tone each, as software hides people. Each square's edges look sharp. */
export function isPixelated(view: ImageView, face: MeshedFace): boolean {
  const { x: left, y: top, width: across, height: down } = face.box;
  const pixel = ((1 - 2 * INSET) * across) / SQUARES_SIDE;
  const height = Math.round(((1 - 2 * INSET) * down) / pixel);
  const corner = { tx: left + INSET * across, ty: top + INSET * down };
  const light = luma(view.sample({ a: pixel, b: 0, ...corner }, SQUARES_SIDE, height));
  const columns = new Float64Array(SQUARES_SIDE);
  const rows = new Float64Array(height);
  for (let y = 1; y < height; y++)
    for (let x = 1; x < SQUARES_SIDE; x++) {
      const at = y * SQUARES_SIDE + x;
      columns[x]! += Math.abs(light[at]! - light[at - 1]!);
      rows[y]! += Math.abs(light[at]! - light[at - SQUARES_SIDE]!);
    }
  const between = interEyeDistance(face) / pixel;
  return Math.min(onGrid(columns, between), onGrid(rows, between)) > ON_GRID;
}

/** The largest share of the contrasts that lie at even distances: the amplitude of that period over the sum. */
function onGrid(contrasts: Float64Array, between: number): number {
  let [sum, largest] = [0, 0];
  for (const contrast of contrasts) sum += contrast;
  const longest = between / SQUARES_BETWEEN_EYES.least;
  for (let side = between / SQUARES_BETWEEN_EYES.most; side <= longest; side *= SIDE_STEP) {
    // The turn from one pixel to the next; its powers are multiplied, which is faster than a sine for each.
    const [stepRe, stepIm] = [Math.cos((2 * Math.PI) / side), Math.sin((2 * Math.PI) / side)];
    let [turnRe, turnIm, re, im] = [1, 0, 0, 0];
    for (const contrast of contrasts) {
      re += contrast * turnRe;
      im += contrast * turnIm;
      [turnRe, turnIm] = [turnRe * stepRe - turnIm * stepIm, turnRe * stepIm + turnIm * stepRe];
    }
    largest = Math.max(largest, Math.hypot(re, im));
  }
  return sum === 0 ? 0 : largest / sum;
}

/** Luma up to, and from which, a pixel counts as clipped; a little inside 0 and 255, where JPEG noise puts it. */
const BLACK = 8;
const WHITE = 247;

export interface Exposure {
  /** Mean luma of the face, 0 to 1. */
  brightness: number;
  /** Shares of the face that are clipped to black or to white. */
  underexposed: number;
  overexposed: number;
}

export function exposure({ size, luma: light }: FaceRegion): Exposure {
  let count = 0;
  let sum = 0;
  let dark = 0;
  let bright = 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (!isFace(column, row)) continue;
      const value = light[row * size + column]!;
      count++;
      sum += value;
      if (value <= BLACK) dark++;
      if (value >= WHITE) bright++;
    }
  }
  return { brightness: sum / count / 255, underexposed: dark / count, overexposed: bright / count };
}
