/**
 * The recipe from which the target for skilled forgeries was taken, followed to the letter: partners among described
 * points, an affine map from those that choose each other, columns and outlines warped in time, a grid of directions;
 * logistic regression on 450 invented pairs. `npm run bench -- signatures prototype` says what it reaches here.
 */
import { Album, intervalOf, pairsOf } from './accuracy.ts';
import type { LabelledPair, Scored } from './accuracy.ts';
import { inventBlock } from './corpus.ts';
import type { PairKind } from './corpus.ts';
import { fitLogistic } from './logistic.ts';
import { Chance } from './random.ts';
import { errorRates } from './rates.ts';
import { table } from '../report.ts';
import { alignSignatures, cheapest, coarseGrid, cosine } from '../../core/signatures/align.ts';
import type { Matched } from '../../core/signatures/align.ts';
import { inOrder } from '../../core/signatures/compare.ts';
import { IDENTITY, rotation, transformed } from '../../core/signatures/points.ts';
import type { Affine, OrientedPoints, Shape } from '../../core/signatures/points.ts';
import { percent } from '../statistics.ts';

const SEED = 20_261_120;
/** Invented pairs of each kind: 450 together. */
const EACH = 150;
/** So many draws of 450 pairs, each fitted by itself: how much of the result is the luck of the draw? */
const DRAWS = 10;
/** Blocks of invented writers to draw from. */
const BLOCKS = 10;
const KINDS: readonly PairKind[] = ['genuine', 'random', 'skilled'];

interface Row {
  kind: string;
  writer: string;
  values: number[];
}

/** The distances that the recipe measures, in a fixed order. */
function recipe({ points: first }: Shape, { points: second }: Shape): number[] {
  const matched = alignSignatures(first, second);
  const turned = transformed(second, rotation(matched.turn));
  const grid = coarseGrid(first, IDENTITY);
  return [
    ...partnerValues(first, matched),
    ...affineValues(matched.affine),
    1 - cosine(grid, coarseGrid(turned, IDENTITY)),
    1 - cosine(grid, coarseGrid(matched.second, IDENTITY)),
    warped(columnsOf(first), columnsOf(turned), unlike, COLUMN_BAND),
    warped(outlinesOf(first), outlinesOf(turned), cityBlock, OUTLINE_BAND),
    Math.abs(Math.log(aspectOf(first) / aspectOf(turned))),
    Math.abs(Math.log(first.count / second.count)),
  ];
}

const MAX_COST = 0.5;
const NEAR = 0.25;

/** Mean cost of the cheapest partners, share without a mutual one, share without a near one, distance left. */
function partnerValues(first: OrientedPoints, { keys1, keys2, cost, second }: Matched): number[] {
  const { ofRow, ofColumn } = cheapest(cost, keys1.length, keys2.length);
  const costOf = (i: number, j: number) => Math.min(MAX_COST, cost[i * keys2.length + j]!);
  const distances: number[] = [];
  ofRow.forEach((j, i) => {
    if (ofColumn[j] !== i) return;
    const [to, from] = [keys1[i]!, keys2[j]!];
    distances.push(Math.min(1, Math.hypot(first.x[to]! - second.x[from]!, first.y[to]! - second.y[from]!)));
  });
  const keys = (keys1.length + keys2.length) / 2;
  return [
    (mean(Array.from(ofRow, (j, i) => costOf(i, j))) + mean(Array.from(ofColumn, (i, j) => costOf(i, j)))) /
      2,
    1 - distances.length / keys,
    1 - distances.filter((distance) => distance < NEAR).length / keys,
    mean(distances),
  ];
}

/** Stretch and turn of the map, by the singular values and the polar angle of its linear part. */
function affineValues([a, b, , d, e]: Affine): number[] {
  const sum = a * a + b * b + d * d + e * e;
  const root = Math.sqrt(Math.max(0, sum * sum - 4 * (a * e - b * d) ** 2));
  return [Math.log((sum + root) / Math.max(1e-6, sum - root)) / 2, Math.abs(Math.atan2(d - b, a + e))];
}

// ---------------------------------------------------------------- warping in time

const COLUMNS = 64;
const COLUMN_BAND = 8;
const ROWS = 5;
const DIRECTIONS = 4;
const OUTLINE = 96;
const OUTLINE_BAND = 10;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function boxOf({ x, y }: OrientedPoints): Box {
  return {
    left: Math.min(...x),
    right: Math.max(...x) + 1e-6,
    top: Math.min(...y),
    bottom: Math.max(...y) + 1e-6,
  };
}

function aspectOf(points: OrientedPoints): number {
  const { left, right, top, bottom } = boxOf(points);
  return (bottom - top) / (right - left);
}

/** Directions in five rows of each of 64 columns; a point counts half in the columns beside its own. */
function columnsOf(points: OrientedPoints): Float64Array[] {
  const { left, right, top, bottom } = boxOf(points);
  const columns = Array.from({ length: COLUMNS }, () => new Float64Array(ROWS * DIRECTIONS));
  for (let i = 0; i < points.count; i++) {
    const column = Math.floor(((points.x[i]! - left) / (right - left)) * COLUMNS);
    const row = Math.floor(((points.y[i]! - top) / (bottom - top)) * ROWS);
    const turns = points.angle[i]! / Math.PI;
    const at = row * DIRECTIONS + Math.floor((turns - Math.floor(turns)) * DIRECTIONS);
    for (const beside of [-1, 0, 1]) {
      const cells = columns[column + beside];
      if (cells) cells[at]! += beside === 0 ? 1 : 0.5;
    }
  }
  return columns;
}

