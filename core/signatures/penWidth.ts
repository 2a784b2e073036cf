/** How wide strokes are, and how evenly. */
import { label, runsOf } from './components.ts';
import type { Mask } from './raster.ts';
import { boxAround, hullsOf } from './regular.ts';

/** Twice the area over the rim: a stroke has two sides. */
export function roughPenWidth(ink: Mask): number {
  const { width, height, data } = ink;
  const runs = runsOf(ink, 1);
  let rim = 0;
  let area = 0;
  for (let i = 0; i < runs.count; i++) {
    const y = runs.row[i]!;
    if (y === 0 || y === height - 1) continue;
    const end = y * width + Math.min(width - 2, runs.to[i]!);
    for (let at = y * width + Math.max(1, runs.from[i]!); at <= end; at++) {
      area++;
      if (data[at - 1]! + data[at + 1]! + data[at - width]! + data[at + width]! < 4) rim++;
    }
  }
  return (2 * area) / Math.max(1, rim);
}

/** How broad strokes are as a share of the shorter side of the smallest box around them. */
export const boldnessOf = (ink: Mask): number =>
  roughPenWidth(ink) / Math.max(1, boxAround(hullsOf(label(ink, 'corners'))).thin);

/**
 * Spread of the stroke width along its middle line over its mean: about 0.2 to 0.4 for pens, more for the patches of a photo.
 * @param thinned middle lines of `ink`
 */
export function widthVariation(ink: Mask, thinned: Mask): number {
  const distance = distances(ink);
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < distance.length; i++) {
    if (thinned.data[i] === 0) continue;
    count++;
    sum += distance[i]!;
    squares += distance[i]! ** 2;
  }
  const mean = sum / Math.max(1, count);
  return mean > 0 ? Math.sqrt(Math.max(0, squares / count - mean * mean)) / mean : 0;
}

/** Distance of each pixel of ink from the nearest bare one, by two passes with steps 1 and √2 (Borgefors 1986). */
function distances(ink: Mask): Float32Array {
  const { width, height, data } = ink;
  const out = new Float32Array(data.length);
  const near = (at: number, from: number, step: number) => {
    const value = out[from]! + step;
    if (value < out[at]!) out[at] = value;
  };
  const runs = runsOf(ink, 1);
  const isInner = (i: number) => runs.row[i]! > 0 && runs.row[i]! < height - 1;
  const firstOf = (i: number) => runs.row[i]! * width + Math.max(1, runs.from[i]!);
  const lastOf = (i: number) => runs.row[i]! * width + Math.min(width - 2, runs.to[i]!);
  for (let i = 0; i < runs.count; i++) {
    if (!isInner(i)) continue;
    for (let at = firstOf(i), last = lastOf(i); at <= last; at++) {
      out[at] = width;
      near(at, at - 1, 1);
      near(at, at - width, 1);
      near(at, at - width - 1, Math.SQRT2);
      near(at, at - width + 1, Math.SQRT2);
    }
  }
  for (let i = runs.count - 1; i >= 0; i--) {
    if (!isInner(i)) continue;
    for (let at = lastOf(i), first = firstOf(i); at >= first; at--) {
      near(at, at + 1, 1);
      near(at, at + width, 1);
      near(at, at + width + 1, Math.SQRT2);
      near(at, at + width - 1, Math.SQRT2);
    }
  }
  return out;
}
