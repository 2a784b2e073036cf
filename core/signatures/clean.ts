/** From colours to the ink of a signature: the steps in order, or the reason why there is none. */
import type { SignatureReason } from '../contracts/signatures.ts';
import { blurByOne, countOf, mask, type Colours, type Mask, type Plane } from './raster.ts';
import { sheetOf } from './sheet.ts';
import { greyOf, invert, isInverted, levelled, toDensity } from './density.ts';
import { hysteresis, splitOf, type Split } from './threshold.ts';
import {
  LEAST_DENSITY,
  inkMask,
  standsOut,
  tonesIn,
  tonesOf,
  paleToneOf,
  withPaler,
  withoutWatermark,
} from './tones.ts';
import { CALIBRATION } from './calibration.ts';
import { complexityOf } from './complexity.ts';
import { boxOf, fillPinholes, grown, keepParts, label } from './components.ts';
import type { Bounds, Component, Labelled } from './components.ts';
import type { OtherInk } from './doubts.ts';
import { boldnessOf, roughPenWidth, widthVariation } from './penWidth.ts';
import { inksOf } from './inkColours.ts';
import { handwritingIn, mainParts, printedShapesIn } from './handwriting.ts';
import type { Foreign, Handwriting, PrintedShapes, Side } from './handwriting.ts';
import { shapeOf, type Frame, type Shape } from './points.ts';
import { RING, ringShare } from './rings.ts';
import { thin } from './thinning.ts';
import { withoutRuledLines } from './ruledLines.ts';
import { toOneSize } from './resample.ts';
import { bridged, traceStrokes, type Stroke } from './strokes.ts';
import { LEAST_CONTRAST, SPECK_PENS, groupsIn, unusableReason, type InkFacts } from './usable.ts';

/** The ink that is compared: in pixels of the cleaned picture, which is cropped and brought to one size. */
export interface Ink {
  mask: Mask;
  strokes: Stroke[];
  /** Spread of the stroke width over its mean. */
  widthVariation: number;
}

/** With `ink` even where it is unusable, as long as there is any: a person may want to see it. */
export interface Cleaned {
  ink: Ink | undefined;
  shape: (Shape & { frame: Frame }) | undefined;
  /** Log-odds of a signature against a mark. */
  complexity: number;
  reason?: SignatureReason;
  facts: InkFacts;
  otherInk: OtherInk;
  /** Where the ink lies in the picture; undefined where there is none. */
  bounds: Bounds | undefined;
}

/**
 * The ink of a picture as it is; where that looks like no pen's, of the picture without shadows, folds and stains broader than
 * a pen, if it is a pen's there.
 * @param cut sides on which the picture is cut out of a larger one, well beyond the signature
 */
export function cleanInk(picture: Colours, cut: ReadonlySet<Side> = new Set()): Cleaned {
  const colours = sheetOf(picture);
  const first = cleanedAsIs(colours, cut);
  const { reason, facts, found } = first;
  const isDoubtful = reason === 'NOT_INK' || (!reason && facts.widthVariation > ONE_PEN);
  if (!isDoubtful || !found) return first;
  let pen = printedShapesIn(found).penWidth;
  for (let look = 0; look < LEVEL.looks; look++) {
    const level = cleanedAsIs(levelled(colours, Math.ceil(LEVEL.pens * pen) + 1), cut);
    // A low similarity is doubtful: pieces of broad shapes may be left.
    if (isOfOnePen(level)) return { ...level, otherInk: 'APART' };
    // The shadows count among the ink; without most of them the pen is known better.
    const before = pen;
    pen = level.found === undefined ? before : printedShapesIn(level.found).penWidth;
    if (pen >= before) break;
  }
  return first;
}

/** The width of one pen's strokes varies by no more in 199 of 200 signatures of the development sets, as a share of it. */
export const ONE_PEN = 0.43;

/**
 * Half the window that leaves a pen's strokes, in widths of the pen. Without broad shapes the width of the strokes varies by no
 * more, as a share, and the ink stands out by so many spreads of its ground: lines left of a face do not.
 */
const LEVEL = { pens: 0.7, looks: 3, variation: 0.38, contrast: 17 };

const isOfOnePen = ({ reason, otherInk, facts: { widthVariation: variation, split } }: Cleaned): boolean =>
  !reason && otherInk !== 'MIXED' && variation <= LEVEL.variation && isClear(split, LEVEL.contrast);

