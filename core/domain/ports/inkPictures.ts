/** The ink that the signature matcher found in an image. */

/** The cleaned ink of one image as a PNG: dark strokes on white, what the matcher saw. */
export interface InkPicture {
  png: Uint8Array;
  width: number;
  height: number;
}

/** Maps pixels (x, y) of the second ink picture onto the first: x' = a·x + b·y + c, y' = d·x + e·y + f. */
export type InkAlignment = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
