/** Lays one signature over another: turn first, then the affine map that their matching points agree on. */
import { COARSE, DIRECTIONS, describe, directionOf, likenesses, type Described } from './descriptors.ts';
import { IDENTITY, compose, rotation, transformed, type Affine, type OrientedPoints } from './points.ts';

/** Points of a signature at which it is described. */
const KEYPOINTS = 130;

/** Largest turn that is looked for, and the step, in degrees. */
const LARGEST_TURN = 24;
const TURN_STEP = 4;
/** The same for turns half way between two quarter turns. */
const BETWEEN_TURN = 16;
const BETWEEN_STEP = 8;

/** How strongly being apart counts against looking alike: cost per squared unit. */
const NEARNESS = [0.25, 0.5] as const;
/** Points further apart than this many units are not looked at as partners. */
const REACH = 1.2;

export interface Matched {
  /** Maps the second signature onto the first. */
  affine: Affine;
  /** The turn found at first, radians. */
  turn: number;
  /** The second signature, mapped. */
  second: OrientedPoints;
  keys1: Int32Array;
  keys2: Int32Array;
  /** Cost of pairing keypoint i of the first with j of the second, row by row: 0 alike and in place, about 1 and more not. */
  cost: Float32Array;
}

export function keypointsOf(points: OrientedPoints): Int32Array {
  const count = Math.min(KEYPOINTS, points.count);
  return Int32Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * points.count) / count));
}

/** @param turn of the second signature, radians, where it is known */
export function alignSignatures(
  first: OrientedPoints,
  second: OrientedPoints,
  turn: number = bestTurn(first, second),
): Matched {
  const keys1 = keypointsOf(first);
  const keys2 = keypointsOf(second);
  const described1 = describe(first, keys1, COARSE);
  let affine = rotation(turn);
  let mapped = transformed(second, affine);
  for (const nearness of NEARNESS) {
    const described2 = describe(mapped, keys2, COARSE);
    const cost = costs(first, keys1, described1, mapped, keys2, described2, nearness);
    const step = fitAffine(first, keys1, mapped, keys2, cost);
    affine = compose(step, affine);
    mapped = transformed(second, affine);
  }
  const described2 = describe(mapped, keys2, COARSE);
  const cost = costs(first, keys1, described1, mapped, keys2, described2, NEARNESS[1]);
  return { affine, turn, second: mapped, keys1, keys2, cost };
}

function costs(
  first: OrientedPoints,
  keys1: Int32Array,
  described1: Described,
  second: OrientedPoints,
  keys2: Int32Array,
  described2: Described,
  nearness: number,
): Float32Array {
  const columns = keys2.length;
  const out = likenesses(described1, described2);
  const x2 = Float64Array.from(keys2, (key) => second.x[key]!);
  const y2 = Float64Array.from(keys2, (key) => second.y[key]!);
  for (let i = 0, at = 0; i < keys1.length; i++) {
    const x = first.x[keys1[i]!]!;
    const y = first.y[keys1[i]!]!;
    for (let j = 0; j < columns; j++, at++) {
      const apart = (x2[j]! - x) ** 2 + (y2[j]! - y) ** 2;
      out[at] = 1 + nearness * apart - (apart > REACH * REACH ? 0 : out[at]!);
    }
  }
  return out;
}

/** Index of the cheapest partner of each keypoint of the first, and of each of the second. */
export function cheapest(
  cost: Float32Array,
  rows: number,
  columns: number,
): { ofRow: Int32Array; ofColumn: Int32Array } {
  const ofRow = new Int32Array(rows);
  const ofColumn = new Int32Array(columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      const value = cost[i * columns + j]!;
      if (value < cost[i * columns + ofRow[i]!]!) ofRow[i] = j;
      if (value < cost[ofColumn[j]! * columns + j]!) ofColumn[j] = i;
    }
  return { ofRow, ofColumn };
}

