import { isFace, type FaceRegion } from './faceRegion.ts';

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

export function exposure({ size, luma }: FaceRegion): Exposure {
  let count = 0;
  let sum = 0;
  let dark = 0;
  let bright = 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (!isFace(column, row)) continue;
      const value = luma[row * size + column]!;
      count++;
      sum += value;
      if (value <= BLACK) dark++;
      if (value >= WHITE) bright++;
    }
  }
  return { brightness: sum / count / 255, underexposed: dark / count, overexposed: bright / count };
}
