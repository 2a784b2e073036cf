/** Deforms one signature smoothly onto the other and returns the amount of deformation and the remaining difference. */
import { FINE, describe, likenesses } from './descriptors.ts';
import type { OrientedPoints } from './points.ts';
import type { Matched } from './align.ts';

export interface Elastic {
  /** Median distance left between matching points, units. */
  median: number;
  /** Mean difference of direction at matching points, 0 (parallel) to 1 (square). */
  turned: number;
  /** Root mean square change of the displacement between neighbours: how unevenly it had to be bent. */
  bending: number;
  /** How unlike the fine shape around matching points is, 0 (the same) to 1. */
  fine: number;
  /** Share of the keypoints whose likest partner by fine shape, wherever it is, does not lie near, 0 to 1. */
  astray: number;
}

/** Each round looks nearer (σ of the partner search) and bends finer (radius over which displacement is shared), units. */
const ROUNDS = [
  { search: 0.35, share: 0.9 },
  { search: 0.28, share: 0.7 },
  { search: 0.22, share: 0.55 },
  { search: 0.16, share: 0.42 },
  { search: 0.12, share: 0.34 },
] as const;
/** How strongly a difference in look counts against a partner. */
const APPEARANCE_WEIGHT = 7;

/** The first signature bent onto the second, and the second onto the first. */
export function bend(first: OrientedPoints, matched: Matched): readonly [Elastic, Elastic] {
  const { keys1, keys2, second, cost } = matched;
  const look = cost.map((value) => Math.exp(-APPEARANCE_WEIGHT * value));
  const there = bendOne(first, keys1, second, keys2, look);
  const back = bendOne(second, keys2, first, keys1, transposed(look, keys1.length, keys2.length));
  return [there, back];
}

function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < columns; j++, at++) out[j * rows + i] = values[at]!;
  return out;
}

function bendOne(
  from: OrientedPoints,
  keysFrom: Int32Array,
  to: OrientedPoints,
  keysTo: Int32Array,
  look: Float32Array,
): Elastic {
  const count = keysFrom.length;
  const x0 = Float64Array.from(keysFrom, (k) => from.x[k]!);
  const y0 = Float64Array.from(keysFrom, (k) => from.y[k]!);
  const toX = Float64Array.from(keysTo, (k) => to.x[k]!);
  const toY = Float64Array.from(keysTo, (k) => to.y[k]!);
  const moveX = new Float64Array(count);
  const moveY = new Float64Array(count);
  for (const { search, share } of ROUNDS) {
    const { wantX, wantY, trust } = wishes({ x0, y0, moveX, moveY, toX, toY, look }, search);
    shareMoves({ x0, y0, moveX, moveY }, wantX, wantY, trust, share);
  }
  const moved = moveAll(from, moveX, moveY);
  return {
    ...leftOver(moved, to),
    bending: bendingOf(x0, y0, moveX, moveY),
    ...fineShape(moved, keysFrom, to, keysTo),
  };
}

interface State {
  x0: Float64Array;
  y0: Float64Array;
  moveX: Float64Array;
  moveY: Float64Array;
}

/** exp(−a) up to here, 0 beyond; read from a table, since it is asked for half a million times. */
const BEYOND = 6;
const STEPS = 256;
const FALLOFF = Float64Array.from({ length: BEYOND * STEPS + 1 }, (_, i) => Math.exp(-(i + 0.5) / STEPS));
const falloff = (apart: number) => FALLOFF[Math.floor(apart * STEPS)]!;

/** Where each point would like to be: the mean of its likely partners; and how sure that is. */
function wishes(
  state: State & { toX: Float64Array; toY: Float64Array; look: Float32Array },
  search: number,
): { wantX: Float64Array; wantY: Float64Array; trust: Float64Array } {
  const { x0, y0, moveX, moveY, toX, toY, look } = state;
  const count = x0.length;
  const others = toX.length;
  const wantX = new Float64Array(count);
  const wantY = new Float64Array(count);
  const trust = new Float64Array(count);
  const scale = 1 / (2 * search * search);
  for (let i = 0; i < count; i++) {
    const x = x0[i]! + moveX[i]!;
    const y = y0[i]! + moveY[i]!;
    let total = 0;
    let sumX = 0;
    let sumY = 0;
    for (let j = 0; j < others; j++) {
      const apart = ((toX[j]! - x) ** 2 + (toY[j]! - y) ** 2) * scale;
      if (apart >= BEYOND) continue;
      const weight = look[i * others + j]! * falloff(apart);
      total += weight;
      sumX += weight * toX[j]!;
      sumY += weight * toY[j]!;
    }
    if (total === 0) continue;
    wantX[i] = sumX / total - x0[i]!;
    wantY[i] = sumY / total - y0[i]!;
    trust[i] = total / (total + 0.02);
  }
  return { wantX, wantY, trust };
}