/** @returns also where there is ink of any kind; undefined where it is lighter than its ground */
function cleanedAsIs(colours: Colours, cut: ReadonlySet<Side>): Cleaned & { found: Mask | undefined } {
  const grey = greyOf(colours);
  const inverted = isInverted(grey);
  if (inverted) invert(grey);
  let density = inkDensity(grey);
  let split = splitOf(density);
  let found = inkMask(density, split);
  // The grain of blank paper has colours, tones and shapes too.
  const isBlank = split.ink - split.ground < LEAST_CONTRAST;
  const both = isBlank ? undefined : withPaler(density, found);
  const under = both && penUnder(density, both, cut);
  if (both && under === 'PEN') found = both;
  const inks = inverted || isBlank ? undefined : inksOf(colours, found)?.map(penMask);
  const marked = found;
  const printed = inks || isBlank ? undefined : printedShapesIn(found);
  let toned = printed && tonesIn(density, awayFromPrint(printed));
  let pale = toned && paleToneOf(toned, split);
  const hadPale = pale !== undefined;
  const unmarked = pale === undefined ? undefined : withoutWatermark(density, found, pale);
  let tones = toned && tonesOf(density, found, toned, pale);
  // A dark stamp is no pen over a watermark: the pale strokes under it are the pen's.
  const darker = tones?.[0];
  const hadWatermark =
    unmarked !== undefined &&
    darker !== undefined &&
    traitsOf(handwritingIn(darker, cut)).foreign <= MORE_FOREIGN;
  if (hadWatermark) {
    density = unmarked;
    split = splitOf(density);
    found = inkMask(density, split);
    toned = tonesIn(density, awayFromPrint(printedShapesIn(found)));
    pale = undefined;
    tones = tonesOf(density, found, toned, pale);
  }
  const inEach = (inks ?? tones)?.map((ink) => writingIn(ink, cut, printed));
  const isOne = !inEach || isOneSignature(inEach);
  let handwriting = isOne
    ? handwritingIn(found, cut, printed)
    : handwritingOf(inEach, cut, inks !== undefined);
  if (inEach && isOne)
    handwriting = { ...handwriting, foreign: new Set([...handwriting.foreign, 'OTHER_INK']) };
  if (!isOne || (!isBlank && handwriting.removed + handwriting.ruled > 0)) {
    // Ink that is left out is no sign of a photo.
    clear(density, without(found, handwriting.ink), handwriting.ink);
    split = splitOf(density);
  }
  // Judged alone, the handwriting may be fainter than it was beside black print.
  if (isOne && !isBlank && handwriting.removed > 0)
    handwriting = after(handwriting, handwritingIn(inkMask(density, split), cut));
  let drawn = drawnIn(handwriting.ink);
  if (!isBlank && !isWritten(drawn)) {
    const rest = { ...density, data: Float32Array.from(density.data) };
    clear(rest, grown(found, 1, 1), mask(found.width, found.height));
    const paler = splitOf(rest);
    const beneath = standsOut(paler) ? handwritingIn(inkMask(rest, paler), cut) : undefined;
    const traits = beneath && traitsOf(beneath);
    const isMark = traits && (isMarkOver(traitsOf(handwriting), traits) || goesOn(handwriting.ink, cut));
    if (beneath && traits?.isWritten && !isMark) {
      split = paler;
      drawn = drawnIn(beneath.ink);
      handwriting = after(
        { ...handwriting, foreign: new Set([...handwriting.foreign, 'OTHER_INK']) },
        beneath,
      );
    }
  }
  const { parts, clean, penWidth, ink, shape } = drawn;
  const { all, entangled, mixed } = handwriting;
  const isOver = hadWatermark || under === 'PERHAPS';
  const foreign = new Set<Foreign>([...handwriting.foreign, ...(isOver ? ['OTHER_INK' as const] : [])]);
  const facts = { ...factsOf(clean, penWidth, split, ink), all, foreign, entangled };
  let reason = unusableReason(facts);
  if (reason === 'NOT_INK') {
    // Pale lines of the paper are no tones of a photo either.
    const shades = hysteresis(density, LEAST_DENSITY, LEAST_DENSITY);
    clear(density, without(shades, withoutRuledLines(shades).ink), clean);
    facts.split = splitOf(density);
    reason = unusableReason(facts);
    const around = without(shades, grown(clean, 3, 1));
    if (reason === 'NOT_INK' && isPattern(density, around, facts)) {
      clear(density, around, clean);
      facts.split = splitOf(density);
      if (isClear(facts.split, PATTERN.contrast)) reason = unusableReason(facts);
      foreign.add('OTHER_INK');
    }
  }
  // Faint ink that is small in the picture shows in a closer look, and whether it is a watermark.
  const bounds = boundsOf((hadPale ? label(marked, 'corners') : parts).components);
  const isApart = foreign.size > 0;
  const isParted = !mixed && !isApart && !reason && mayBeTwo(clean);
  const otherInk = mixed ? 'MIXED' : isApart ? 'APART' : isParted ? 'PARTED' : 'NONE';
  // Remains of print and codes are no part of a mark far from them.
  const complexity = mixed || isApart ? complexityOfMain(drawn) : drawn.complexity;
  const result = { ink, shape, complexity, ...(reason && { reason }), facts, otherInk, bounds } as const;
  return { ...result, found: inverted ? undefined : found };
}

