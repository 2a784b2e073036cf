/** Printed letters among the parts of ink: rows that stand on one line, small words, and the block around them. */
import { boxOf, tall, wide, within, type Component } from './components.ts';
import type { Mask } from './raster.ts';

/** Letters stand nearer to each other than so many times their height, and are at most so much taller than one another. */
const LETTER_GAP = 1.1;
const LETTER_RATIO = 2.6;
/** A row has at least so many letters, of which at least such a share stand on its line; short ones are nearly all of the ink. */
const ROW_LETTERS = 5;
const SHORT_ROW = { letters: 4, ink: 0.85, slack: 0.4 };
const ON_LINE = 0.7;
/** So many of them are of one of two heights: small ones, and tall ones, whose capitals may be so much lower than the others. */
const OF_TWO_HEIGHTS = 0.75;
const CAPITALS = 0.06;
/** How far from the line a printed letter stands, as a share of the letters' height, or pixels. */
const LINE_SLACK = 0.025;
const LEAST_SLACK = 0.5;
const LEAST_LETTER = 6;
/** A printed letter is at most so much wider than tall; small ones run together, several to a part. */
const LETTER_WIDTH = 1.7;
const SMALL_LETTER = { height: 25, width: 4 };

/** Rows of parts that stand on one line as only printed letters do. */
export function printedRows(components: readonly Component[]): number[][] {
  const letters = components.flatMap((part, i) => (isLetter(part) ? [i] : []));
  letters.sort((a, b) => components[a]!.left - components[b]!.left);
  const row = new Map<number, number[]>();
  for (const [at, i] of letters.entries()) {
    const one = components[i]!;
    // The nearest letter to the left that it stands beside.
    const before = letters
      .slice(0, at)
      .filter((j) => areNeighbours(components[j]!, one))
      .sort((a, b) => components[b]!.right - components[a]!.right)[0];
    const members = (before === undefined ? undefined : row.get(before)) ?? [];
    members.push(i);
    row.set(i, members);
  }
  const partsOf = (members: readonly number[]) => members.map((i) => components[i]!);
  const rows = [...new Set(row.values())].filter((members) => isPrinted(partsOf(members), SHORT_ROW.letters));
  const isAll = areaOf(partsOf(rows.flat())) >= SHORT_ROW.ink * areaOf(components);
  return isAll ? rows : rows.filter((members) => isPrinted(partsOf(members), ROW_LETTERS));
}

const areaOf = (parts: readonly Component[]) => parts.reduce((sum, { area }) => sum + area, 0);

/**
 * Small letters that run together: a low part at least so long for its height, in which so many strokes a height stand side
 * by side, and of whose columns so many end on one line below and on one of two lines above.
 */
const WORD = { tall: 0.22, least: 7, most: 34, long: 2, strokes: 0.9, below: 0.5, above: 0.6, slack: 0.07 };

export function wordsIn(ink: Mask, components: readonly Component[], gone: ReadonlySet<number>): number[] {
  const most = Math.min(WORD.most, WORD.tall * tall(boxOf(components)));
  return components.flatMap((part, i) => {
    const height = tall(part);
    const isLow = height >= WORD.least && height <= most && wide(part) >= WORD.long * height;
    return isLow && !gone.has(i) && isWord(ink, part) ? [i] : [];
  });
}

function isWord({ width, data }: Mask, part: Component): boolean {
  const { left, top, right, bottom } = part;
  const height = tall(part);
  let strokes = 0;
  const rows = [0.35, 0.5, 0.65].map((share) => Math.round(top + share * (height - 1)) * width);
  for (const row of rows)
    for (let x = left; x <= right; x++)
      if (data[row + x] === 1 && (x === left || data[row + x - 1] === 0)) strokes++;
  if (strokes / rows.length < WORD.strokes * (wide(part) / height)) return false;
  const [above, below] = [new Uint16Array(height), new Uint16Array(height)];
  let columns = 0;
  for (let x = left; x <= right; x++) {
    let [first, last] = [-1, -1];
    for (let y = top; y <= bottom; y++) {
      if (data[y * width + x] === 0) continue;
      if (first < 0) first = y - top;
      last = y - top;
    }
    if (first < 0) continue;
    columns++;
    above[first]! += 1;
    below[last]! += 1;
  }
  const reach = Math.round(0.5 + WORD.slack * height);
  const at = (counts: Uint16Array, row: number) =>
    counts.subarray(Math.max(0, row - reach), row + reach + 1).reduce((sum, one) => sum + one, 0);
  const most = (counts: Uint16Array) => {
    const each = Array.from(counts, (_, row) => at(counts, row));
    const row = each.indexOf(Math.max(...each));
    return { row, count: each[row]! };
  };
  const line = most(above);
  const rest = above.map((count, row) => (Math.abs(row - line.row) <= reach ? 0 : count));
  return most(below).count >= WORD.below * columns && line.count + most(rest).count >= WORD.above * columns;
}

