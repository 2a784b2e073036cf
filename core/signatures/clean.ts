/** From colours to the ink of a signature: the steps in order, or the reason why there is none. */
import type { SignatureReason } from '../contracts/signatures.ts';
import { blurByOne, countOf, mask } from './raster.ts';
import type { Colours, Mask, Plane } from './raster.ts';
import { sheetOf } from './sheet.ts';
import { greyOf, invert, isInverted, toDensity } from './density.ts';
import { hysteresis, splitOf } from './threshold.ts';
import type { Split } from './threshold.ts';
import { boxOf, fillPinholes, grown, keepParts, label } from './components.ts';
import type { Bounds, Component, Labelled } from './components.ts';
import { roughPenWidth, widthVariation } from './penWidth.ts';
import { inksOf } from './inkColours.ts';
import { handwritingIn } from './handwriting.ts';
import type { Handwriting } from './handwriting.ts';
import { thin } from './thinning.ts';
import { toOneSize } from './resample.ts';
import { traceStrokes } from './strokes.ts';
import type { Stroke } from './strokes.ts';
import { LEAST_CONTRAST, unusableReason } from './usable.ts';
import type { InkFacts } from './usable.ts';

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
  reason?: SignatureReason;
  facts: InkFacts;
  /** Where the ink lies in the picture; undefined where there is none. */
  bounds: Bounds | undefined;
}

export function cleanInk(picture: Colours): Cleaned {
  const colours = sheetOf(picture);
  const grey = greyOf(colours);
  const inverted = isInverted(grey);
  if (inverted) invert(grey);
  const density = inkDensity(grey);
  let split = splitOf(density);
  const found = inkMask(density, split);
  // The grain of blank paper has colours, tones and shapes too.
  const isBlank = split.ink - split.ground < LEAST_CONTRAST;
  const inks = inverted || isBlank ? undefined : inksOf(colours, found)?.map(penMask);
  const tones = inks || isBlank ? undefined : tonesOf(density, found);
  if (tones) {
    // A tone that is left out is no sign of a photo.
    for (let i = 0; i < found.data.length; i++) if (tones[1]!.data[i] === 1) density.data[i] = 0;
    split = splitOf(density);
  }
  let handwriting = handwritingOf(inks ?? tones ?? [found], inks !== undefined);
  if (!inks && !tones && !isBlank && handwriting.removed > 0) {
    // Judged alone, the handwriting may be fainter than it was beside black print.
    const gone = grown(without(found, handwriting.ink), 3, 1);
    const kept = grown(handwriting.ink, 2, 1);
    for (let i = 0; i < found.data.length; i++) if (gone.data[i]! > kept.data[i]!) density.data[i] = 0;
    split = splitOf(density);
    const again = handwritingIn(inkMask(density, split));
    handwriting = {
      ...again,
      foreign: new Set([...handwriting.foreign, ...again.foreign]),
      all: handwriting.all,
    };
  }
  const left = label(handwriting.ink, 'corners');
  const clean = despeckled(handwriting.ink, left);
  const penWidth = roughPenWidth(clean);
  const ink = countOf(clean) > 0 ? strokesOf(clean, penWidth) : undefined;
  const { all, foreign, entangled } = handwriting;
  const facts = { ...factsOf(clean, penWidth, split, ink), all, foreign, entangled };
  const reason = unusableReason(facts);
  const bounds = boundsOf(left.components);
  return reason ? { ink, reason, facts, bounds } : { ink, facts, bounds };
}

/**
 * The handwriting among one ink, or in the one of two inks that is less of a stamp.
 * @param differInColour the inks do not differ in tone, of which the darker one is mostly the pen's
 */
function handwritingOf(inks: readonly Mask[], differInColour: boolean): Handwriting {
  const [dark, other] = inks.map((ink) => handwritingIn(ink));
  if (!dark) throw new RangeError('There is no ink to look at.');
  if (!other) return dark;
  const moreForeign = foreignShare(dark) - foreignShare(other);
  const isLikelyOther =
    writtenIn(dark.ink) < LEAST_OF_OTHER * writtenIn(other.ink) ||
    roughPenWidth(dark.ink) > BROADER * roughPenWidth(other.ink);
  const isOther =
    moreForeign > MORE_FOREIGN || (differInColour && moreForeign > -MORE_FOREIGN && isLikelyOther);
  const { foreign, ...pen } = isOther ? other : dark;
  return { ...pen, foreign: new Set([...foreign, 'OTHER_INK']) };
}

