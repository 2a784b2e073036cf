/**
 * How much a signature has that tells people apart. Marks that everybody makes (a cross, a circle, waves, loops) are few
 * strokes that bend in one manner, repeat one form, and are their own mirror image.
 */
import { coarseGrid, cosine, keypointsOf } from './align.ts';
import { FINE, describe, likenesses } from './descriptors.ts';
import { IDENTITY, halfTurnsOf, rotation, transformed } from './points.ts';
import type { Affine, OrientedPoints, Shape } from './points.ts';

export const COMPLEXITY_TERMS = ['strokes', 'repeated', 'bends', 'turns', 'mirrored'] as const;
export type ComplexityTerm = (typeof COMPLEXITY_TERMS)[number];

/** Log-odds of a signature against a mark: the least with which two images are compared, and with which they may match. */
export interface ComplexityLaw {
  weights: Record<ComplexityTerm, number>;
  intercept: number;
  least: number;
  leastToMatch: number;
}

export function complexityOf(shape: Shape, { weights, intercept }: ComplexityLaw): number {
  const terms = complexityTerms(shape);
  return COMPLEXITY_TERMS.reduce((sum, term) => sum + weights[term] * terms[term], intercept);
}

export function complexityTerms({ points, bends }: Shape): Record<ComplexityTerm, number> {
  return {
    strokes: Math.log(1 + points.stroke[points.count - 1]!),
    repeated: -Math.log(1.02 - repeatedShare(points)),
    bends: kindsOfBends(bends.turn),
    turns: Math.min(MAX_TURNS, halfTurnsOf(bends)),
    mirrored: mirrored(points),
  };
}

/** A long name turns as often as a row of loops: more half turns than this tell no more. */
const MAX_TURNS = 12;

/** Forms nearer than this, in units, are one. */
const ELSEWHERE = 0.4;

/** How alike the fine shape at a point is to the likest elsewhere in the same signature, in the mean: 0 to 1. */
function repeatedShare(points: OrientedPoints): number {
  const keys = keypointsOf(points);
  const described = describe(points, keys, FINE);
  const alike = likenesses(described, described);
  let sum = 0;
  for (let i = 0; i < keys.length; i++) {
    const [x, y] = [points.x[keys[i]!]!, points.y[keys[i]!]!];
    let best = 0;
    for (let j = 0; j < keys.length; j++) {
      const value = alike[i * keys.length + j]!;
      if (value <= best) continue;
      if ((points.x[keys[j]!]! - x) ** 2 + (points.y[keys[j]!]! - y) ** 2 > ELSEWHERE * ELSEWHERE)
        best = value;
    }
    sum += best;
  }
  return sum / keys.length;
}

const SHARPNESS = 12;

/** Entropy of how sharply the line bends, natural logarithm: 0 where it bends alike everywhere. */
function kindsOfBends(turn: Float64Array): number {
  const shares = new Float64Array(SHARPNESS);
  for (const one of turn)
    shares[Math.min(SHARPNESS - 1, Math.floor(Math.sqrt(one / Math.PI) * SHARPNESS))]! += 1 / turn.length;
  return -shares.reduce((sum, share) => sum + (share > 0 ? share * Math.log(share) : 0), 0);
}

/** Mirror images along and across, and the half turn. */
const MIRRORS: readonly Affine[] = [
  [-1, 0, 0, 0, 1, 0],
  [1, 0, 0, 0, -1, 0],
  [-1, 0, 0, 0, -1, 0],
];

/** How well the coarse directions agree with their likest mirror image about the main axis, 0 to 1. */
function mirrored(points: OrientedPoints): number {
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < points.count; i++) {
    const [x, y] = [points.x[i]!, points.y[i]!];
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  const level = transformed(points, rotation(-Math.atan2(2 * xy, xx - yy) / 2));
  const grid = coarseGrid(level, IDENTITY);
  return Math.max(...MIRRORS.map((mirror) => cosine(grid, coarseGrid(transformed(level, mirror), IDENTITY))));
}