function isLetter(part: Component): boolean {
  const height = tall(part);
  const width = height <= SMALL_LETTER.height ? SMALL_LETTER.width : LETTER_WIDTH;
  return height >= LEAST_LETTER && wide(part) <= width * height;
}

function areNeighbours(before: Component, after: Component): boolean {
  const [low, high] = [Math.min(tall(before), tall(after)), Math.max(tall(before), tall(after))];
  const common = Math.min(before.bottom, after.bottom) - Math.max(before.top, after.top);
  return high <= LETTER_RATIO * low && common >= 0.5 * low && after.left - before.right <= LETTER_GAP * high;
}

function isPrinted(row: readonly Component[], least: number): boolean {
  if (row.length < least) return false;
  const heights = row.map(tall).sort((a, b) => a - b);
  const usual = heights[Math.floor(0.6 * heights.length)]!;
  const isShort = row.length < ROW_LETTERS;
  const slack = LEAST_SLACK + LINE_SLACK * usual * (isShort ? SHORT_ROW.slack : 1);
  const x = row.map((part) => (part.left + part.right) / 2);
  const bottoms = row.map((part) => part.bottom);
  const onLine = lineThrough(x, bottoms, slack);
  if (onLine.length < least || onLine.length < ON_LINE * row.length) return false;
  // Small letters and capitals: two heights, of which each stands on the line.
  const standing = onLine.map((i) => tall(row[i]!));
  const alike = (height: number) => standing.filter((one) => Math.abs(one - height) <= 1.5 * slack);
  const most = Math.max(...standing.map((one) => alike(one).length));
  const first = standing.find((one) => alike(one).length === most)!;
  const rest = standing.filter((one) => Math.abs(one - first) > 1.5 * slack);
  const second = Math.max(
    0,
    ...rest.map(
      (one) => rest.filter((other) => other <= one && one - other <= 1.5 * slack + CAPITALS * one).length,
    ),
  );
  return most > 1 && most + (second > 1 ? second : 0) >= OF_TWO_HEIGHTS * standing.length;
}

/** The most points that lie within `slack` of one nearly level line. */
function lineThrough(x: readonly number[], y: readonly number[], slack: number): number[] {
  let best: number[] = [];
  for (let i = 0; i < x.length; i++)
    for (let j = i + 1; j < x.length; j++) {
      const slope = (y[j]! - y[i]!) / Math.max(1, x[j]! - x[i]!);
      if (Math.abs(slope) > STEEPEST) continue;
      const on = x.flatMap((_, k) => (Math.abs(y[k]! - y[i]! - slope * (x[k]! - x[i]!)) <= slack ? [k] : []));
      if (on.length > best.length) best = on;
    }
  return best;
}

/** Print may lie askew by about 15°. */
const STEEPEST = 0.27;

/** A block of print goes on within so many heights of its letters aside and up or down, in parts at most so much taller. */
const BLOCK = { aside: 3, upright: 1.2, taller: 1.6 };

/** A row with what stands beside it, above and below: dots and hyphens, words and rows that were not recognised by themselves. */
export function blockAround(components: readonly Component[], row: readonly number[]): number[] {
  const height = Math.max(...row.map((i) => tall(components[i]!)));
  const block = new Set(row);
  for (let before = 0; before !== block.size;) {
    before = block.size;
    const box = boxOf([...block].map((i) => components[i]!));
    const around = {
      left: box.left - BLOCK.aside * height,
      top: box.top - BLOCK.upright * height,
      right: box.right + BLOCK.aside * height,
      bottom: box.bottom + BLOCK.upright * height,
    };
    for (const i of within(components, around))
      if (tall(components[i]!) <= BLOCK.taller * height) block.add(i);
  }
  return [...block];
}

/** Remains of a stamp's words and frame have so much ink beside that of the letters, in parts so many times as tall. */
const REMAINS = { ink: 0.6, taller: 5 };

/** All other parts, where they lie about print and no stroke of a signature is among them. */
export function remainsAbout(components: readonly Component[], print: readonly number[]): number[] {
  if (print.length === 0) return [];
  const letters = new Set(print);
  const box = boxOf(print.map((i) => components[i]!));
  const reach = Math.max(...print.map((i) => tall(components[i]!)));
  const around = {
    left: box.left - reach,
    top: box.top - reach,
    right: box.right + reach,
    bottom: box.bottom + reach,
  };
  const rest = components.map((_, i) => i).filter((i) => !letters.has(i));
  const isAbout =
    within(components, around).length === components.length &&
    rest.every((i) => tall(components[i]!) <= REMAINS.taller * reach) &&
    areaOf(rest.map((i) => components[i]!)) <= REMAINS.ink * box.area;
  return isAbout ? rest : [];
}
