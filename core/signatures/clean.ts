/** From colours to the ink of a signature: the steps in order, or the reason why there is none. */
import type { SignatureReason } from '../contracts/signatures.ts';
import { blurByOne, countOf } from './raster.ts';
import type { Colours, Mask, Plane } from './raster.ts';
import { greyOf, invert, isInverted, toDensity } from './density.ts';
import { hysteresis, splitOf } from './threshold.ts';
import type { Split } from './threshold.ts';
import { fillPinholes, keepParts, label } from './components.ts';
import { roughPenWidth, widthVariation } from './penWidth.ts';
import { penInkOnly } from './inkColours.ts';
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
}

export function cleanInk(colours: Colours): Cleaned {
  const grey = greyOf(colours);
  const inverted = isInverted(grey);
  if (inverted) invert(grey);
  const density = inkDensity(grey);
  const split = splitOf(density);
  const all = inkMask(density, split);
  const pen = inverted ? undefined : penInkOnly(colours, all);
  const found = pen ? penMask(pen) : all;
  const clean = despeckled(withoutRuledLines(found));
  const penWidth = roughPenWidth(clean);
  const ink = countOf(clean) > 0 ? strokesOf(clean, penWidth) : undefined;
  const facts = factsOf(clean, penWidth, split, ink);
  const reason = unusableReason(facts);
  return reason ? { ink, reason, facts } : { ink, facts };
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

function despeckled(ink: Mask): Mask {
  const penWidth = roughPenWidth(ink);
  const least = Math.max(6, 0.8 * penWidth * penWidth);
  const kept = keepParts(ink, label(ink, 'corners'), (part) => part.area >= least);
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

function factsOf(clean: Mask, penWidth: number, split: Split, ink: Ink | undefined): InkFacts {
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