/**
 * The lines of a pale pattern, as on cheques: strokes are so many times as dark, and the lines at most so many times as wide.
 * Without them the strokes are of one pen, and stand out by so many spreads of the ground.
 */
const PATTERN = { darker: 2, thin: 1.2, variation: 0.32, contrast: 18 };

const isPattern = (density: Plane, around: Mask, { split, penWidth, ...facts }: InkFacts): boolean =>
  facts.widthVariation <= PATTERN.variation &&
  split.ink > PATTERN.darker * meanOf(density, around) &&
  roughPenWidth(around) <= PATTERN.thin * penWidth;

const isClear = ({ ink, ground, groundSpread }: Split, contrast: number) =>
  ink - ground >= contrast * groundSpread;

/** The mean of a density where a mask is. */
function meanOf({ data }: Plane, where: Mask): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < data.length; i++)
    if (where.data[i] === 1) {
      sum += data[i]!;
      count++;
    }
  return sum / Math.max(1, count);
}

/** Ink without specks, its strokes, and the form of these where there is any. */
function drawnIn(marks: Mask) {
  const parts = label(marks, 'corners');
  const clean = despeckled(marks, parts);
  const penWidth = roughPenWidth(clean);
  const ink = countOf(clean) > 0 ? strokesOf(clean, penWidth) : undefined;
  const shape = ink && shapeOf(ink.strokes);
  const complexity = shape ? complexityOf(shape, CALIBRATION.complexity) : -Infinity;
  return { parts, clean, penWidth, ink, shape, complexity };
}

/** The complexity of the parts about the largest one, which lie near one another. */
function complexityOfMain({ clean, complexity }: ReturnType<typeof drawnIn>): number {
  const labelled = label(clean, 'corners');
  const main = mainParts(labelled.components);
  if (main.size >= labelled.components.length) return complexity;
  return drawnIn(keepParts(clean, labelled, (_, part) => main.has(part))).complexity;
}

/** Whether ink parts into two groups, each of which may be a signature. */
function mayBeTwo(clean: Mask): boolean {
  const labelled = label(clean, 'corners');
  const groups = groupsIn(labelled.components);
  return !!groups?.every((group) => isWritten(drawnIn(keepParts(clean, labelled, (_, i) => group.has(i)))));
}

/** Whether ink holds more than a mark that everybody makes. */
const isWritten = ({ complexity }: { complexity: number }) => complexity >= CALIBRATION.complexity.least;

/** Makes ground of some ink and its rims, but not of the rims of what is kept. */
function clear({ data }: Plane, ink: Mask, kept: Mask): void {
  const [gone, rims] = [grown(ink, 3, 1), grown(kept, 2, 1)];
  for (let i = 0; i < data.length; i++) if (gone.data[i]! > rims.data[i]!) data[i] = 0;
}

/** Handwriting found after other ink was left out, with what is known of that. */
const after = (first: Handwriting, then: Handwriting): Handwriting => ({
  ...then,
  foreign: new Set([...first.foreign, ...then.foreign]),
  mixed: first.mixed || then.mixed,
  all: first.all,
});

/** An ink, the handwriting among it, and its traits. */
interface Written {
  found: Mask;
  handwriting: Handwriting;
  traits: Traits;
}

/** @param printed the shapes of all ink, where they were looked for */
function writingIn(found: Mask, cut: ReadonlySet<Side>, printed: PrintedShapes | undefined): Written {
  const handwriting = handwritingIn(found, cut, printed);
  return { found, handwriting, traits: traitsOf(handwriting) };
}

