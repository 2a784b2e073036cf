/** How much of what is as near as a group chance does not explain. */
import type { DuplicateRun } from '../ports/duplicates.ts';
import { comparisonsOf } from './rate.ts';
import { expectedWithin } from './tail.ts';

/** Steps of the distance of a run. */
export const STEPS = 256;
/** No certainty above is stated: the law of chance is extrapolated, and twins are nearer than it says. */
export const HIGHEST_CERTAINTY = 0.999;

export interface Certainty {
  /** Of the near pairs within a distance the share that is not expected by chance, 0 to {@link HIGHEST_CERTAINTY}; it falls with the distance. */
  at: (link: number) => number;
  /** The largest distance of at least this certainty; 0: there is none. */
  distanceOf: (certainty: number) => number;
}

/** @param counts near pairs of different photos in {@link STEPS} equal steps up to the distance of the run */
export function certaintyOf(
  run: Pick<DuplicateRun, 'tail' | 'maxDistance' | 'total'>,
  counts: readonly number[],
): Certainty {
  const { tail, maxDistance, total } = run;
  if (tail === null || maxDistance === null || maxDistance === 0)
    return { at: () => HIGHEST_CERTAINTY, distanceOf: () => 2 };
  const width = maxDistance / STEPS;
  const comparisons = comparisonsOf({ total, pending: total });
  const certainties = new Float64Array(STEPS);
  let found = 0;
  for (let step = 0; step < STEPS; step += 1) {
    found += counts[step] ?? 0;
    const chance = expectedWithin(tail, comparisons, (step + 1) * width).value;
    const explained = found === 0 ? 0 : chance / found;
    certainties[step] = Math.min(HIGHEST_CERTAINTY, Math.max(0, 1 - explained));
  }
  for (let step = STEPS - 2; step >= 0; step -= 1)
    certainties[step] = Math.max(certainties[step]!, certainties[step + 1]!);
  return {
    at: (link) => certainties[Math.min(STEPS - 1, Math.floor(link / width))]!,
    distanceOf: (certainty) => (certainties.findLastIndex((reached) => reached >= certainty) + 1) * width,
  };
}