/** Displacements become the trusted mean of the wishes around them. */
function shareMoves(
  state: State,
  wantX: Float64Array,
  wantY: Float64Array,
  trust: Float64Array,
  radius: number,
): void {
  const { x0, y0, moveX, moveY } = state;
  const scale = 1 / (2 * radius * radius);
  for (let i = 0; i < x0.length; i++) {
    let total = 1e-3;
    let sumX = 0;
    let sumY = 0;
    for (let j = 0; j < x0.length; j++) {
      const apart = ((x0[j]! - x0[i]!) ** 2 + (y0[j]! - y0[i]!) ** 2) * scale;
      if (apart >= BEYOND) continue;
      const weight = trust[j]! * falloff(apart);
      total += weight;
      sumX += weight * wantX[j]!;
      sumY += weight * wantY[j]!;
    }
    moveX[i] = sumX / total;
    moveY[i] = sumY / total;
  }
}

/** Carries the displacement of the keypoints over to all points: each takes that of its nearest keypoint in sequence. */
function moveAll(from: OrientedPoints, moveX: Float64Array, moveY: Float64Array): OrientedPoints {
  const x = new Float64Array(from.count);
  const y = new Float64Array(from.count);
  for (let i = 0; i < from.count; i++) {
    const key = Math.min(moveX.length - 1, Math.floor((i * moveX.length) / from.count));
    x[i] = from.x[i]! + moveX[key]!;
    y[i] = from.y[i]! + moveY[key]!;
  }
  return { ...from, x, y };
}

/** A difference in direction counts as this distance at most. */
const ASKEW = 0.15;
const FAR = 0.4;

function leftOver(moved: OrientedPoints, to: OrientedPoints): Pick<Elastic, 'median' | 'turned'> {
  const distances = new Float64Array(moved.count);
  let turned = 0;
  for (let i = 0; i < moved.count; i++) {
    const x = moved.x[i]!;
    const y = moved.y[i]!;
    let best = FAR * FAR;
    let skew = 1;
    for (let j = 0; j < to.count; j++) {
      const dx = to.x[j]! - x;
      const dy = to.y[j]! - y;
      const apart = dx * dx + dy * dy;
      if (apart >= best) continue;
      const sine = Math.sin(to.angle[j]! - moved.angle[i]!);
      const total = apart + sine * sine * ASKEW * ASKEW;
      if (total < best) {
        best = total;
        skew = sine * sine;
      }
    }
    distances[i] = Math.sqrt(best);
    turned += skew;
  }
  const n = Math.max(1, moved.count);
  return {
    median: distances.sort()[moved.count >> 1] ?? 0,
    turned: turned / n,
  };
}

/** Partners are looked for within this distance after bending, units. */
const FINE_REACH = 0.2;

/** Compares what is left of shape when place and bend are gone: each keypoint with the likest near it. */
function fineShape(
  moved: OrientedPoints,
  keysFrom: Int32Array,
  to: OrientedPoints,
  keysTo: Int32Array,
): Pick<Elastic, 'fine' | 'astray'> {
  const alike = likenesses(describe(moved, keysFrom, FINE), describe(to, keysTo, FINE));
  let astray = 0;
  const unlike = Float64Array.from(keysFrom, (from, i) => {
    const x = moved.x[from]!;
    const y = moved.y[from]!;
    let best = 0;
    let likest = 0;
    let isAstray = 1;
    for (let j = 0; j < keysTo.length; j++) {
      const value = alike[i * keysTo.length + j]!;
      const apart = (to.x[keysTo[j]!]! - x) ** 2 + (to.y[keysTo[j]!]! - y) ** 2;
      const isNear = apart < FINE_REACH * FINE_REACH;
      if (value > likest) {
        likest = value;
        isAstray = isNear ? 0 : 1;
      }
      if (isNear) best = Math.max(best, value - Math.sqrt(apart));
    }
    astray += isAstray;
    return 1 - best;
  });
  const count = Math.max(1, unlike.length);
  return { fine: unlike.reduce((sum, value) => sum + value, 0) / count, astray: astray / count };
}

/** Root mean square change of the displacement over the distance between keypoints near each other. */
function bendingOf(x0: Float64Array, y0: Float64Array, moveX: Float64Array, moveY: Float64Array): number {
  let stretch = 0;
  let total = 0;
  for (let i = 0; i < x0.length; i++)
    for (let j = 0; j < i; j++) {
      const apart = (x0[j]! - x0[i]!) ** 2 + (y0[j]! - y0[i]!) ** 2;
      if (apart > 0.25 || apart < 1e-4) continue;
      stretch += ((moveX[j]! - moveX[i]!) ** 2 + (moveY[j]! - moveY[i]!) ** 2) / apart;
      total++;
    }
  return Math.sqrt(stretch / Math.max(1, total));
}
