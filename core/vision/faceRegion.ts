/** The aligned picture on which the quality of a face is measured, and its sharpness and light. */
import { thumbnailToImage } from './alignment.ts';
import type { ImageView } from './imageView.ts';
import type { MeshedFace } from './mesh.ts';
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
