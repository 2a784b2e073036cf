/** From colours to the ink of a signature: the steps in order, or the reason why there is none. */
import type { SignatureReason } from '../contracts/signatures.ts';
import { blurByOne, countOf } from './raster.ts';
import type { Colours, Mask, Plane } from './raster.ts';
import { sheetOf } from './sheet.ts';
import { greyOf, invert, isInverted, toDensity } from './density.ts';
import { hysteresis, splitOf } from './threshold.ts';
import type { Split } from './threshold.ts';
import { boxOf, fillPinholes, keepParts, label } from './components.ts';
import type { Bounds, Component, Labelled } from './components.ts';
import { roughPenWidth, widthVariation } from './penWidth.ts';
import { inksOf } from './inkColours.ts';
import { handwritingIn } from './handwriting.ts';
import type { Handwriting } from './handwriting.ts';
import { withoutRuledLines } from './ruledLines.ts';
import { thin } from './thinning.ts';
import { toOneSize } from './resample.ts';
import { traceStrokes } from './strokes.ts';
import type { Stroke } from './strokes.ts';
import { unusableReason } from './usable.ts';
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
  const split = splitOf(density);
  const found = inkMask(density, split);
  const handwriting = handwritingOf(found, inverted ? undefined : inksOf(colours, found));
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

/** The handwriting among all ink, or in the one of two inks that is less of a stamp. */
function handwritingOf(all: Mask, inks: readonly [Plane, Plane] | undefined): Handwriting {
  if (!inks) return handwritingIn(withoutRuledLines(all));
  const [dark, other] = inks.map((ink) => handwritingIn(withoutRuledLines(penMask(ink)))) as [
    Handwriting,
    Handwriting,
  ];
  const isOther =
    countOf(dark.ink) < LEAST_OF_OTHER * countOf(other.ink) ||
    foreignShare(dark) > foreignShare(other) + MORE_FOREIGN;
  const { foreign, ...pen } = isOther ? other : dark;
  return { ...pen, foreign: new Set([...foreign, 'COLOUR']) };
}

/** Pens are black or blue, stamps mostly red; but the pen's ink is the other one where this one has less handwriting… */
const LEAST_OF_OTHER = 0.2;
/** … or more print and regular shapes, by so much of its ink. */
const MORE_FOREIGN = 0.2;

function foreignShare({ ink, removed, entangled }: Handwriting): number {
  return entangled ? 1 : removed / Math.max(1, removed + countOf(ink));
}

/** The density of dark ink without grain finer than a stroke; takes the picture's place, which is not needed any more. */
function inkDensity(grey: Plane): Plane {
  toDensity(grey);
  blurByOne(grey);
  return grey;
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
