/** BlazeFace (MediaPipe, back camera, from @vladmandic/human): finds faces in a square image. */
import { loadNet } from './net.ts';

/** Side of the image it looks at, pixels. */
export const BLAZEFACE_SIZE = 256;

/** A place where a face may be, in pixels of the 256 × 256 image; the box may reach beyond its edges. */
export interface FaceCandidate {
  /** 0 to 1. */
  score: number;
  x: number;
  y: number;
  width: number;
  height: number;
  /**
   * Six points as x, y pairs: the eye that is left in an upright image, the right eye, nose tip, mouth, the left ear,
   * the right ear.
   */
  points: Float32Array;
}

/**
 * @param image 256 × 256 × 3 bytes, RGB; left unchanged until the promise settles.
 * @param minScore candidates below are left out, 0 to 1.
 * @returns the candidates, best first; several lie on every face, to be merged by the caller.
 */
export type BlazeFace = (image: Uint8Array, minScore: number) => Promise<FaceCandidate[]>;

/** Numbers per anchor: centre x, y, width, height, then six points; all but the sizes relative to the anchor. */
const NUMBERS = 16;
/** The two grids of anchors: side of a cell in pixels, anchors in each cell's centre. */
const GRIDS = [
  { name: '16', cell: 16, anchors: 2 },
  { name: '8', cell: 32, anchors: 6 },
] as const;

/** @throws Error as `loadNet` does. */
export async function loadBlazeFace(modelsFolder: string): Promise<BlazeFace> {
  const net = await loadNet(modelsFolder, 'blazeface');
  return async (image, minScore) => {
    const outputs = await net.run(image);
    const found = GRIDS.flatMap(({ name, cell, anchors }) =>
      decode(outputs[`scores${name}`]!, outputs[`boxes${name}`]!, { cell, anchors, minScore }),
    );
    return found.sort((a, b) => b.score - a.score);
  };
}

interface Grid {
  cell: number;
  anchors: number;
  minScore: number;
}

function decode(logits: Float32Array, boxes: Float32Array, grid: Grid): FaceCandidate[] {
  const cellsPerRow = BLAZEFACE_SIZE / grid.cell;
  // Comparing logits spares 896 exponentials for the few that pass.
  const minLogit = Math.log(grid.minScore / (1 - grid.minScore));
  const found: FaceCandidate[] = [];
  for (const [i, logit] of logits.entries()) {
    if (logit < minLogit) continue;
    const place = Math.floor(i / grid.anchors);
    const anchorX = ((place % cellsPerRow) + 0.5) * grid.cell;
    const anchorY = (Math.floor(place / cellsPerRow) + 0.5) * grid.cell;
    const numbers = boxes.subarray(i * NUMBERS, (i + 1) * NUMBERS);
    const width = numbers[2]!;
    const height = numbers[3]!;
    found.push({
      score: 1 / (1 + Math.exp(-logit)),
      x: anchorX + numbers[0]! - width / 2,
      y: anchorY + numbers[1]! - height / 2,
      width,
      height,
      points: numbers.slice(4).map((offset, at) => offset + (at % 2 === 0 ? anchorX : anchorY)),
    });
  }
  return found;
}
