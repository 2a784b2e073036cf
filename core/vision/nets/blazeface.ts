/**
 * BlazeFace (MediaPipe, back camera, from @vladmandic/human): finds faces in a square image. A small net on its last
 * features, of our own, finds heads, also hidden ones.
 */
import law from './heads.json' with { type: 'json' };
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

/** A place where a head may be, covered or not, from the front or from behind; pixels of the 256 × 256 image. */
export interface HeadCandidate {
  /** Natural logarithm of the odds. */
  odds: number;
  /** The cell of the picture that answers: its middle. */
  cell: { x: number; y: number };
  /** Middle of the face, or of where it would be. */
  x: number;
  y: number;
  /** Of the face, cheek to cheek. */
  width: number;
}

/**
 * @param image 256 × 256 × 3 bytes, RGB; left unchanged until the promise settles.
 * @param minScore candidates below are left out, 0 to 1.
 * @returns the candidates, best first; several lie on every face and head, to be merged by the caller.
 */
export type BlazeFace = (
  image: Uint8Array,
  minScore: number,
) => Promise<{ faces: FaceCandidate[]; heads: HeadCandidate[] }>;

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
    const heads = headsOf(outputs.heads16!, outputs.heads8!);
    return {
      faces: found.sort((a, b) => b.score - a.score),
      heads: heads.sort((a, b) => b.odds - a.odds),
    };
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

/** Side of a cell that answers whether a head is there, pixels of the picture. */
export const HEAD_CELL = GRIDS[0].cell;

/** Heads of lower odds are not worth telling. */
const LEAST_ODDS = -2;
/** Unit of the widths that the net answers with. */
const WIDTH = 32;
const BIAS = Float32Array.from(law.bias);
/** Logarithm of the odds, place across and down in cells, logarithm to base 2 of the width; of each the bias in front. */
const [OF_HEAD, OF_X, OF_Y, OF_WIDTH] = law.answers.map((weights) => Float32Array.from(weights));

/**
 * The second layer of the net for heads, whose first one is part of the ONNX file: for each of the 16 × 16 cells it
 * sums up the cell and what is around it, at two grids. `npm run research -- heads` fits both.
 */
function headsOf(sums16: Float32Array, sums8: Float32Array): HeadCandidate[] {
  const [grid] = GRIDS;
  const cellsPerRow = BLAZEFACE_SIZE / grid.cell;
  const passed = new Float32Array(BIAS.length);
  const found: HeadCandidate[] = [];
  for (let cell = 0; cell < cellsPerRow ** 2; cell++) {
    const [column, row] = [cell % cellsPerRow, Math.floor(cell / cellsPerRow)];
    const in16 = cell * passed.length;
    const in8 = ((row >> 1) * (cellsPerRow >> 1) + (column >> 1)) * passed.length;
    for (let unit = 0; unit < passed.length; unit++)
      passed[unit] = Math.max(0, BIAS[unit]! + sums16[in16 + unit]! + sums8[in8 + unit]!);
    const odds = answerOf(OF_HEAD!, passed);
    if (odds < LEAST_ODDS) continue;
    const middle = { x: (column + 0.5) * grid.cell, y: (row + 0.5) * grid.cell };
    found.push({
      odds,
      cell: middle,
      x: middle.x + answerOf(OF_X!, passed) * grid.cell,
      y: middle.y + answerOf(OF_Y!, passed) * grid.cell,
      width: WIDTH * 2 ** answerOf(OF_WIDTH!, passed),
    });
  }
  return found;
}

function answerOf(weights: Float32Array, passed: Float32Array): number {
  let sum = weights[0]!;
  for (let unit = 0; unit < passed.length; unit++) sum += weights[unit + 1]! * passed[unit]!;
  return sum;
}