/** Upper and lower outline in spreads of the height, and how much ink there is, at 96 places from left to right. */
function outlinesOf(points: OrientedPoints): Float64Array[] {
  const { left, right } = boxOf(points);
  const spread = Math.sqrt(mean(Array.from(points.y, (y) => y * y))) + 1e-6;
  const places = Array.from({ length: OUTLINE }, () => ({ upper: Infinity, lower: -Infinity, count: 0 }));
  for (let i = 0; i < points.count; i++) {
    const place = places[Math.floor(((points.x[i]! - left) / (right - left)) * OUTLINE)]!;
    place.upper = Math.min(place.upper, points.y[i]! / spread);
    place.lower = Math.max(place.lower, points.y[i]! / spread);
    place.count++;
  }
  // Bare places take the outline of those before them; the first is never bare.
  let last = places[0]!;
  return places.map((place) => {
    if (place.count > 0) last = place;
    return Float64Array.of(last.upper, last.lower, (place.count * OUTLINE) / points.count / 2);
  });
}

/** Dynamic time warping within a band (Sakoe and Chiba 1978): cost of the cheapest way over both lengths. */
function warped(
  one: readonly Float64Array[],
  other: readonly Float64Array[],
  distance: (a: Float64Array, b: Float64Array) => number,
  band: number,
): number {
  let before = new Float64Array(other.length + 1).fill(Infinity);
  before[0] = 0;
  for (const [i, step] of one.entries()) {
    const row = new Float64Array(other.length + 1).fill(Infinity);
    for (let j = Math.max(1, i + 1 - band); j <= Math.min(other.length, i + 1 + band); j++)
      row[j] = distance(step, other[j - 1]!) + Math.min(before[j - 1]!, before[j]!, row[j - 1]!);
    before = row;
  }
  return before.at(-1)! / (one.length + other.length);
}

/** 1 − cosine; bare against bare is alike, bare against ink is not. */
function unlike(a: Float64Array, b: Float64Array): number {
  const [ab, aa, bb] = [dot(a, b), dot(a, a), dot(b, b)];
  if (aa === 0 || bb === 0) return aa === bb ? 0 : 1;
  return 1 - ab / Math.sqrt(aa * bb);
}

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const cityBlock = (a: Float64Array, b: Float64Array) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0);
const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

// ---------------------------------------------------------------- fit and measure

type Scorer = (values: readonly number[]) => number;

/** Plain logistic regression on standardised values: no logarithms, no signs held, every kind weighing the same. */
function fit(rows: readonly Row[]): Scorer {
  const moments = rows[0]!.values.map((_, column) => {
    const values = rows.map((row) => row.values[column]!);
    const centre = mean(values);
    return { centre, spread: Math.sqrt(mean(values.map((value) => (value - centre) ** 2))) + 1e-9 };
  });
  const standard = (values: readonly number[]) =>
    values.map((value, i) => (value - moments[i]!.centre) / moments[i]!.spread);
  const weights = fitLogistic(
    rows.map(({ values }) => standard(values)),
    rows.map(({ kind }) => (kind === 'genuine' ? 1 : 0)),
    rows.map(() => 1),
    1,
  );
  return (values) => standard(values).reduce((sum, value, i) => sum + value * weights[i]!, weights.at(-1)!);
}

function inventedRows(): Row[] {
  return Array.from({ length: BLOCKS }, (_, block) => inventBlock(SEED, block))
    .flat()
    .map(({ kind, writer, first, second }) => ({
      kind,
      writer: String(writer),
      values: recipe(...inOrder(first, second)),
    }));
}

/** 150 pairs of each kind. */
function drawn(rows: readonly Row[], chance: Chance): Row[] {
  return KINDS.flatMap((kind) => {
    const left = rows.filter((row) => row.kind === kind);
    return Array.from({ length: EACH }, () => left.splice(Math.floor(chance.next() * left.length), 1)[0]!);
  });
}

async function realRows(pairs: readonly LabelledPair[]): Promise<Row[]> {
  const album = new Album();
  const rows: Row[] = [];
  for (const { first, second, kind, writer } of pairs) {
    const [a, b] = [await album.open(first), await album.open(second)];
    if (a.kind === 'signature' && b.kind === 'signature')
      rows.push({ kind, writer, values: recipe(...inOrder(a, b)) });
  }
  return rows;
}

/** @param share how much of each set, 0 to 1 */
export async function prototypeReport(share: number): Promise<string> {
  const invented = inventedRows();
  const chance = new Chance(SEED);
  const scorers = Array.from({ length: DRAWS }, () => fit(drawn(invented, chance)));
  const out: string[][] = [];
  for (const set of ['cedar', 'crossmedia']) {
    const rows = await realRows(pairsOf(set, share));
    for (const kind of ['random', 'skilled']) {
      const scoredBy = scorers.map((scorer) =>
        rows.map((row): Scored => ({ ...row, similarity: scorer(row.values) })),
      );
      const rates = scoredBy.map((scored) => ratesOf(scored, kind)).sort((a, b) => a.eer - b.eer);
      const middle = rates[DRAWS >> 1]!;
      out.push([
        `${set}, ${kind}`,
        percent(middle.eer),
        `${percent(rates[0]!.eer)} – ${percent(rates.at(-1)!.eer)}`,
        intervalOf(scoredBy[0]!, (some) => ratesOf(some, kind).eer),
        middle.auc.toFixed(3),
      ]);
    }
  }
  return table(
    ['set, kind of impostor', 'EER, middle of ten fits', 'least – most', '95 % over writers, one fit', 'AUC'],
    out,
  );
}

function ratesOf(scored: readonly Scored[], kind: string): { eer: number; auc: number } {
  const of = (which: string) => scored.filter((one) => one.kind === which).map((one) => one.similarity);
  return errorRates(of('genuine'), of(kind));
}
