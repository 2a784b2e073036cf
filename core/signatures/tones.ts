/** Ink of several tones, as of a pen over a grey watermark, and where there is ink of any. */
import { grown } from './components.ts';
import { roughPenWidth } from './penWidth.ts';
import { countOf, extremes, mask } from './raster.ts';
import type { Mask, Plane } from './raster.ts';
import { hysteresis, splitOf } from './threshold.ts';
import type { Split } from './threshold.ts';

/**
 * The letters of a watermark: their middle lies so many pixels from a rim and makes up so much of all ink; so much of it has
 * one tone, to a share of it; so much ink is clearly darker and thinner, and so much is broad.
 */
const WATERMARK = { rim: 3, middle: 0.04, even: 0.3, tone: 0.15, darker: 1.3, thin: 0.02, broad: 0.1 };

/**
 * Divides broad strokes of one pale tone out of a density, as the letters of a watermark: a pen's are darker and thinner.
 * @param found where there is ink of any tone
 * @returns undefined where there are none
 */
export function withoutWatermark(density: Plane, found: Mask): Plane | undefined {
  const { data } = density;
  const area = countOf(found);
  const middle = grown(found, WATERMARK.rim, 0);
  if (countOf(middle) <= WATERMARK.middle * area) return undefined;
  const tones = data.filter((_, i) => middle.data[i] === 1).sort();
  const { tone, count } = usualTone(tones);
  const dark = mask(found.width, found.height);
  for (let i = 0; i < data.length; i++) if (data[i]! > WATERMARK.darker * tone) dark.data[i] = 1;
  if (count < WATERMARK.even * tones.length || countOf(dark) < WATERMARK.thin * area) return undefined;
  // An opening that no stroke of the pen outlasts leaves what is broad.
  const radius = Math.ceil(0.5 * roughPenWidth(dark)) + 1;
  const broad = extremes(extremes(density, radius, 'smallest'), radius, 'largest').data;
  let inked = 0;
  for (let i = 0; i < data.length; i++)
    if (broad[i]! > (1 - 2 * WATERMARK.tone) * tone) inked += found.data[i]!;
  if (inked < WATERMARK.broad * area) return undefined;
  const pale = (i: number) => Math.min(broad[i]!, WATERMARK.darker * tone);
  return { ...density, data: data.map((value, i) => Math.max(0, 1 - (1 - value) / (1 - pale(i)))) };
}

/** The tone around which most of some tones lie, and how many; they rise. */
function usualTone(tones: Float32Array): { tone: number; count: number } {
  const usual = { tone: 0, count: 0 };
  for (let from = 0, to = 0; from < tones.length; from++) {
    const tone = tones[from]! / (1 - WATERMARK.tone);
    while (to < tones.length && tones[to]! <= (1 + WATERMARK.tone) * tone) to++;
    if (to - from > usual.count) Object.assign(usual, { tone, count: to - from });
  }
  return usual;
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
export function tonesOf(density: Plane, found: Mask): Mask[] | undefined {
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

/** Otsu's threshold, but clear of the ground's noise; ends may fade to 60 % of it. */
export function inkMask(density: Plane, split: Split = splitOf(density)): Mask {
  const high = Math.max(split.threshold, split.ground + 4 * split.groundSpread, LEAST_DENSITY);
  return hysteresis(density, Math.max(high * 0.6, split.ground + 3 * split.groundSpread), high);
}

/** Fainter than this is no ink but the paper's own pattern. */
const LEAST_DENSITY = 0.08;