/**
 * The handwriting in the one of two inks that is less of a stamp.
 * @param differInColour the inks do not differ in tone, of which the darker one is mostly the pen's
 */
function handwritingOf(
  [darkInk, otherInk]: readonly Written[],
  cut: ReadonlySet<Side>,
  differInColour: boolean,
): Handwriting {
  if (!darkInk || !otherInk) throw new RangeError('There are no two inks to look at.');
  const { handwriting: dark, traits: traitsOfDark } = darkInk;
  const { handwriting: other, traits: traitsOfOther } = otherInk;
  const isOther = isOtherThePen(traitsOfDark, traitsOfOther, differInColour);
  const { foreign, ...pen } = isOther ? other : dark;
  const [traits, left] = isOther ? [traitsOfOther, traitsOfDark] : [traitsOfDark, traitsOfOther];
  const isRemains = isMarkOver(left, traits) || goesOn(pen.ink, cut);
  // A darker ink over a paler pen hides pieces of the strokes.
  const isOver = isOther && !differInColour;
  return {
    ...pen,
    ink: isOver ? bridged(pen.ink, darkInk.found) : pen.ink,
    foreign: new Set([...foreign, 'OTHER_INK']),
    entangled: pen.entangled || isRemains,
    mixed: pen.mixed || (isOver && hiddenShare(otherInk.found, darkInk.found) > HIDDEN),
  };
}

/** Whether ink goes on beyond a side on which the picture is cut out around other ink: that of a stamp of which it holds a part. */
function goesOn(ink: Mask, cut: ReadonlySet<Side>): boolean {
  const { left, top, right, bottom } = boxOf(label(ink, 'corners').components);
  return (
    (cut.has('left') && left === 0) ||
    (cut.has('top') && top === 0) ||
    (cut.has('right') && right === ink.width - 1) ||
    (cut.has('bottom') && bottom === ink.height - 1)
  );
}

/**
 * Whether an ink is but a mark, by a pen, that runs through what is written in another ink and is as tall as a signature: what
 * is written may be what is left of a stamp or a watermark, which is the same for everybody.
 */
const isMarkOver = (mark: Traits, written: Traits): boolean =>
  written.isWritten &&
  !mark.isWritten &&
  mark.foreign <= UNMIXED &&
  mark.length >= MARK.pens &&
  mark.penWidth <= SOLID * mark.height &&
  mark.height >= MARK.height * written.height &&
  shareWithin(mark.ink, written.box) >= MARK.within;

/** The share of some ink that lies in a box. */
function shareWithin({ width, data }: Mask, { left, top, right, bottom }: Bounds): number {
  let [all, within] = [0, 0];
  for (let i = 0; i < data.length; i++) {
    if (data[i] === 0) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    all++;
    if (x >= left && x <= right && y >= top && y <= bottom) within++;
  }
  return within / Math.max(1, all);
}

/** Less print and regular shapes, as a share of an ink, are none. */
const UNMIXED = 0.08;
/** A mark is so long, in widths of its pen, and so tall, as a share of what is written; this share of it lies in that one's box. */
const MARK = { pens: 12, height: 0.4, within: 0.1 };

/** Pens are black or blue, stamps mostly red; but the pen's ink is the other one where this one has less handwriting… */
const LEAST_OF_OTHER = 0.08;
/** … or more print and regular shapes, by so much of its ink, or strokes so much broader, as letters of a watermark have. */
const MORE_FOREIGN = 0.2;
const BROADER = 2.2;
/**
 * … or bold letters, as a share of their height, so much broader than strokes of a paler ink with no more points than any of 1,709
 * clean signatures of the development sets.
 */
const BOLD = 0.14;
const BOLDER = 1.4;
const PEN_POINTS = 503;

/** Another ink is no signature if more than this share of it was print and regular shapes. */
const MAX_FOREIGN = 0.6;
/** Of two inks that might be signatures, a caption's is lower: the other one, with little more print, is so many times as tall. */
const TALLER = 2;
const CAPTIONED = 0.3;
/** … and strokes broader than this share of their height are those of a shape. */
const SOLID = 0.2;

interface Traits {
  foreign: number;
  /** It holds more than a mark. */
  isWritten: boolean;
  penWidth: number;
  /** Length of the ink in widths of its pen: buttons have much ink and no length. */
  length: number;
  height: number;
  boldness: number;
  points: number;
  ink: Mask;
  box: Bounds;
}

