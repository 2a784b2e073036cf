/**
 * Error versus discard (ISO/IEC 29794-1): how many wrong rejections remain when the comparisons with the lowest
 * quality are left out, and how much of what could be gained that way a quality score gains.
 */

/** A comparison of two photos of one person. */
export interface ScoredComparison {
  quality: number;
  /** Whether the threshold lets them through as the same person. */
  match: boolean;
}

/** Up to which share of discarded comparisons the area is taken. */
export const MAX_DISCARDED = 0.5;
const STEPS = 50;

/** False non-match rate among the comparisons that stay when the `share` of lowest quality is discarded. */
export function errorAfterDiscard(byQuality: readonly ScoredComparison[], share: number): number {
  const kept = byQuality.slice(Math.floor(share * byQuality.length));
  return kept.filter(({ match }) => !match).length / kept.length;
}

/**
 * Area between the curve and the level line that discarding at random gives, as a share of the area between that line
 * and the curve of an oracle that discards wrong rejections alone: 0 is no better than chance, 1 cannot be beaten.
 */
export function shareOfPossibleGain(comparisons: readonly ScoredComparison[]): number {
  const byQuality = risingQuality(comparisons);
  const all = errorAfterDiscard(byQuality, 0);
  const oracle = (share: number) => Math.max(0, (all - share) / (1 - share));
  let gained = 0;
  let possible = 0;
  for (let step = 1; step <= STEPS; step++) {
    const share = (MAX_DISCARDED * step) / STEPS;
    gained += all - errorAfterDiscard(byQuality, share);
    possible += all - oracle(share);
  }
  return possible === 0 ? 0 : gained / possible;
}

export function risingQuality<T extends ScoredComparison>(comparisons: readonly T[]): T[] {
  return comparisons.toSorted((p, q) => p.quality - q.quality);
}
