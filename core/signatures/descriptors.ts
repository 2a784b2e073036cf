/** The shape of the line around a point: 8 directions in 4 × 4 cells, at one or two scales. */
import { dotProductsOf } from './kernel/likeness.ts';
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
  const directed = directedPoints(points);
  const size = Math.sqrt(1 / cells.length);
  for (let i = 0; i < keypoints.length; i++)
    for (let scale = 0; scale < cells.length; scale++) {
      const start = i * length + scale * LENGTH_PER_SCALE;
      gather(directed, keypoints[i]!, cells[scale]!);
      normalise(data, start, size);
    }
  return { length, data };
}

/** Points with their two nearest directions, and how much of each belongs to the second. */
interface DirectedPoints {
  x: Float64Array;
  y: Float64Array;
  direction: Int32Array;
  next: Int32Array;
  share: Float64Array;
}

function directedPoints({ x, y, angle, count }: OrientedPoints): DirectedPoints {
  const direction = new Int32Array(count);
  const next = new Int32Array(count);
  const share = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const turn = directionOf(angle[i]!);
    const whole = Math.floor(turn);
    direction[i] = whole % DIRECTIONS;
    next[i] = (whole + 1) % DIRECTIONS;
    share[i] = turn - whole;
  }
  return { x, y, direction, next, share };
}

/** The cells of one descriptor with a rim of one cell around them, so that points near the edge need no asking. */
const RIMMED = SIDE + 2;
const ROW = RIMMED * DIRECTIONS;
const gathered = new Float64Array(RIMMED * ROW);

/** Shares every point near a keypoint among the four nearest cells and the two nearest directions. */
function gather(points: DirectedPoints, keypoint: number, cell: number): void {
  const { x, y, direction, next, share } = points;
  const scale = 1 / cell;
  const shiftX = 1.5 - x[keypoint]! * scale;
  const shiftY = 1.5 - y[keypoint]! * scale;
  gathered.fill(0);
  for (let i = 0; i < x.length; i++) {
    const u = x[i]! * scale + shiftX;
    if (u <= -1 || u >= SIDE) continue;
    const v = y[i]! * scale + shiftY;
    if (v <= -1 || v >= SIDE) continue;
    const left = Math.floor(u);
    const top = Math.floor(v);
    const right = u - left;
    const down = v - top;
    const at = (top + 1) * ROW + (left + 1) * DIRECTIONS;
    const one = at + direction[i]!;
    const two = at + next[i]!;
    const second = share[i]!;
    const first = 1 - second;
    const topLeft = (1 - right) * (1 - down);
    const topRight = right * (1 - down);
    const bottomLeft = (1 - right) * down;
    const bottomRight = right * down;
    gathered[one]! += topLeft * first;
    gathered[two]! += topLeft * second;
    gathered[one + DIRECTIONS]! += topRight * first;
    gathered[two + DIRECTIONS]! += topRight * second;
    gathered[one + ROW]! += bottomLeft * first;
    gathered[two + ROW]! += bottomLeft * second;
    gathered[one + ROW + DIRECTIONS]! += bottomRight * first;
    gathered[two + ROW + DIRECTIONS]! += bottomRight * second;
  }
}

/** Root of each cell (a thick bundle says less than its parts together), unit length, clipped, unit length again. */
function normalise(out: Float32Array, start: number, size: number): void {
  // The squares of the roots are the cells themselves.
  let total = 0;
  for (let row = 1; row <= SIDE; row++)
    for (let at = row * ROW + DIRECTIONS; at < (row + 1) * ROW - DIRECTIONS; at++) total += gathered[at]!;
  if (total === 0) return;
  const factor = 1 / total;
  let squares = 0;
  let to = start;
  for (let row = 1; row <= SIDE; row++)
    for (let at = row * ROW + DIRECTIONS; at < (row + 1) * ROW - DIRECTIONS; at++, to++) {
      const value = Math.min(CLIP, Math.sqrt(gathered[at]! * factor));
      out[to] = value;
      squares += value * value;
    }
  const again = size / Math.sqrt(squares);
  for (let at = start; at < to; at++) out[at]! *= again;
}

/** Likeness of every descriptor of one list to every one of another, 0 to 1: a row for each of the first. */
export function likenesses(a: Described, b: Described): Float32Array {
  return dotProductsOf(a.data, b.data, a.length);
}