/** Fits an affine map to pairs that choose each other, by least squares with weights that forget the outliers. */
function fitAffine(
  first: OrientedPoints,
  keys1: Int32Array,
  second: OrientedPoints,
  keys2: Int32Array,
  cost: Float32Array,
): Affine {
  const { ofRow, ofColumn } = cheapest(cost, keys1.length, keys2.length);
  const pairs: Pair[] = [];
  for (let i = 0; i < keys1.length; i++) {
    const j = ofRow[i]!;
    if (ofColumn[j] !== i) continue;
    const to = keys1[i]!;
    const from = keys2[j]!;
    pairs.push({
      x: second.x[from]!,
      y: second.y[from]!,
      toX: first.x[to]!,
      toY: first.y[to]!,
      weight: Math.exp(-4 * cost[i * keys2.length + j]!),
    });
  }
  if (pairs.length < 8) return IDENTITY;
  let fit = IDENTITY;
  let scale = 0.5;
  for (let round = 0; round < 6; round++) {
    fit = weightedAffine(pairs, fit, scale);
    scale = Math.max(0.12, scale * 0.75);
  }
  return fit;
}

interface Pair {
  x: number;
  y: number;
  toX: number;
  toY: number;
  weight: number;
}

/** Pulls the map towards none at all: a few pairs in a row say nothing about the direction across it. */
const STIFFNESS = 0.04;

function weightedAffine(pairs: readonly Pair[], last: Affine, scale: number): Affine {
  // Normal equations of two regressions on (x, y, 1), with a ridge towards the identity.
  const m = new Float64Array(9);
  const right = new Float64Array(6);
  let total = 0;
  for (const { x, y, toX, toY, weight } of pairs) {
    const offX = last[0] * x + last[1] * y + last[2] - toX;
    const offY = last[3] * x + last[4] * y + last[5] - toY;
    const w = weight / (1 + (offX * offX + offY * offY) / (scale * scale)) ** 2;
    total += w;
    const v = [x, y, 1] as const;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) m[r * 3 + c]! += w * v[r]! * v[c]!;
      right[r]! += w * v[r]! * toX;
      right[3 + r]! += w * v[r]! * toY;
    }
  }
  const ridge = STIFFNESS * total;
  for (let r = 0; r < 3; r++) m[r * 4]! += ridge;
  right[0]! += ridge;
  right[4]! += ridge;
  const [a, b, c] = solve3(m, right.subarray(0, 3));
  const [d, e, f] = solve3(m, right.subarray(3, 6));
  return [a, b, c, d, e, f];
}

/** Cramer's rule; the ridge keeps the determinant away from zero. */
function solve3(m: Float64Array, right: Float64Array): [number, number, number] {
  const [a, b, c] = [m[0]!, m[1]!, m[2]!];
  const [d, e, f] = [m[3]!, m[4]!, m[5]!];
  const [g, h, i] = [m[6]!, m[7]!, m[8]!];
  const det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const [p, q, r] = [right[0]!, right[1]!, right[2]!];
  return [
    (p * (e * i - f * h) - b * (q * i - f * r) + c * (q * h - e * r)) / det,
    (a * (q * i - f * r) - p * (d * i - f * g) + c * (d * r - q * g)) / det,
    (a * (e * r - q * h) - b * (d * r - q * g) + p * (d * h - e * g)) / det,
  ];
}

// ---------------------------------------------------------------- place

/** Where a signature may lie among more ink: how long its unit is there and where its centre is, in units of that ink. */
export interface Placement {
  scale: number;
  x: number;
  y: number;
  /** How well the directions agree where the signature has ink, 0 to 1. */
  agreement: number;
}

/** More ink beside a signature makes the unit longer: lengths of the signature's own unit in it. */
const SCALES = [1, 0.85, 0.72, 0.6];
/** Every so many-th keypoint of the signature votes. */
const EVERY = 2;
/** Descriptors by which places are voted for: small, so that they hold little of the other ink. */
const LOCAL = [0.12, 0.24] as const;
/** Partners nearly as alike as the likest one vote too. */
const NEARLY = 0.9;
/** Places lie in cells of this size, units of the signature, so many to either side of the middle; fullest ones that are looked at. */
const PLACES = { cell: 0.15, reach: 30, looks: 5 };
/** Cells of a grid with less ink are left out. */
const LEAST_IN_CELL = 0.3;

