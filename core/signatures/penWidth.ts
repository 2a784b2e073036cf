/** How wide strokes are, and how evenly. */
import { label, runsOf } from './components.ts';
import type { Mask } from './raster.ts';
import type { Stroke } from './strokes.ts';
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

/** No pen's strokes are so bold but those of stamped words and emblems; of 1,709 clean images of the development sets none exceeds 0.147. */
export const STAMPED = 0.155;

/** How the width of strokes varies. */
export interface Widths {
  /** Spread of the width along the middle line over its mean: about 0.2 to 0.4 for pens, more for the patches of a photo. */
  variation: number;
  /** Some pieces of the strokes are so much broader than all others that another pen, or print, is among them. */
  areTwo: boolean;
}

/** @param thinned middle lines of `ink` @param strokes the same, traced */
export function widthsOf(ink: Mask, thinned: Mask, strokes: readonly Stroke[]): Widths {
  const distance = distances(ink);
  return {
    variation: variationOf(distance, thinned),
    areTwo: areTwoWidths(strokes.flatMap((stroke) => widthsAlong(stroke, ink.width, distance))),
  };
}

/** Points of a stroke whose middle width is taken together, and the fewest of them. */
const PIECE = { most: 40, least: 10 };

/** The usual width of each piece of a stroke, as the logarithm of half of it, and the points of the piece. */
function widthsAlong(stroke: Stroke, width: number, distance: Float32Array): [number, number][] {
  const halves = Float32Array.from(
    { length: stroke.length / 2 },
    (_, i) => distance[Math.round(stroke[2 * i + 1]!) * width + Math.round(stroke[2 * i]!)]!,
  );
  const starts = Array.from({ length: Math.ceil(halves.length / PIECE.most) }, (_, i) => i * PIECE.most);
  return starts.flatMap((start): [number, number][] => {
    const piece = halves.slice(start, start + PIECE.most).sort();
    if (piece.length < PIECE.least) return [];
    return [[Math.log(Math.max(0.5, piece[piece.length >> 1]!)), piece.length]];
  });
}

/**
 * Widths are of two pens when Otsu's split leaves so much of the variance between both, each has such a share, and one is so many
 * times as broad. Of 1,709 clean images of the development sets one is.
 */
const TWO = { between: 0.86, share: 0.15, times: 1.75 };

function areTwoWidths(pieces: [number, number][]): boolean {
  let [all, sum, squares] = [0, 0, 0];
  for (const [value, count] of pieces) {
    all += count;
    sum += value * count;
    squares += value * value * count;
  }
  const variance = squares / all - (sum / all) ** 2;
  let [thin, sumThin, most, times] = [0, 0, 0, 1];
  for (const [value, count] of pieces.sort(([a], [b]) => a - b)) {
    thin += count;
    sumThin += value * count;
    if (thin < TWO.share * all || thin > (1 - TWO.share) * all) continue;
    const apart = (sum - sumThin) / (all - thin) - sumThin / thin;
    const between = (thin * (all - thin) * apart ** 2) / all ** 2;
    if (between > most) [most, times] = [between, Math.exp(apart)];
  }
  return times >= TWO.times && most >= TWO.between * variance;
}

/** @param thinned middle lines of the ink with these distances */
function variationOf(distance: Float32Array, thinned: Mask): number {
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
