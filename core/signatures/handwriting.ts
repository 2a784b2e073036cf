/** Tells handwriting from what else is on a form: print in rows, stamps, frames, codes and buttons. */
import { boxOf, keepParts, label } from './components.ts';
import type { Bounds, Component, Labelled } from './components.ts';
import { countOf } from './raster.ts';
import type { Mask } from './raster.ts';
import { withoutRuledLines } from './ruledLines.ts';
import { polygonSide } from './straight.ts';
import { denseFields, hullsOf, isRidged, inkedShare, regularity, isWithin } from './regular.ts';
import type { Shape } from './regular.ts';

/** Kinds of ink beside handwriting. */
export type Foreign = 'PRINT' | 'OUTLINE' | 'RIDGES' | 'FIELD' | 'BRACKET' | 'LINE' | 'OTHER_INK' | 'CUT';

export interface Handwriting {
  /** The ink that is left. */
  ink: Mask;
  foreign: ReadonlySet<Foreign>;
  /** A stamp's ring runs through the ink that is left, so that the two cannot be told apart. */
  entangled: boolean;
  /** Other ink may be left, or pieces of the strokes may be missing. */
  mixed: boolean;
  /** Area of what was taken out, pixels; without ruled lines. */
  removed: number;
  /** Area of ruled lines and of frames made of them, pixels. */
  ruled: number;
  /** All parts, with those that were taken out. */
  all: readonly Component[];
}

const wide = (box: Bounds) => box.right - box.left + 1;
const tall = (box: Bounds) => box.bottom - box.top + 1;

/** Ruled lines and dense fields of a mask, which no pen makes. */
export interface PrintedShapes {
  found: Mask;
  unruled: Mask;
  /** A line does not go over the whole picture. */
  partial: boolean;
  penWidth: number;
  fields: readonly Shape[];
  /** The parts without the lines. */
  before: Labelled;
  /** The rest: the mask without lines and fields. */
  ink: Mask;
}

export function printedShapesIn(found: Mask): PrintedShapes {
  const { ink: unruled, partial } = withoutRuledLines(found);
  const before = label(unruled, 'corners');
  const penWidth = Math.min(usualRun(before), Math.ceil(THICKEST_PEN * Math.max(found.width, found.height)));
  const fields = denseFields(unruled, penWidth);
  const ink = fields.length > 0 ? cleared(unruled, fields, penWidth) : unruled;
  return { found, unruled, partial, penWidth, fields, before, ink };
}

/**
 * @param cut sides on which the picture is cut out of a larger one: ink that goes on there is not the signature's
 * @param known the shapes of this mask or of another one, of which they are no use
 */
export function handwritingIn(found: Mask, cut: ReadonlySet<Side>, known?: PrintedShapes): Handwriting {
  const shapes = known?.found === found ? known : printedShapesIn(found);
  const { unruled, partial, penWidth, fields, before, ink } = shapes;
  const labelled = fields.length > 0 ? label(ink, 'corners') : before;
  const { components } = labelled;
  const foreign = new Set<Foreign>([
    ...(partial ? ['LINE' as const] : []),
    ...(fields.length > 0 ? ['FIELD' as const] : []),
    ...(fields.some((field) => isRidged(unruled, field)) ? ['RIDGES' as const] : []),
  ]);
  const gone = new Set<number>();
  const take = (kind: Foreign, parts: readonly number[]) => {
    if (parts.length > 0) foreign.add(kind);
    for (const part of parts) gone.add(part);
  };
  take('CUT', cutOff(components, cut, ink));
  const rows = printedRows(components);
  take(
    'PRINT',
    rows.flatMap((row) => blockAround(components, row)),
  );
  take(
    'PRINT',
    wordsIn(ink, components, gone).flatMap((word) => blockAround(components, [word])),
  );
  const { outlines, entangled, mixed } = outlinesIn(ink, labelled, penWidth);
  const stamps: Bounds[] = [];
  for (const { index, shape, isRound } of outlines) {
    take('OUTLINE', [index]);
    const lying = inside(labelled, shape, penWidth);
    const held = lying.filter((part) => !gone.has(part));
    const area = (parts: readonly number[]) => parts.reduce((sum, part) => sum + components[part]!.area, 0);
    const others = components.map((_, i) => i).filter((i) => !gone.has(i) && !held.includes(i));
    // A frame holds the signature, a stamp its own words: nobody is asked to sign in a ring.
    if (isRound || area(held) < FRAMED * area(others)) {
      take('OUTLINE', held);
      if (lying.length > 0) stamps.push(shape.bounds);
    }
  }
  take('LINE', dottedLines(components));
  take('BRACKET', bracketsIn(ink, components, gone));
  take('PRINT', farSpecks(components, gone));
  const rest = boxOf(components.filter((_, i) => !gone.has(i)));
  // Not all that lay in a stamp over the signature was the stamp's.
  const isStamped = stamps.some((stamp) => isNear(stamp, rest, 0));
  const kept = gone.size === 0 ? ink : keepParts(ink, labelled, (_, part) => !gone.has(part));
  return {
    ink: kept,
    foreign,
    entangled,
    mixed: mixed || isStamped,
    removed: countOf(unruled) - countOf(kept),
    ruled: countOf(found) - countOf(unruled),
    all: before.components,
  };
}

