/** The detection error trade-off (DET, ISO/IEC 19795-1), read off compared pairs. */

/** One operating point: shares of non-mated and of mated comparisons, at the distance that separates them. */
export interface DetPoint {
  fmr: number;
  distance: number;
  fnmr: number;
}

/** Points of the curve per decade of the false match rate. */
const PER_DECADE = 12;
/** Rarer rates than this many comparisons decide are left out: they are luck. */
const LEAST_COMPARISONS = 3;
/** Where the curve begins. */
const WIDEST_FMR = 0.1;

/** The distance at or under which a share `fmr` of `total` comparisons lie. @param rising at least that many, nearest first */
export function thresholdAt(rising: Float32Array, fmr: number, total = rising.length): number {
  return rising[Math.max(0, Math.floor(fmr * total) - 1)]!;
}

/**
 * From FMR 0.1 down to where fewer than three comparisons decide, by falling rate.
 * @param mated in any order; @param nonMated the nearest tenth of them at least, rising; @param total of all non-mated
 */
export function detCurve(mated: Float32Array, nonMated: Float32Array, total = nonMated.length): DetPoint[] {
  const same = mated.toSorted();
  const points: DetPoint[] = [];
  for (let step = 0; ; step++) {
    const fmr = WIDEST_FMR * 10 ** (-step / PER_DECADE);
    if (fmr * total < LEAST_COMPARISONS || same.length === 0) return points;
    const distance = thresholdAt(nonMated, fmr, total);
    points.push({ fmr, distance, fnmr: 1 - countUpTo(same, distance) / same.length });
  }
}

/** How many of the rising numbers are at most `limit`. */
function countUpTo(sorted: Float32Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
