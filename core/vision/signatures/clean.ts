/** From colours to the ink of a signature: the steps in order, or the reason why there is none. */
import { countOf } from './raster.ts';
import type { Colours, Mask, Plane } from './raster.ts';
import { densityOf, greyOf, invert, isInverted } from './density.ts';
import { hysteresis, smooth, splitOf } from './threshold.ts';
import { fillPinholes, keepParts, label } from './components.ts';
import { thin } from './thinning.ts';
import { toOneSize } from './resample.ts';
import { traceStrokes } from './strokes.ts';
import type { Stroke } from './strokes.ts';

/** The ink that is compared: in pixels of the cleaned picture. */
export interface Ink {
  mask: Mask;
  strokes: Stroke[];
  /** Mean width of the strokes. */
  penWidth: number;
}

export function cleanInk(colours: Colours): Ink {
  const grey = greyOf(colours);
  const density = smooth(densityOf(isInverted(grey) ? invert(grey) : grey), 1);
  return strokesOf(despeckled(inkMask(density)));
}

function inkMask(density: Plane): Mask {
  const split = splitOf(density);
  const high = Math.max(split.threshold, split.ground + 4 * split.groundSpread, 0.08);
  return hysteresis(density, Math.max(high * 0.6, split.ground + 3 * split.groundSpread), high);
}

function despeckled(ink: Mask): Mask {
  const penWidth = roughPenWidth(ink);
  const least = Math.max(6, 0.8 * penWidth * penWidth);
  const kept = keepParts(ink, label(ink, 'corners'), (part) => part.area >= least);
  return fillPinholes(kept, Math.max(4, 0.25 * penWidth * penWidth));
}

/** Twice the area over the rim: a stroke has two sides. */
function roughPenWidth(ink: Mask): number {
  const { width, height, data } = ink;
  let rim = 0;
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      if (data[at] === 1 && data[at - 1]! + data[at + 1]! + data[at - width]! + data[at + width]! < 4) rim++;
    }
  return (2 * countOf(ink)) / Math.max(1, rim);
}

function strokesOf(ink: Mask): Ink {
  const brought = toOneSize(ink, roughPenWidth(ink));
  const thinned = thin(brought);
  const penWidth = countOf(brought) / Math.max(1, countOf(thinned));
  return { mask: brought, strokes: traceStrokes(thinned, 1.1 * penWidth + 1), penWidth };
}
