/** Reads two signatures as sequences, left to right or top to bottom, and warps one onto the other. */
import { DIRECTIONS, directionOf } from './descriptors.ts';
import type { OrientedPoints } from './points.ts';

/** Width of a slice along the reading direction, and height of a cell across it, in units. */
const SLICE = 0.1;
const CELL = 0.3;
const SLICES = 60;
const CELLS = 14;
/** Directions are read two by two here. */
const KINDS = DIRECTIONS / 2;
const SLICE_LENGTH = CELLS * KINDS;
/** How far the warp may leave the diagonal, in slices. */
const BAND = 9;
/** What a step off the diagonal costs: warping is allowed, not free. */
const STEP_COST = 0.03;

/** Slices of the signature across `axis`: per slice, how much line of each direction runs through each cell. */
function slicesOf(points: OrientedPoints, axis: 'x' | 'y'): Float32Array {
  const out = new Float32Array(SLICES * SLICE_LENGTH);
  const along = axis === 'x' ? points.x : points.y;
  const across = axis === 'x' ? points.y : points.x;
  for (let i = 0; i < points.count; i++) {
    const u = along[i]! / SLICE + SLICES / 2 - 0.5;
    const v = across[i]! / CELL + CELLS / 2 - 0.5;
    const left = Math.floor(u);
    const top = Math.floor(v);
    if (left < 1 || top < 0 || left >= SLICES - 2 || top >= CELLS - 1) continue;
    const kind = Math.floor((directionOf(points.angle[i]!) + 1) / 2) % KINDS;
    for (let du = -1; du <= 2; du++) {
      const near = Math.max(0, 1 - Math.abs(u - left - du) / 2) / 2;
      const at = ((left + du) * CELLS + top) * KINDS + kind;
      out[at]! += near * (1 - v + top);
      out[at + KINDS]! += near * (v - top);
    }
  }
  return out;
}

/**
 * Dynamic time warping of the two sequences of slices within a band (Sakoe and Chiba 1978).
 * @returns mean cost along the best path, 0 (the same) to about 1, weighted by how much line the slices hold
 */
export function warpCost(first: OrientedPoints, second: OrientedPoints, axis: 'x' | 'y'): number {
  const a = slicesOf(first, axis);
  const b = slicesOf(second, axis);
  const massA = masses(a);
  const massB = masses(b);
  const width = SLICES + 1;
  const cost = new Float64Array(width * width).fill(Infinity);
  cost[0] = 0;
  let total = 0;
  for (const mass of massA) total += mass;
  for (const mass of massB) total += mass;
  for (let i = 1; i <= SLICES; i++)
    for (let j = Math.max(1, i - BAND); j <= Math.min(SLICES, i + BAND); j++) {
      const local = sliceDistance(a, i - 1, b, j - 1);
      const mass = massA[i - 1]! + massB[j - 1]!;
      const diagonal = cost[(i - 1) * width + j - 1]! + local;
      const sideways = Math.min(cost[(i - 1) * width + j]!, cost[i * width + j - 1]!);
      cost[i * width + j] = Math.min(diagonal, sideways + local / 2 + STEP_COST * mass);
    }
  return cost[width * width - 1]! / Math.max(1e-9, total);
}

function masses(slices: Float32Array): Float64Array {
  const out = new Float64Array(SLICES);
  for (let i = 0; i < slices.length; i++) out[Math.floor(i / SLICE_LENGTH)]! += slices[i]!;
  return out;
}

/** City-block distance: at most the line that both slices hold together. */
function sliceDistance(a: Float32Array, i: number, b: Float32Array, j: number): number {
  let sum = 0;
  const from = i * SLICE_LENGTH;
  const to = j * SLICE_LENGTH;
  for (let k = 0; k < SLICE_LENGTH; k++) sum += Math.abs(a[from + k]! - b[to + k]!);
  return sum;
}
