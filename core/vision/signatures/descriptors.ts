/** What the line looks like around a point: 8 directions in 4 × 4 cells, at two scales. */
import type { OrientedPoints } from './points.ts';

export const DIRECTIONS = 8;

/** Distance between the cells' centres in units, for the two scales. */
const CELLS = [0.19, 0.42] as const;
const SIDE = 4;
const LENGTH_PER_SCALE = SIDE * SIDE * DIRECTIONS;
export const DESCRIPTOR_LENGTH = LENGTH_PER_SCALE * CELLS.length;
/** After Lowe (2004): no single cell may say more than this. */
const CLIP = 0.25;

/** A direction as a number from 0 to 8. */
export function directionOf(angle: number): number {
  const turn = angle / Math.PI;
  return (turn - Math.floor(turn)) * DIRECTIONS;
}

/**
 * Descriptors of some of the points, one after the other, each of length {@link DESCRIPTOR_LENGTH}; both scales are
 * unit vectors times √½, so the dot product of two descriptors is 0 to 1.
 */
export function describe(points: OrientedPoints, keypoints: Int32Array): Float32Array {
  const out = new Float32Array(keypoints.length * DESCRIPTOR_LENGTH);
  const directions = Float64Array.from(points.angle, directionOf);
  for (let i = 0; i < keypoints.length; i++)
    CELLS.forEach((cell, scale) => {
      const start = i * DESCRIPTOR_LENGTH + scale * LENGTH_PER_SCALE;
      gather(points, directions, keypoints[i]!, cell, out, start);
      normalise(out, start);
    });
  return out;
}

/** Shares every point near a keypoint among the four nearest cells and the two nearest directions. */
function gather(
  points: OrientedPoints,
  directions: Float64Array,
  keypoint: number,
  cell: number,
  out: Float32Array,
  start: number,
): void {
  const centreX = points.x[keypoint]!;
  const centreY = points.y[keypoint]!;
  for (let i = 0; i < points.count; i++) {
    const u = (points.x[i]! - centreX) / cell + 1.5;
    const v = (points.y[i]! - centreY) / cell + 1.5;
    if (u <= -1 || v <= -1 || u >= SIDE || v >= SIDE) continue;
    const left = Math.floor(u);
    const top = Math.floor(v);
    const right = u - left;
    const down = v - top;
    const k = Math.floor(directions[i]!) % DIRECTIONS;
    const next = (k + 1) % DIRECTIONS;
    const share = directions[i]! - Math.floor(directions[i]!);
    for (let dy = 0; dy <= 1; dy++) {
      const row = top + dy;
      if (row < 0 || row >= SIDE) continue;
      for (let dx = 0; dx <= 1; dx++) {
        const column = left + dx;
        if (column < 0 || column >= SIDE) continue;
        const weight = (dx === 1 ? right : 1 - right) * (dy === 1 ? down : 1 - down);
        const at = start + (row * SIDE + column) * DIRECTIONS;
        out[at + k]! += weight * (1 - share);
        out[at + next]! += weight * share;
      }
    }
  }
}

/** Root of each cell (a thick bundle says less than its parts together), unit length, clipped, unit length again. */
function normalise(out: Float32Array, start: number): void {
  const end = start + LENGTH_PER_SCALE;
  for (let i = start; i < end; i++) out[i] = Math.sqrt(out[i]!);
  scaleTo(out, start, end, 1);
  for (let i = start; i < end; i++) out[i] = Math.min(CLIP, out[i]!);
  scaleTo(out, start, end, Math.SQRT1_2);
}

function scaleTo(out: Float32Array, start: number, end: number, length: number): void {
  let squares = 0;
  for (let i = start; i < end; i++) squares += out[i]! * out[i]!;
  const factor = squares > 0 ? length / Math.sqrt(squares) : 0;
  for (let i = start; i < end; i++) out[i]! *= factor;
}
