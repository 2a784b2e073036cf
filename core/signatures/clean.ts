/** From colours to the ink of a signature: the steps in order, or the reason why there is none. */
import type { SignatureReason } from '../contracts/signatures.ts';
import { blurByOne, countOf, mask, without, type Colours, type Mask, type Plane } from './raster.ts';
import { sheetOf } from './sheet.ts';
import { greyOf, invert, isInverted, levelled, toDensity } from './density.ts';
import { hysteresis, splitOf, type Split } from './threshold.ts';
import {
  LEAST_DENSITY,
  inkMask,
  isPatterned,
  standsOut,
  tonesIn,
  tonesOf,
  paleToneOf,
  withPaler,
  withoutPattern,
  withoutWatermark,
} from './tones.ts';
import { boxOf, grown, keepParts, label } from './components.ts';
import type { Bounds, Component, Labelled } from './components.ts';
import type { OtherInk } from './doubts.ts';
import { complexityOfMain, drawnIn, isWritten, type Drawn } from './drawn.ts';
import { roughPenWidth } from './penWidth.ts';
import { inksOf } from './inkColours.ts';
import { handwritingIn, printedShapesIn } from './handwriting.ts';
import type { Foreign, Handwriting, PrintedShapes, Side } from './handwriting.ts';
import { withoutRuledLines } from './ruledLines.ts';
import {
  MORE_FOREIGN,
  goesOn,
  handwritingOf,
  isMarkOver,
  isOneSignature,
  penUnder,
  traitsOf,
  writingIn,
} from './twoInks.ts';
import { LEAST_CONTRAST, groupsIn, unusableReason, type InkFacts } from './usable.ts';

/** With `ink` even where it is unusable, as long as there is any: a person may want to see it. */
export interface Cleaned extends Pick<Drawn, 'ink' | 'shape' | 'complexity'> {
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
  // Where lines of squared paper are taken out, the strokes along them are broken.
  const mayBePatterned = found !== undefined && (reason !== undefined || facts.foreign.has('LINE'));
  const bare = mayBePatterned ? withoutPattern(inkDensity(greyOf(colours))) : undefined;
  const unpatterned = bare && cleanedAsIs(bare, cut);
  if (unpatterned && isOfOnePen(unpatterned)) return { ...unpatterned, otherInk: 'APART' };
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
  // Texture in a pattern of the paper that resembles a code is no print.
  let toned = printed && tonesIn(density, isPatterned(found) ? found : awayFromPrint(printed));
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
  // Judged alone, the handwriting may be fainter than it was beside black print; a pattern all over the paper is not.
  const alone = isOne && !isBlank && handwriting.removed > 0 ? inkMask(density, split) : undefined;
  if (alone && !isPatterned(alone)) handwriting = after(handwriting, handwritingIn(alone, cut));
  let drawn = drawnIn(handwriting.ink);
  const beneath = isBlank || isWritten(drawn) ? undefined : writtenBeneath(density, found, handwriting, cut);
  if (beneath) ({ handwriting, drawn, split } = beneath);
  const { parts, clean, penWidth, ink, shape } = drawn;
  const { all, entangled, mixed } = handwriting;
  const isOver = hadWatermark || under === 'PERHAPS';
  const foreign = new Set<Foreign>([...handwriting.foreign, ...(isOver ? ['OTHER_INK' as const] : [])]);
  const labelled = label(clean, 'corners');
  const facts = { ...factsOf(clean, labelled, penWidth, split, ink), all, foreign, entangled };
  let reason = unusableReason(facts);
  if (reason === 'NOT_INK') {
    const bare = withoutShades(density, clean, facts);
    ({ reason } = bare);
    facts.split = bare.split;
    if (bare.hadPattern) foreign.add('OTHER_INK');
  }
  // Faint ink that is small in the picture shows in a closer look, and whether it is a watermark.
  const bounds = boundsOf((hadPale ? label(marked, 'corners') : parts).components);
  const isApart = foreign.size > 0;
  const isParted = !mixed && !isApart && !reason && mayBeTwo(clean, labelled);
  const otherInk = mixed ? 'MIXED' : isApart ? 'APART' : isParted ? 'PARTED' : 'NONE';
  // Remains of print and codes are no part of a mark far from them.
  const complexity = mixed || isApart ? complexityOfMain(drawn, labelled) : drawn.complexity;
  const result = { ink, shape, complexity, ...(reason && { reason }), facts, otherInk, bounds } as const;
  return { ...result, found: inverted ? undefined : found };
}

/**
 * The writing in a paler ink than the darkest, which is no more than a mark; undefined where there is none, or the mark runs
 * through it.
 */
function writtenBeneath(density: Plane, found: Mask, mark: Handwriting, cut: ReadonlySet<Side>) {
  const rest = { ...density, data: Float32Array.from(density.data) };
  clear(rest, grown(found, 1, 1), mask(found.width, found.height));
  const split = splitOf(rest);
  if (!standsOut(split)) return undefined;
  const handwriting = handwritingIn(inkMask(rest, split), cut);
  const traits = traitsOf(handwriting);
  const isMark = isMarkOver(traitsOf(mark), traits) || goesOn(mark.ink, cut);
  if (!traits.isWritten || isMark) return undefined;
  const foreign = new Set([...mark.foreign, 'OTHER_INK' as const]);
  return { handwriting: after({ ...mark, foreign }, handwriting), drawn: drawnIn(handwriting.ink), split };
}

/** Takes pale lines of the paper out of a density, and the pattern of a cheque: they are no tones of a photo. */
function withoutShades(density: Plane, clean: Mask, facts: InkFacts) {
  const shades = hysteresis(density, LEAST_DENSITY, LEAST_DENSITY);
  clear(density, without(shades, withoutRuledLines(shades).ink), clean);
  const split = splitOf(density);
  const reason = unusableReason({ ...facts, split });
  const around = without(shades, grown(clean, 3, 1));
  if (reason !== 'NOT_INK' || !isPattern(density, around, { ...facts, split }))
    return { split, reason, hadPattern: false };
  clear(density, around, clean);
  const bare = splitOf(density);
  const isInk = isClear(bare, PATTERN.contrast);
  return {
    split: bare,
    reason: isInk ? unusableReason({ ...facts, split: bare }) : reason,
    hadPattern: true,
  };
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

/** Whether ink parts into two groups, each of which may be a signature. */
function mayBeTwo(clean: Mask, labelled: Labelled): boolean {
  const groups = groupsIn(labelled.components);
  return !!groups?.every((group) => isWritten(drawnIn(keepParts(clean, labelled, (_, i) => group.has(i)))));
}

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

/** The density of dark ink without grain finer than a stroke; takes the picture's place, which is not needed any more. */
function inkDensity(grey: Plane): Plane {
  toDensity(grey);
  blurByOne(grey);
  return grey;
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

function factsOf(
  clean: Mask,
  { components }: Labelled,
  penWidth: number,
  split: Split,
  ink: Drawn['ink'],
): Omit<InkFacts, 'all' | 'foreign' | 'entangled'> {
  const { width, height } = clean;
  const parts = components.toSorted((a, b) => b.area - a.area);
  const area = countOf(clean);
  return {
    split,
    width,
    height,
    share: area / (width * height),
    penWidth,
    length: area / Math.max(1, penWidth),
    parts,
    widthVariation: ink?.widths.variation ?? 0,
  };
}