/** A side of a picture. */
export type Side = keyof Bounds;

/** The parts that are cut off, unless they are most of the ink: a line across the picture may hang on the signature. */
function cutOff(components: readonly Component[], cut: ReadonlySet<Side>, { width, height }: Mask): number[] {
  const most = CUT_SHARE * boxOf(components).area;
  const edges: Bounds = { left: 0, top: 0, right: width - 1, bottom: height - 1 };
  return components.flatMap((part, i) =>
    part.area < most && [...cut].some((side) => part[side] === edges[side]) ? [i] : [],
  );
}

/** A share of all ink. */
const CUT_SHARE = 0.3;

/** The ink without all that lies in some fields, through which no stroke can be followed. */
function cleared(ink: Mask, fields: readonly Shape[], slack: number): Mask {
  const out = { ...ink, data: Uint8Array.from(ink.data) };
  for (const { hull, bounds } of fields)
    for (let y = Math.max(0, bounds.top - slack); y <= Math.min(ink.height - 1, bounds.bottom + slack); y++)
      for (let x = Math.max(0, bounds.left - slack); x <= Math.min(ink.width - 1, bounds.right + slack); x++)
        if (isWithin(hull, x, y, slack)) out.data[y * ink.width + x] = 0;
  return out;
}

/** Small parts far from the rest: up to this share of its height, together of its ink, and at least so far, in its long sides. */
const SPECKS = { tall: 0.3, ink: 0.12, far: 0.2 };

/** The largest part and those near it, or near such ones, by index. */
export function mainParts(components: readonly Component[]): ReadonlySet<number> {
  if (components.length === 0) return new Set();
  const largest = components.reduce((a, one, b) => (one.area > components[a]!.area ? b : a), 0);
  const main = new Set([largest]);
  let box = boxOf([components[largest]!]);
  for (let before = 0; before !== main.size;) {
    before = main.size;
    const reach = SPECKS.far * Math.max(wide(box), tall(box));
    for (const [i, part] of components.entries()) if (!main.has(i) && isNear(part, box, reach)) main.add(i);
    box = boxOf([...main].map((i) => components[i]!));
  }
  return main;
}

/** The remains of small print, as a clock or a single word: parts far from the handwriting, small beside it. */
function farSpecks(components: readonly Component[], gone: ReadonlySet<number>): number[] {
  const left = components.map((_, i) => i).filter((i) => !gone.has(i));
  if (left.length < 2) return [];
  const main = new Set([...mainParts(left.map((i) => components[i]!))].map((i) => left[i]!));
  const box = boxOf([...main].map((i) => components[i]!));
  const far = left.filter((i) => !main.has(i));
  const area = far.reduce((sum, i) => sum + components[i]!.area, 0);
  const isSmall =
    far.every((i) => tall(components[i]!) <= SPECKS.tall * tall(box)) && area <= SPECKS.ink * box.area;
  return isSmall ? far : [];
}

const isNear = (part: Bounds, box: Bounds, reach: number) =>
  part.left <= box.right + reach &&
  part.right >= box.left - reach &&
  part.top <= box.bottom + reach &&
  part.bottom >= box.top - reach;

/** No pen is wider than this share of the picture's long side. */
const THICKEST_PEN = 0.03;

