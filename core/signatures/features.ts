/**
 * The measurements of a pair of signatures: a short list of named numbers, independent of the order of the two. All are
 * distances but the last four, which say how much likeness to expect of two such signatures, by any writer.
 */
import { alignSignatures, cheapest, coarseGrid, cosine, eighthsBetween, type Matched } from './align.ts';
import { bend, type Elastic } from './elastic.ts';
import { mannersApart } from './manner.ts';
import { IDENTITY, compose, heightOverWidth, rotation, transformed } from './points.ts';
import type { Affine, OrientedPoints, Shape } from './points.ts';

export const FEATURES = [
  'match.best',
  'match.apart',
  'affine.stretch',
  'affine.turn',
  'elastic.turned',
  'elastic.bending',
  'elastic.fine',
  'elastic.median',
  'elastic.astray',
  'grid.turned',
  'manner.directions',
  'manner.bends',
  'shape.spread',
  'strokes.ratio',
  'expected.tall',
  'expected.sprawling',
  'expected.crowded',
  'expected.level',
] as const;
/** Measurements that predict how alike a genuine pair is; their weights may have either sign. */
export const EXPECTATIONS: ReadonlySet<FeatureName> = new Set<FeatureName>([
  'expected.tall',
  'expected.sprawling',
  'expected.crowded',
  'expected.level',
]);

export type FeatureName = (typeof FEATURES)[number];

export interface Measured {
  values: Record<FeatureName, number>;
  /** The same of the first signature within the second, whatever else that one holds. */
  within: Record<FeatureName, number>;
  /** Maps points of the second signature onto the first. */
  affine: Affine;
}

/** Also of signatures whose pictures lie on their sides or heads, or aslant: they are laid alike, wider than tall, before. */
export function measure(one: Shape, other: Shape): Measured {
  const { eighths: between, turn } = eighthsBetween(one.points, other.points);
  // Neither is turned by an eighth unless one of them must be.
  const tallness = (between % 2 === 0 ? [0, 2] : [0, 1, 2, 3]).map((eighths) => ({
    eighths,
    tall: tallnessOf(one, eighths) + tallnessOf(other, eighths + between),
  }));
  const { eighths: ofOne } = tallness.reduce((a, b) => (b.tall < a.tall ? b : a));
  const ofOther = ofOne + between;
  // Known where both stay as they lie.
  const known = ofOther === 0 ? turn : undefined;
  const { affine, ...measured } = measureLaid(laid(one, ofOne), laid(other, ofOther), known);
  const [back, there] = [rotation(-ofOne * EIGHTH), rotation(ofOther * EIGHTH)];
  return { ...measured, affine: compose(back, compose(affine, there)) };
}

const EIGHTH = Math.PI / 4;

const tallnessOf = ({ points }: Shape, eighths: number) =>
  Math.log(heightOverWidth(points, eighths * EIGHTH));

/** A signature turned by some eighth turns. */
function laid(shape: Shape, eighths: number): Shape {
  if (eighths % 8 === 0) return shape;
  const turn = eighths * EIGHTH;
  const { bulge, turn: turns } = shape.bends;
  return {
    points: transformed(shape.points, rotation(turn)),
    bends: { bulge: bulge.map((side) => side + turn), turn: turns },
  };
}

function measureLaid(
  { points: first, ...one }: Shape,
  { points: second, ...other }: Shape,
  turn: number | undefined,
): Measured {
  const matched = alignSignatures(first, second, turn);
  const turned = transformed(second, rotation(matched.turn));
  const [there, back] = bend(first, matched);
  const { ofFirst, ofBoth, apart } = matchValues(first, matched);
  const grid = coarseGrid(first, IDENTITY);
  const manners = mannersApart(
    { points: first, bends: one.bends },
    { turned, bends: other.bends },
    matched.turn,
  );
  const expected = expectedOf(first, second);
  const values: Record<FeatureName, number> = {
    'match.best': ofBoth,
    'match.apart': apart,
    ...affineValues(matched.affine),
    ...elasticValues((of) => (there[of] + back[of]) / 2),
    'grid.turned': 1 - cosine(grid, coarseGrid(turned, IDENTITY)),
    'manner.directions': manners.directions,
    'manner.bends': manners.bends,
    'shape.spread': Math.abs(Math.log(heightOverWidth(first) / heightOverWidth(turned))),
    'strokes.ratio': Math.abs(Math.log(strokeCount(first) / strokeCount(second))),
    'expected.tall': expected.tall,
    'expected.sprawling': expected.sprawling,
    'expected.crowded': expected.crowded,
    'expected.level': expected.level,
  };
  const within = { ...values, 'match.best': ofFirst, ...elasticValues((of) => there[of]) };
  return { values, within, affine: matched.affine };
}

