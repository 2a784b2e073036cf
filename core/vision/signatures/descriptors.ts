/** What the line looks like around a point: 8 directions in 4 × 4 cells, at two scales. */
import type { OrientedPoints } from './points.ts';

export const DIRECTIONS = 8;

/** Distances between the cells' centres in units: to find partners, and to compare the fine shape of partners. */
export const COARSE = [0.19, 0.42] as const;
export const FINE = [0.1] as const;
const SIDE = 4;
const LENGTH_PER_SCALE = SIDE * SIDE * DIRECTIONS;
/** After Lowe (2004): no single cell may say more than this. */
const CLIP = 0.25;

/** A direction as a number from 0 to 8. */
export function directionOf(angle: number): number {
  const turn = angle / Math.PI;
  return (turn - Math.floor(turn)) * DIRECTIONS;
}

/** Descriptors of some points, one after the other. */
export interface Described {
  /** Numbers per descriptor. */
  length: number;
  data: Float32Array;
}

/** Each descriptor is a unit vector, its scales weighing the same: the dot product of two is 0 to 1. */
export function describe(points: OrientedPoints, keypoints: Int32Array, cells: readonly number[]): Described {
  const length = LENGTH_PER_SCALE * cells.length;
  const data = new Float32Array(keypoints.length * length);
  const directions = Float64Array.from(points.angle, directionOf);
  for (let i = 0; i < keypoints.length; i++)
    cells.forEach((cell, scale) => {
      const start = i * length + scale * LENGTH_PER_SCALE;
      gather(points, directions, keypoints[i]!, cell, data, start);
      normalise(data, start, Math.sqrt(1 / cells.length));
    });
  return { length, data };
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
function normalise(out: Float32Array, start: number, size: number): void {
  const end = start + LENGTH_PER_SCALE;
  for (let i = start; i < end; i++) out[i] = Math.sqrt(out[i]!);
  scaleTo(out, start, end, 1);
  for (let i = start; i < end; i++) out[i] = Math.min(CLIP, out[i]!);
  scaleTo(out, start, end, size);
}

function scaleTo(out: Float32Array, start: number, end: number, length: number): void {
  let squares = 0;
  for (let i = start; i < end; i++) squares += out[i]! * out[i]!;
  const factor = squares > 0 ? length / Math.sqrt(squares) : 0;
  for (let i = start; i < end; i++) out[i]! *= factor;
}

/** Likeness of descriptor i of one list and j of another, 0 to 1. */
export function likeness(a: Described, i: number, b: Described, j: number): number {
  const from = i * a.length;
  const to = j * b.length;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let k = 0; k < a.length; k += 4) {
    s0 += a.data[from + k]! * b.data[to + k]!;
    s1 += a.data[from + k + 1]! * b.data[to + k + 1]!;
    s2 += a.data[from + k + 2]! * b.data[to + k + 2]!;
    s3 += a.data[from + k + 3]! * b.data[to + k + 3]!;
  }
  return s0 + s1 + (s2 + s3);
}