/** The place at which a signature agrees best with a part of some ink, whatever the rest is: each keypoint votes by its partners. */
export function placeWithin(signature: OrientedPoints, ink: OrientedPoints): Placement {
  const [keys, keysOfInk] = [keypointsOf(signature).filter((_, i) => i % EVERY === 0), keypointsOf(ink)];
  const columns = keysOfInk.length;
  const described = describe(signature, keys, LOCAL);
  const grid = coarseGrid(signature, IDENTITY);
  const placements = SCALES.flatMap((scale) => {
    const cells = LOCAL.map((cell) => cell * scale);
    const alike = likenesses(described, describe(ink, keysOfInk, cells));
    const votes = new Float32Array(ACROSS * ACROSS);
    for (let i = 0; i < keys.length; i++) {
      const row = alike.subarray(i * columns, (i + 1) * columns);
      const [x, y] = [signature.x[keys[i]!]!, signature.y[keys[i]!]!];
      let least = 0;
      for (let j = 0; j < columns; j++) least = Math.max(least, NEARLY * row[j]!);
      for (let j = 0; j < columns; j++) {
        if (row[j]! < least) continue;
        const column = cellOf(ink.x[keysOfInk[j]!]! / scale - x);
        const line = cellOf(ink.y[keysOfInk[j]!]! / scale - y);
        if (Math.min(column, line) > 0 && Math.max(column, line) < ACROSS - 1)
          votes[line * ACROSS + column]! += row[j]!;
      }
    }
    return fullestOf(votes).map(({ column, line }) => {
      const [x, y] = [placeOf(column), placeOf(line)];
      const there = coarseGrid(ink, [1 / scale, 0, -x, 0, 1 / scale, -y]);
      return { scale, x: x * scale, y: y * scale, agreement: agreementWithin(grid, there) };
    });
  });
  return placements.reduce((best, one) => (one.agreement > best.agreement ? one : best));
}

const ACROSS = 2 * PLACES.reach + 1;
const cellOf = (place: number) => Math.round(place / PLACES.cell) + PLACES.reach;
const placeOf = (cell: number) => (cell - PLACES.reach) * PLACES.cell;

/** The cells that have most votes with those around them, each of which counts a little less. */
function fullestOf(votes: Float32Array): { column: number; line: number }[] {
  const sums = new Float32Array(votes.length);
  for (let at = ACROSS + 1; at < votes.length - ACROSS - 1; at++) {
    let around = 0;
    for (const row of [at - ACROSS, at, at + ACROSS])
      around += votes[row - 1]! + votes[row]! + votes[row + 1]!;
    sums[at] = 0.3 * votes[at]! + 0.7 * around;
  }
  return Array.from({ length: PLACES.looks }, () => {
    let most = ACROSS + 1;
    for (let at = most; at < sums.length; at++) if (sums[at]! > sums[most]!) most = at;
    for (const row of [most - ACROSS, most, most + ACROSS]) sums.fill(0, row - 1, row + 2);
    return { column: most % ACROSS, line: Math.floor(most / ACROSS) };
  });
}

/** The cosine of two grids in the cells in which the first one has ink. */
function agreementWithin(grid: Float32Array, other: Float32Array): number {
  const [ours, theirs] = [grid.slice(), other.slice()];
  for (let cell = 0; cell < grid.length; cell += DIRECTIONS) {
    let ink = 0;
    for (let at = cell; at < cell + DIRECTIONS; at++) ink += grid[at]!;
    if (ink < LEAST_IN_CELL) for (const each of [ours, theirs]) each.fill(0, cell, cell + DIRECTIONS);
  }
  return cosine(ours, theirs);
}

// ---------------------------------------------------------------- turn

const GRID_COLUMNS = 18;
const GRID_ROWS = 12;
const GRID_CELL = 0.36;

/** The turn of the second signature under which coarse grids of directions agree best; small turns win ties. */
function bestTurn(first: OrientedPoints, second: OrientedPoints): number {
  return turnAround(coarseGrid(first, IDENTITY), second, 0).turn;
}

/** Turns of a part against a whole, degrees. */
const TURNS_OF_PARTS = [-16, -8, 0, 8, 16];

/** How well the coarse grids of two signatures that lie alike agree, 0 to 1; those of the second one are kept. */
export function gridAgreement(first: OrientedPoints, second: OrientedPoints): number {
  const grid = coarseGrid(first, IDENTITY);
  const turned =
    turnedGrids.get(second) ??
    TURNS_OF_PARTS.map((degrees) => coarseGrid(second, rotation((degrees * Math.PI) / 180)));
  turnedGrids.set(second, turned);
  return Math.max(...turned.map((each) => cosine(grid, each)));
}

