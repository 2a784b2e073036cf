/** Tells handwriting from what else is on a form: print in rows, stamps, frames, codes and buttons. */
import { boxOf, keepParts, label, tall, wide, within } from './components.ts';
import type { Bounds, Component, Labelled } from './components.ts';
import { blockAround, printedRows, remainsAbout, wordsIn } from './print.ts';
import { countOf, type Mask } from './raster.ts';
import { paperDots, withoutRuledLines } from './ruledLines.ts';
import { polygonSide } from './straight.ts';
import {
  areaOf,
  boxAround,
  codesIn,
  denseFields,
  hullsOf,
  inkedShare,
  isRidged,
  isSolid,
} from './regular.ts';
import { isWithin, regularity, turnedBox } from './regular.ts';
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
  /** Of these, roughly those of buttons and bars, which have much ink and leave nothing that looks like strokes. */
  solid: number;
  /** Area of ruled lines and of frames made of them, pixels. */
  ruled: number;
  /** All parts but dashes, with those that were taken out. */
  all: readonly Component[];
}

/** Ruled lines, dots of dotted paper and dense fields of a mask, which no pen makes. */
export interface PrintedShapes {
  found: Mask;
  unruled: Mask;
  /** A line does not go over the whole picture. */
  partial: boolean;
  penWidth: number;
  fields: readonly Shape[];
  /** The parts without the lines and dots. */
  before: Labelled;
  /** The rest: the mask without lines and fields. */
  ink: Mask;
}

export function printedShapesIn(found: Mask): PrintedShapes {
  const { ink: lineless, partial } = withoutRuledLines(found);
  const parts = label(lineless, 'corners');
  const dots = paperDots(parts.components);
  const unruled = dots.size > 0 ? keepParts(lineless, parts, (_, part) => !dots.has(part)) : lineless;
  const before = dots.size > 0 ? label(unruled, 'corners') : parts;
  const penWidth = Math.min(usualRun(before), Math.ceil(THICKEST_PEN * Math.max(found.width, found.height)));
  const dense = denseFields(unruled, penWidth);
  const fields = dense.length > 0 ? dense : codesIn(unruled);
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
  const { placed, rows } = rowsIn(labelled);
  const print = [...new Set(rows.flatMap((row) => blockAround(placed, row)))];
  take('PRINT', [...print, ...remainsAbout(placed, print)]);
  take(
    'PRINT',
    wordsIn(ink, components, gone).flatMap((word) => blockAround(components, [word])),
  );
  const { outlines, loops, entangled, mixed } = outlinesIn(ink, labelled, penWidth);
  take('OUTLINE', loops);
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
  const dashes = new Set(dottedLines(before.components));
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
    solid: fields.reduce((sum, { hull, bounds }) => sum + (isSolid(unruled, bounds) ? areaOf(hull) : 0), 0),
    ruled: countOf(found) - countOf(unruled),
    all: before.components.filter((_, part) => !dashes.has(part)),
  };
}

/** Printed rows, and the parts as they lie when the rows are level: also of a word that is stamped aslant. */
function rowsIn(labelled: Labelled): { placed: readonly Component[]; rows: number[][] } {
  const { components } = labelled;
  const level = { placed: components, rows: printedRows(components) };
  if (level.rows.length > 0 || components.length < LEAST_ASLANT.parts) return level;
  const hulls = hullsOf(labelled);
  const { slant } = boxAround(hulls);
  if (Math.abs(slant) < LEAST_ASLANT.radians) return level;
  const placed = components.map(({ area }, i) => ({ area, ...turnedBox(hulls[i]!, -slant) }));
  return { placed, rows: printedRows(placed) };
}

/** Rows that lie flatter are found as they are; fewer parts are no row. */
const LEAST_ASLANT = { radians: 0.12, parts: 4 };

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

/**
 * A signature is circled by a thin line, in widths of the pen along its box, that goes so near along its own hull, as a share of
 * its width, and holds nearly all other ink, which is so much beside its own.
 */
const LOOP = { pens: 4, off: 0.08, holds: 0.9, ink: 0.3 };

interface Outline {
  index: number;
  isRound: boolean;
  shape: Shape;
}

/** Closed regular outlines, loops by hand about all other ink, and whether a polygon runs through ink that goes on beyond it. */
function outlinesIn(
  ink: Mask,
  labelled: Labelled,
  penWidth: number,
): { outlines: Outline[]; loops: number[]; entangled: boolean; mixed: boolean } {
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
  if (large.length === 0) return { outlines: [], loops: [], entangled: false, mixed: false };
  const hulls = hullsOf(labelled);
  const outlines: Outline[] = [];
  const loops: number[] = [];
  const others = new Set<number>();
  for (const index of large) {
    const hull = hulls[index]!;
    const part = components[index]!;
    const { off, thin, isRound } = regularity(hull);
    const isLargeOne = isRound || isLarge(part);
    const isRegular = thin >= (isLargeOne ? least : BUTTON.tall) && off <= 1 + OUTLINE_OFF * thin;
    if (isRegular && inkedShare(ink, hull, penWidth + 2) >= CLOSED)
      outlines.push({ index, isRound, shape: { hull, bounds: part } });
    else {
      others.add(index);
      const isThin = part.area <= LOOP.pens * penWidth * (wide(part) + tall(part));
      const held = inside(labelled, { hull, bounds: part }, 0).filter((i) => i !== index);
      const areaIn = held.reduce((sum, i) => sum + components[i]!.area, 0);
      const isAround = areaIn >= LOOP.holds * (all.area - part.area) && areaIn >= LOOP.ink * part.area;
      if (isThin && isAround && inkedShare(ink, hull, penWidth + LOOP.off * thin) >= CLOSED)
        loops.push(index);
    }
  }
  const side = Math.max(SIDE.pens * penWidth, SIDE.share * Math.max(tall(all), wide(all)), SIDE.pixels);
  const rest = keepParts(ink, labelled, (_, i) => others.has(i));
  const found = polygonSide(rest, penWidth, SIDE.mixed * side);
  return { outlines, loops, entangled: found >= side, mixed: found > 0 };
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