/** The usual width of the ink along a row: that of strokes, also beside a filled area. */
function usualRun({ runs: { count, from, to } }: Labelled): number {
  const lengths = Int32Array.from({ length: count }, (_, i) => to[i]! - from[i]! + 1).sort();
  return lengths[count >> 1] ?? 0;
}

/** Ink within an outline is a stamp's own when there is more than so much ink elsewhere, as a share of that. */
const FRAMED = 1.5;

/** Parts that lie in a box. */
function within(components: readonly Component[], box: Bounds): number[] {
  return components.flatMap((part, i) =>
    part.left >= box.left && part.right <= box.right && part.top >= box.top && part.bottom <= box.bottom
      ? [i]
      : [],
  );
}

/** Parts whose corners all lie in a shape. */
function inside({ components }: Labelled, { hull, bounds }: Shape, slack: number): number[] {
  const around = {
    left: bounds.left - slack,
    top: bounds.top - slack,
    right: bounds.right + slack,
    bottom: bounds.bottom + slack,
  };
  return within(components, around).filter((i) => {
    const { left, top, right, bottom } = components[i]!;
    return [
      [left, (top + bottom) / 2],
      [right, (top + bottom) / 2],
      [(left + right) / 2, top],
      [(left + right) / 2, bottom],
    ].every(([x, y]) => isWithin(hull, x!, y!, slack + 1));
  });
}

/** Dashes of one size at even distances on one line: so many of them, alike to a share of their size and pixels. */
const DASHES = { least: 8, share: 0.2, pixels: 1.5, apart: 4 };

/** Parts of dotted and dashed lines, level or upright. */
function dottedLines(components: readonly Component[]): number[] {
  const largest = Math.max(...components.map((part) => Math.max(tall(part), wide(part))));
  const small = components.flatMap((part, i) =>
    Math.max(tall(part), wide(part)) < 0.1 * largest + DASHES.pixels ? [i] : [],
  );
  return (['left', 'top'] as const).flatMap((along) => {
    const across = along === 'left' ? 'top' : 'left';
    const sorted = small.toSorted((a, b) => components[a]![along] - components[b]![along]);
    const before = new Map<number, number[]>();
    for (const [at, i] of sorted.entries()) {
      const one = components[i]!;
      const size = Math.max(tall(one), wide(one));
      const slack = DASHES.pixels + DASHES.share * size;
      const last = sorted.slice(0, at).findLast((j) => {
        const other = components[j]!;
        const isAlike =
          Math.abs(wide(one) - wide(other)) <= slack && Math.abs(tall(one) - tall(other)) <= slack;
        return isAlike && Math.abs(one[across] - other[across]) <= DASHES.pixels && one[along] > other[along];
      });
      const isNext = last !== undefined && one[along] - components[last]![along] <= DASHES.apart * size + 4;
      const row = (isNext ? before.get(last) : undefined) ?? [];
      row.push(i);
      before.set(i, row);
    }
    return [...new Set(before.values())].filter((row) => row.length >= DASHES.least).flat();
  });
}

// ---------------------------------------------------------------- print

/** Letters stand nearer to each other than so many times their height, and are at most so much taller than one another. */
const LETTER_GAP = 1.1;
const LETTER_RATIO = 2.6;
/** A row has at least so many letters, of which at least such a share stand on its line; a short one is nearly all of the ink. */
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
function printedRows(components: readonly Component[]): number[][] {
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
  const all = areaOf(components);
  return [...new Set(row.values())].filter((members) => {
    const parts = members.map((i) => components[i]!);
    return isPrinted(parts, areaOf(parts) >= SHORT_ROW.ink * all ? SHORT_ROW.letters : ROW_LETTERS);
  });
}

const areaOf = (parts: readonly Component[]) => parts.reduce((sum, { area }) => sum + area, 0);

/**
 * Small letters that run together: a low part at least so long for its height, in which so many strokes a height stand side
 * by side, and of whose columns so many end on one line below and on one of two lines above.
 */
const WORD = { tall: 0.22, least: 7, most: 34, long: 2, strokes: 0.9, below: 0.5, above: 0.6, slack: 0.07 };