function traitsOf(handwriting: Handwriting): Traits {
  const drawn = drawnIn(handwriting.ink);
  const { parts, penWidth } = drawn;
  const foreign = foreignShare(handwriting, drawn);
  const box = boxOf(parts.components);
  const height = box.bottom - box.top + 1;
  return {
    ink: handwriting.ink,
    box,
    boldness: boldnessOf(drawn.clean),
    points: drawn.shape?.points.count ?? 0,
    foreign,
    isWritten: foreign <= MAX_FOREIGN && penWidth <= SOLID * height && isWritten(drawn),
    penWidth,
    length: countOf(handwriting.ink) / Math.max(1, penWidth) ** 2,
    height,
  };
}

/** Whether the paler of two tones is the pen's, or may be. */
function penUnder(density: Plane, all: Mask, cut: ReadonlySet<Side>): 'PEN' | 'PERHAPS' | undefined {
  const tones = tonesOf(density, all, tonesIn(density, all), undefined);
  const [dark, other] = (tones ?? []).map((tone) => traitsOf(handwritingIn(tone, cut)));
  if (!dark || !other) return undefined;
  if (isOtherThePen(dark, other, false)) return 'PEN';
  return other.isWritten ? 'PERHAPS' : undefined;
}

/** Whether two inks, of strokes as broad, lie beside each other as parts of one signature: the pen was changed. */
function isOneSignature(inks: readonly Written[]): boolean {
  const [one, other] = inks.map(({ found, traits }) => ({ ...traits, ...bulkOf(found) }));
  if (!one || !other) return false;
  const alike = (a: number, b: number) => Math.min(a, b) / Math.max(a, b);
  const overlap = (from: 'left' | 'top', to: 'right' | 'bottom') =>
    Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
  const lesser = (from: 'left' | 'top', to: 'right' | 'bottom') =>
    Math.min(one[to] - one[from], other[to] - other[from]);
  return (
    Math.max(one.foreign, other.foreign) <= UNMIXED &&
    alike(one.penWidth, other.penWidth) >= ONE.pens &&
    Math.min(one.length, other.length) >= MARK.pens &&
    overlap('left', 'right') <= ONE.over * lesser('left', 'right') &&
    overlap('left', 'right') >= -ONE.apart * lesser('left', 'right') &&
    overlap('top', 'bottom') >= ONE.level * lesser('top', 'bottom')
  );
}

/** The strokes of both are as broad; of the lesser one's width, they overlap by no more or lie no farther apart, and of its height, they overlap. */
const ONE = { pens: 0.6, over: 0.35, apart: 0.65, level: 0.4 };

/** A box without the outermost fortieth of some ink on each side: rims of the other ink lie there. */
function bulkOf({ width, height, data }: Mask): Bounds {
  const [columns, rows] = [new Uint32Array(width), new Uint32Array(height)];
  for (let at = 0; at < data.length; at++)
    if (data[at] === 1) {
      columns[at % width]! += 1;
      rows[Math.floor(at / width)]! += 1;
    }
  const ends = (counts: Uint32Array) => {
    const all = counts.reduce((sum, count) => sum + count, 0);
    let sum = 0;
    const sums = counts.map((count) => (sum += count));
    return [
      sums.findIndex((one) => one > all / 40),
      sums.findIndex((one) => one >= (39 * all) / 40),
    ] as const;
  };
  const [[left, right], [top, bottom]] = [ends(columns), ends(rows)];
  return { left, top, right, bottom };
}

function isOtherThePen(dark: Traits, other: Traits, differInColour: boolean): boolean {
  if (dark.isWritten !== other.isWritten) return other.isWritten;
  const moreForeign = dark.foreign - other.foreign;
  // A pattern of the paper has thin lines too, and more than a signature.
  const isBold =
    !differInColour &&
    dark.boldness >= BOLD &&
    dark.penWidth > BOLDER * other.penWidth &&
    other.points <= PEN_POINTS;
  if (other.isWritten && isBold) return true;
  if (other.isWritten && moreForeign > -CAPTIONED && other.height > TALLER * dark.height) return true;
  const isLikelyOther =
    dark.length < LEAST_OF_OTHER * other.length || dark.penWidth > BROADER * other.penWidth;
  return moreForeign > MORE_FOREIGN || (differInColour && moreForeign > -MORE_FOREIGN && isLikelyOther);
}