/** Grids of signatures with which several parts are compared. */
const turnedGrids = new WeakMap<OrientedPoints, readonly Float32Array[]>();

/** The best turn near some eighth turns, and how well the grids agree under it. */
function turnAround(
  grid: Float32Array,
  second: OrientedPoints,
  eighths: number,
): { turn: number; agreement: number } {
  let best = -Infinity;
  let turn = 0;
  // Quarter turns reach to either side of the eighths between them.
  const [largest, step] = eighths % 2 === 0 ? [LARGEST_TURN, TURN_STEP] : [BETWEEN_TURN, BETWEEN_STEP];
  for (let degrees = -largest; degrees <= largest; degrees += step) {
    const radians = ((45 * eighths + degrees) * Math.PI) / 180;
    const agreement = cosine(grid, coarseGrid(second, rotation(radians))) - 0.0005 * Math.abs(degrees);
    if (agreement > best) {
      best = agreement;
      turn = radians;
    }
  }
  return { turn, agreement: best };
}

/**
 * A picture is taken to lie on its side or head when the grids agree so much better that way, and so well at all. Of genuine
 * pairs that lie alike 99 in 100 agree by 0.04 more as they are than in any other quarter turn; pairs of different
 * writers differ to either side. None of 294 genuine pairs of the development sets agrees better half way between two quarter
 * turns than in the best of these; of the same pairs, one picture turned by 45° or 135°, 291 do so by as much.
 */
const TURNED_AGREES = { better: 0.03, least: 0.45 };

/** By how many eighth turns the second signature lies otherwise than the first, 0 to 7, and its best turn around none. */
export function eighthsBetween(
  first: OrientedPoints,
  second: OrientedPoints,
): { eighths: number; turn: number } {
  const grid = coarseGrid(first, IDENTITY);
  const looks = Array.from({ length: 8 }, (_, eighths) => turnAround(grid, second, eighths));
  const agreements = looks.map(({ agreement }) => agreement);
  const bestOf = (turns: readonly number[], rest: number) => {
    const best = turns.reduce((a, b) => (agreements[b]! > agreements[a]! ? b : a));
    const least = Math.max(TURNED_AGREES.least, agreements[rest]! + TURNED_AGREES.better);
    return agreements[best]! > least ? best : rest;
  };
  return { eighths: bestOf([1, 3, 5, 7], bestOf([2, 4, 6], 0)), turn: looks[0]!.turn };
}

/** Directions in coarse cells of the mapped points, every point shared among its four nearest cells. */
export function coarseGrid(points: OrientedPoints, [a, b, c, d, e, f]: Affine): Float32Array {
  const out = new Float32Array(GRID_COLUMNS * GRID_ROWS * DIRECTIONS);
  const turn = Math.atan2(d - b, a + e);
  for (let i = 0; i < points.count; i++) {
    const u = (a * points.x[i]! + b * points.y[i]! + c) / GRID_CELL + GRID_COLUMNS / 2 - 0.5;
    const v = (d * points.x[i]! + e * points.y[i]! + f) / GRID_CELL + GRID_ROWS / 2 - 0.5;
    const left = Math.floor(u);
    const top = Math.floor(v);
    if (left < 0 || top < 0 || left >= GRID_COLUMNS - 1 || top >= GRID_ROWS - 1) continue;
    const direction = directionOf(points.angle[i]! + turn);
    const k = Math.floor(direction) % DIRECTIONS;
    const next = (k + 1) % DIRECTIONS;
    const share = direction - Math.floor(direction);
    for (let dy = 0; dy <= 1; dy++)
      for (let dx = 0; dx <= 1; dx++) {
        const weight = (dx ? u - left : 1 - u + left) * (dy ? v - top : 1 - v + top);
        const at = ((top + dy) * GRID_COLUMNS + left + dx) * DIRECTIONS;
        out[at + k]! += weight * (1 - share);
        out[at + next]! += weight * share;
      }
  }
  return out;
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    ab += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}
