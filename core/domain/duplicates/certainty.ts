/** How much of what is as near as a group chance does not explain. */
import type { DuplicateRun } from '../ports/duplicates.ts';
import { comparisonsOf } from './rate.ts';
import { expectedWithin } from './tail.ts';

/** Steps of the distance of a run. */
export const STEPS = 256;

export interface Certainty {
  /** Of the near pairs within a distance the share that is not expected by chance, 0 to 1; it falls with the distance. */
  at: (link: number) => number;
  /** The largest distance of at least this certainty; 0: there is none. */
  distanceOf: (certainty: number) => number;
}

/** @param counts near pairs of different photos in {@link STEPS} equal steps up to the distance of the run */
export function certaintyOf(run: DuplicateRun, counts: readonly number[]): Certainty {
  const { tail, maxDistance, total } = run;
  if (tail === null || maxDistance === null || maxDistance === 0) return { at: () => 1, distanceOf: () => 2 };
  const width = maxDistance / STEPS;
  const comparisons = comparisonsOf({ total, pending: total });
  const certainties = new Float64Array(STEPS);
  let found = 0;
  for (let step = 0; step < STEPS; step += 1) {
    found += counts[step] ?? 0;
    const chance = expectedWithin(tail, comparisons, (step + 1) * width).value;
    certainties[step] = found === 0 ? 1 : Math.max(0, 1 - chance / found);
  }
  for (let step = STEPS - 2; step >= 0; step -= 1)
    certainties[step] = Math.max(certainties[step]!, certainties[step + 1]!);
  return {
    at: (link) => certainties[Math.min(STEPS - 1, Math.floor(link / width))]!,
    distanceOf: (certainty) => (certainties.findLastIndex((reached) => reached >= certainty) + 1) * width,
  };
}