type Some<Prefix extends string> = Record<Extract<FeatureName, `${Prefix}.${string}`>, number>;

const elasticValues = (value: (of: keyof Elastic) => number): Some<'elastic'> => ({
  'elastic.turned': value('turned'),
  'elastic.bending': value('bending'),
  'elastic.fine': value('fine'),
  'elastic.median': value('median'),
  'elastic.astray': value('astray'),
});

/** How alike the likest partners are, of the first signature's keypoints and of both ones', and how far apart partners lie. */
function matchValues(
  first: OrientedPoints,
  matched: Matched,
): { ofFirst: number; ofBoth: number; apart: number } {
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
  const ofFirst = lowerHalf(rows);
  return {
    ofFirst,
    ofBoth: (ofFirst + lowerHalf(columns)) / 2,
    apart: apart / Math.max(1, mutual),
  };
}

const CAP = 0.5;
const capped = (cost: number) => Math.min(CAP, cost);

/** Mean of the lower half of sorted values. */
function lowerHalf(sorted: Float64Array): number {
  const half = sorted.subarray(0, Math.max(1, sorted.length >> 1));
  return half.reduce((sum, value) => sum + value, 0) / half.length;
}

/** A larger turn is that of the picture, which says nothing about the writer, radians. */
const LARGEST_TURN = 0.2;

/** How far the map is from a mere turn: singular values of its linear part. */
function affineValues([a, b, , d, e]: Affine): Some<'affine'> {
  const sum = a * a + b * b + d * d + e * e;
  const det = Math.abs(a * e - b * d);
  const root = Math.sqrt(Math.max(0, sum * sum - 4 * det * det));
  const large = Math.sqrt((sum + root) / 2);
  const small = Math.sqrt(Math.max(1e-6, (sum - root) / 2));
  return {
    'affine.stretch': Math.log(large / small),
    'affine.turn': Math.min(LARGEST_TURN, Math.abs(Math.atan2(d - b, a + e))),
  };
}

function strokeCount(points: OrientedPoints): number {
  return 3 + (points.stroke[points.count - 1] ?? 0);
}

// How much likeness to expect of two signatures of such a build, by any writer. They are no distances: each is a property
// of both, and the regression may count it either way.

interface Expected {
  /** Height over width: a long line of small letters finds partners in any other. */
  tall: number;
  /**
   * Mean fourth power of the distance from the centre, in units: 1 for a ring, more where little of the ink reaches far
   * out. A flourish that is another one each time moves the centre and the unit of all the rest.
   */
  sprawling: number;
  /** Points within a short reach of a point, itself among them, in the mean: a thick tangle is near to any line. */
  crowded: number;
  /**
   * Mean square of the cosine of the line's direction: 1 for a level line, 0 for an upright one. Names under a head line
   * share that line, whatever they say.
   */
  level: number;
}

/** Radius within which points crowd, units. */
const CROWD_REACH = 0.15;

/** Of two signatures together; the same whichever comes first. */
export function expectedOf(first: OrientedPoints, second: OrientedPoints): Expected {
  return {
    tall: (heightOverWidth(first) + heightOverWidth(second)) / 2,
    sprawling: Math.sqrt(sprawlOf(first) * sprawlOf(second)),
    crowded: Math.sqrt(crowdOf(first) * crowdOf(second)),
    level: (levelOf(first) + levelOf(second)) / 2,
  };
}

function sprawlOf({ x, y, count }: OrientedPoints): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += (x[i]! ** 2 + y[i]! ** 2) ** 2;
  return sum / count;
}

function crowdOf({ x, y, count }: OrientedPoints): number {
  let pairs = 0;
  for (let i = 0; i < count; i++)
    for (let j = 0; j < i; j++)
      if ((x[i]! - x[j]!) ** 2 + (y[i]! - y[j]!) ** 2 < CROWD_REACH * CROWD_REACH) pairs++;
  return 1 + (2 * pairs) / count;
}

function levelOf({ angle, count }: OrientedPoints): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += Math.cos(angle[i]!) ** 2;
  return sum / count;
}
