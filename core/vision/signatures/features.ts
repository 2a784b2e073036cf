/** What is measured on a pair of signatures: a short list of named numbers, the same whichever comes first. */
import { alignSignatures, chanceCost, cheapest, coarseGrid, cosine } from './align.ts';
import type { Matched } from './align.ts';
import { bend } from './elastic.ts';
import { warpCost } from './profiles.ts';
import { IDENTITY, transformed, rotation } from './points.ts';
import type { Affine, OrientedPoints } from './points.ts';

export const FEATURES = [
  'match.mean',
  'match.worst',
  'match.best',
  'match.mutual',
  'match.apart',
  'affine.stretch',
  'affine.size',
  'affine.turn',
  'affine.move',
  'elastic.residual',
  'elastic.unmatched',
  'elastic.unmatchedLoose',
  'elastic.turned',
  'elastic.bending',
  'elastic.displacement',
  'elastic.fine',
  'elastic.fineWorse',
  'grid.turned',
  'grid.aligned',
  'warp.x',
  'warp.y',
  'warp.xTurned',
  'length.ratio',
  'shape.spread',
  'strokes.ratio',
  'length.sum',
  'chance',
] as const;
export type FeatureName = (typeof FEATURES)[number];

export interface Measured {
  values: Record<FeatureName, number>;
  /** Maps points of the second signature onto the first. */
  affine: Affine;
}

export function measure(first: OrientedPoints, second: OrientedPoints): Measured {
  const matched = alignSignatures(first, second);
  const turned = transformed(second, rotation(matched.turn));
  const elastic = bend(first, matched);
  const grid = coarseGrid(first, IDENTITY);
  const values: Record<FeatureName, number> = {
    ...matchValues(first, matched),
    ...affineValues(matched.affine),
    'elastic.residual': elastic.residual,
    'elastic.unmatched': elastic.unmatched,
    'elastic.unmatchedLoose': elastic.unmatchedLoose,
    'elastic.turned': elastic.turned,
    'elastic.bending': elastic.bending,
    'elastic.displacement': elastic.displacement,
    'elastic.fine': elastic.fine,
    'elastic.fineWorse': elastic.fineWorse,
    'grid.turned': 1 - cosine(grid, coarseGrid(turned, IDENTITY)),
    'grid.aligned': 1 - cosine(grid, coarseGrid(matched.second, IDENTITY)),
    'warp.x': warpCost(first, matched.second, 'x'),
    'warp.y': warpCost(first, matched.second, 'y'),
    'warp.xTurned': warpCost(first, turned, 'x'),
    'length.ratio': Math.abs(Math.log(first.count / second.count)),
    'shape.spread': Math.abs(Math.log(spread(first) / spread(turned))),
    'strokes.ratio': Math.abs(Math.log(strokeCount(first) / strokeCount(second))),
    chance: chanceCost(first, matched),
    'length.sum': Math.log((first.count + second.count) / 2),
  };
  return { values, affine: matched.affine };
}

type Some<Prefix extends string> = Record<Extract<FeatureName, `${Prefix}.${string}`>, number>;

function matchValues(first: OrientedPoints, matched: Matched): Some<'match'> {
  const { keys1, keys2, cost, second } = matched;
  const { ofRow, ofColumn } = cheapest(cost, keys1.length, keys2.length);
  const rows = Float64Array.from(ofRow, (j, i) => capped(cost[i * keys2.length + j]!)).sort();
  const columns = Float64Array.from(ofColumn, (i, j) => capped(cost[i * keys2.length + j]!)).sort();
  let mutual = 0;
  let apart = 0;
  ofRow.forEach((j, i) => {
    if (ofColumn[j] !== i) return;
    mutual++;
    const to = keys1[i]!;
    const from = keys2[j]!;
    apart += Math.min(1, Math.hypot(first.x[to]! - second.x[from]!, first.y[to]! - second.y[from]!));
  });
  const both = (from: number, to: number) => (meanOf(rows, from, to) + meanOf(columns, from, to)) / 2;
  return {
    'match.mean': both(0, 1),
    'match.worst': both(0.75, 1),
    'match.best': both(0, 0.5),
    'match.mutual': 1 - (2 * mutual) / (keys1.length + keys2.length),
    'match.apart': apart / Math.max(1, mutual),
  };
}

const CAP = 0.5;
const capped = (cost: number) => Math.min(CAP, cost);

/** Mean of a share of sorted values. */
function meanOf(sorted: Float64Array, from: number, to: number): number {
  const start = Math.floor(sorted.length * from);
  const end = Math.max(start + 1, Math.floor(sorted.length * to));
  let sum = 0;
  for (let i = start; i < end; i++) sum += sorted[i]!;
  return sum / (end - start);
}

/** How far the map is from a mere turn: singular values of its linear part. */
function affineValues([a, b, c, d, e, f]: Affine): Some<'affine'> {
  const sum = a * a + b * b + d * d + e * e;
  const det = Math.abs(a * e - b * d);
  const root = Math.sqrt(Math.max(0, sum * sum - 4 * det * det));
  const large = Math.sqrt((sum + root) / 2);
  const small = Math.sqrt(Math.max(1e-6, (sum - root) / 2));
  return {
    'affine.stretch': Math.log(large / small),
    'affine.size': Math.abs(Math.log(large * small)),
    'affine.turn': Math.abs(Math.atan2(d - b, a + e)),
    'affine.move': Math.hypot(c, f),
  };
}

/** Height over width, by spread. */
function spread(points: OrientedPoints): number {
  let xx = 0;
  let yy = 0;
  for (let i = 0; i < points.count; i++) {
    xx += points.x[i]! ** 2;
    yy += points.y[i]! ** 2;
  }
  return Math.sqrt((yy + 1e-3) / (xx + 1e-3));
}

function strokeCount(points: OrientedPoints): number {
  return 3 + (points.stroke[points.count - 1] ?? 0);
}