/** Pens are black or blue, stamps mostly red; but the pen's ink is the other one where this one has less handwriting… */
const LEAST_OF_OTHER = 0.08;
/** … or more print and regular shapes, by so much of its ink, or strokes so much broader, as letters of a watermark have. */
const MORE_FOREIGN = 0.2;
const BROADER = 2.2;

/** Length of the ink in widths of its pen: buttons have much ink and no length. */
const writtenIn = (ink: Mask) => countOf(ink) / Math.max(1, roughPenWidth(ink)) ** 2;

function foreignShare({ ink, removed, entangled }: Handwriting): number {
  return entangled ? 1 : removed / Math.max(1, removed + countOf(ink));
}

/** The density of dark ink without grain finer than a stroke; takes the picture's place, which is not needed any more. */
function inkDensity(grey: Plane): Plane {
  toDensity(grey);
  blurByOne(grey);
  return grey;
}

function without(ink: Mask, other: Mask): Mask {
  return { ...ink, data: ink.data.map((value, i) => value & (1 - other.data[i]!)) };
}

/** Two tones of ink: the lighter one has less than this density of the other, both are even, and so much of the ink. */
const TONES = { lighter: 0.62, uneven: 0.17, parted: 0.7, least: 0.05 };

/** The rim of a stroke, pixels. */
const RIM = 2;

/**
 * Splits ink of two tones, as of a pen over a grey watermark.
 * @param found where there is ink of any tone
 * @returns the darker and the lighter ink; undefined when all ink is of one tone
 */
function tonesOf(density: Plane, found: Mask): Mask[] | undefined {
  const { width, height, data } = found;
  // At the rim of a stroke every ink is light: what counts is the darkest place near by.
  const inked = new Float32Array(countOf(found));
  let count = 0;
  for (let y = RIM; y < height - RIM; y++)
    for (let at = y * width + RIM; at < (y + 1) * width - RIM; at++) {
      if (data[at] === 0) continue;
      let darkest = 0;
      for (let row = at - RIM * width; row <= at + RIM * width; row += width)
        for (let i = row - RIM; i <= row + RIM; i++) darkest = Math.max(darkest, density.data[i]!);
      inked[count++] = darkest;
    }
  if (count < 50) return undefined;
  const {
    ground: light,
    groundSpread,
    ink: dark,
    separation,
    threshold,
    share,
  } = splitOf({ width: count, height: 1, data: inked.subarray(0, count) });
  const isEven = groundSpread < TONES.uneven * light && separation > TONES.parted;
  if (light > TONES.lighter * dark || !isEven || Math.min(share, 1 - share) < TONES.least) return undefined;
  const darker = hysteresis(density, Math.max(0.6 * threshold, light + 2 * groundSpread), threshold);
  const reach = grown(darker, 2, 1);
  const lighter = mask(width, height);
  for (let i = 0; i < data.length; i++) lighter.data[i] = data[i]! & (1 - reach.data[i]!);
  return [darker, lighter];
}

/** The pen's ink, split by its own densities before they are blurred. */
function penMask(pen: Plane): Mask {
  const split = splitOf(pen);
  blurByOne(pen);
  return inkMask(pen, split);
}

/** Otsu's threshold, but clear of the ground's noise; ends may fade to 60 % of it. */
function inkMask(density: Plane, split: Split): Mask {
  const high = Math.max(split.threshold, split.ground + 4 * split.groundSpread, LEAST_DENSITY);
  return hysteresis(density, Math.max(high * 0.6, split.ground + 3 * split.groundSpread), high);
}

/** Fainter than this is no ink but the paper's own pattern. */
const LEAST_DENSITY = 0.08;

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
  const least = Math.max(6, 0.8 * penWidth * penWidth);
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