/** Roughly the share of a paler ink that lies under a darker one: that is as dense there as in a band about it. */
function hiddenShare(paler: Mask, darker: Mask): number {
  const cover = grown(darker, COVER_RIM, 1);
  const about = grown(cover, Math.ceil(roughPenWidth(darker)), 1);
  const band = without(about, cover);
  const seen = countOf(paler) - countOf(without(paler, band));
  const hidden = (seen / Math.max(1, countOf(band))) * countOf(cover);
  return hidden / Math.max(1, hidden + countOf(paler));
}

/** Of the paler ink, what is so near to the darker one is its rim, pixels; where more of it is hidden, a comparison loses much. */
const COVER_RIM = 2;
const HIDDEN = 0.25;

/** How much of the ink was print and regular shapes; all of it where a stamp's ring runs through what is left. */
function foreignShare(
  { ink, removed, ruled, entangled }: Handwriting,
  { shape }: Pick<Cleaned, 'shape'>,
): number {
  const foreign = removed + ruled;
  const holdsRing = shape !== undefined && ringShare(shape.points) >= RING.mixed;
  return entangled || holdsRing ? 1 : foreign / Math.max(1, foreign + countOf(ink));
}

/** The density of dark ink without grain finer than a stroke; takes the picture's place, which is not needed any more. */
function inkDensity(grey: Plane): Plane {
  toDensity(grey);
  blurByOne(grey);
  return grey;
}

function without(ink: Mask, other: Mask): Mask {
  const out = mask(ink.width, ink.height);
  for (let i = 0; i < out.data.length; i++) out.data[i] = ink.data[i]! & (1 - other.data[i]!);
  return out;
}

/** Printed lines and codes are no pen beside paler strokes, and strokes under a line are as dark as both: neither tells of tones. */
function awayFromPrint({ found, ink }: PrintedShapes): Mask {
  const print = without(found, ink);
  return print.data.includes(1) ? without(ink, grown(print, NEAR_PRINT, 1)) : found;
}

/** Pixels from print within which a stroke may have its tone. */
const NEAR_PRINT = 6;

/** The pen's ink, split by its own densities before they are blurred. */
function penMask(pen: Plane): Mask {
  const split = splitOf(pen);
  blurByOne(pen);
  return inkMask(pen, split);
}

/** A part smaller than this share of the largest one is a speck, unless it lies near: this share of the others' long side. */
const SPECK = 0.05;
const NEAR = 0.25;

/** Bounds of the ink without specks far from it. Broken lines of a small signature in a large picture count. */
function boundsOf(parts: readonly Component[]): Bounds | undefined {
  const largest = Math.max(...parts.map(({ area }) => area));
  const main = boxOf(parts.filter(({ area }) => area >= SPECK * largest));
  if (main.area === 0) return undefined;
  const near = NEAR * Math.max(main.right - main.left, main.bottom - main.top);
  return boxOf(
    parts.filter(
      (part) =>
        part.left >= main.left - near &&
        part.right <= main.right + near &&
        part.top >= main.top - near &&
        part.bottom <= main.bottom + near,
    ),
  );
}

function despeckled(ink: Mask, parts: Labelled): Mask {
  const penWidth = roughPenWidth(ink);
  const least = Math.max(6, SPECK_PENS * penWidth * penWidth);
  const kept = keepParts(ink, parts, (part) => part.area >= least);
  return fillPinholes(kept, Math.max(4, 0.25 * penWidth * penWidth));
}

function strokesOf(ink: Mask, roughWidth: number): Ink {
  const brought = toOneSize(ink, roughWidth);
  const thinned = thin(brought);
  const penWidth = countOf(brought) / Math.max(1, countOf(thinned));
  return {
    mask: brought,
    strokes: traceStrokes(thinned, 1.1 * penWidth + 1),
    widthVariation: widthVariation(brought, thinned),
  };
}

function factsOf(
  clean: Mask,
  penWidth: number,
  split: Split,
  ink: Ink | undefined,
): Omit<InkFacts, 'all' | 'foreign' | 'entangled'> {
  const { width, height } = clean;
  const parts = label(clean, 'corners').components.sort((a, b) => b.area - a.area);
  const area = countOf(clean);
  return {
    split,
    width,
    height,
    share: area / (width * height),
    penWidth,
    length: area / Math.max(1, penWidth),
    parts,
    widthVariation: ink?.widthVariation ?? 0,
  };
}