function wordsIn(ink: Mask, components: readonly Component[], gone: ReadonlySet<number>): number[] {
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
function blockAround(components: readonly Component[], row: readonly number[]): number[] {
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

// ---------------------------------------------------------------- outlines

/** An outline is at least so tall, as a share of all ink, and so many pen widths. */
const OUTLINE_HEIGHT = 0.3;
const OUTLINE_PENS = 8;
/** A button is at least so tall, pixels, so many times as wide, and holds so many parts. */
const BUTTON = { tall: 20, wide: 1.5, parts: 2 };
/** How far its hull is off a regular one, as a share of its width. */
const OUTLINE_OFF = 0.012;
/** A closed outline has ink along so much of its hull. */
const CLOSED = 0.92;

interface Outline {
  index: number;
  isRound: boolean;
  shape: Shape;
}

/** Closed regular outlines, and whether a ring or a polygon runs through ink that goes on beyond it. */
function outlinesIn(
  ink: Mask,
  labelled: Labelled,
  penWidth: number,
): { outlines: Outline[]; entangled: boolean; mixed: boolean } {
  const { components } = labelled;
  const all = boxOf(components);
  const least = Math.max(OUTLINE_PENS * penWidth, OUTLINE_HEIGHT * Math.min(tall(all), wide(all)));
  const isGround = (part: Component) => wide(part) === ink.width && tall(part) === ink.height;
  const isLarge = (part: Component) => Math.min(tall(part), wide(part)) >= least;
  // Small ones are letters and parts of ideographs, but for the rim of a button with its words.
  const isButton = (part: Component) =>
    tall(part) >= BUTTON.tall &&
    wide(part) >= BUTTON.wide * tall(part) &&
    within(components, part).length > BUTTON.parts;
  const large = components.flatMap((part, i) =>
    (isLarge(part) || isButton(part)) && !isGround(part) ? [i] : [],
  );
  if (large.length === 0) return { outlines: [], entangled: false, mixed: false };
  const hulls = hullsOf(labelled);
  const outlines: Outline[] = [];
  const others = new Set<number>();
  for (const index of large) {
    const hull = hulls[index]!;
    const part = components[index]!;
    const { off, thin, isRound } = regularity(hull);
    const isLargeOne = isRound || isLarge(part);
    const isRegular = thin >= (isLargeOne ? least : BUTTON.tall) && off <= 1 + OUTLINE_OFF * thin;
    if (isRegular && inkedShare(ink, hull, penWidth + 2) >= CLOSED)
      outlines.push({ index, isRound, shape: { hull, bounds: part } });
    else others.add(index);
  }
  const side = Math.max(SIDE.pens * penWidth, SIDE.share * Math.max(tall(all), wide(all)), SIDE.pixels);
  const rest = keepParts(ink, labelled, (_, i) => others.has(i));
  const found = polygonSide(rest, penWidth, SIDE.mixed * side);
  return { outlines, entangled: found >= side, mixed: found > 0 };
}

/** Sides of a polygon are at least so long, in widths of the pen, as a share of all ink, and in pixels. */
const SIDE = { pens: 3.5, share: 0.075, pixels: 44, mixed: 0.75 };

// ---------------------------------------------------------------- brackets

/** A bracket is at least so tall, as a share of the other ink, and its halves mirror each other to so many of their pixels. */
const BRACKET_HEIGHT = 0.8;
const MIRRORED = 0.9;
const MIRROR_SLACK = 3;

/** Tall parts to the left or right of all other ink whose upper half mirrors the lower one. */
function bracketsIn(ink: Mask, components: readonly Component[], gone: ReadonlySet<number>): number[] {
  const left = components.map((_, i) => i).filter((i) => !gone.has(i));
  return left.filter((i) => {
    const part = components[i]!;
    if (tall(part) < 4 * wide(part)) return false;
    const others = boxOf(left.flatMap((j) => (j === i ? [] : [components[j]!])));
    const isBeside = part.right < others.left || part.left > others.right;
    return isBeside && tall(part) >= BRACKET_HEIGHT * tall(others) && mirroredShare(ink, part) >= MIRRORED;
  });
}

/** Share of the ink in a part's box that has ink near its mirror image, top to bottom. */
function mirroredShare({ width, data }: Mask, { left, top, right, bottom }: Bounds): number {
  let all = 0;
  let mirrored = 0;
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      if (data[y * width + x] === 0) continue;
      all++;
      const row = (top + bottom - y) * width;
      for (let dx = -MIRROR_SLACK; dx <= MIRROR_SLACK; dx++)
        if (data[row + x + dx] === 1) {
          mirrored++;
          break;
        }
    }
  return mirrored / all;
}
