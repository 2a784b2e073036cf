import type { TestContext } from 'node:test';
import { repeatable } from '../../core/domain/calibration/repeatable.ts';

/** `VOUCH_SEED` repeats a run; without it, each run draws another one. */
export const SEED = Number(process.env.VOUCH_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** @param draw another sequence of the same seed for each number. @returns numbers from 0 to 1 */
export function randomOf(seed: number, draw: number): () => number {
  const random = repeatable(Math.imul(seed ^ Math.imul(draw + 1, 0x9e_37_79_b9), 0x85_eb_ca_6b));
  // Seeds that differ in few bits begin with similar numbers.
  for (let skipped = 0; skipped < 8; skipped += 1) random();
  return random;
}

/** The random numbers of a test, which prints the seed that repeats them. */
export function seededRandom(t: TestContext): () => number {
  t.diagnostic(`VOUCH_SEED=${SEED}`);
  return randomOf(SEED, 0);
}
