import { isFace, type FaceRegion } from './faceRegion.ts';

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
function alongAxis({ size, luma }: FaceRegion, step: number): number {
  let before = 0;
  let lost = 0;
  for (let row = REACH + 1; row < size - REACH; row++) {
    for (let column = REACH + 1; column < size - REACH; column++) {
      if (!isFace(column, row)) continue;
      const at = row * size + column;
      const difference = Math.abs(luma[at]! - luma[at - step]!);
      // The difference of two neighbouring running means is that of the pixels that enter and leave the window.
      const blurred = Math.abs(luma[at + REACH * step]! - luma[at - (REACH + 1) * step]!) / (2 * REACH + 1);
      before += difference;
      lost += Math.max(0, difference - blurred);
    }
  }
  return before === 0 ? 0 : lost / before;
}
