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
  return Math.min(alongAxis(region, 1), alongAxis(region, region.size));
}

/** `step`: 1 along the rows, the row length down the columns. */
function alongAxis({ size, luma: light }: FaceRegion, step: number): number {
  let before = 0;
  let lost = 0;
  for (let row = REACH + 1; row < size - REACH; row++) {
    for (let column = REACH + 1; column < size - REACH; column++) {
      if (!isFace(column, row)) continue;
      const at = row * size + column;
      const difference = Math.abs(light[at]! - light[at - step]!);
      // The difference of two neighbouring running means is that of the pixels that enter and leave the window.
      const blurred = Math.abs(light[at + REACH * step]! - light[at - (REACH + 1) * step]!) / (2 * REACH + 1);
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
