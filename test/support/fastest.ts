/**
 * The time of the fastest of some rounds, milliseconds: other programs lengthen the others. For a test that compares the time for an
 * input with the time for a plain one of the same length.
 */
export async function fastest(work: () => unknown, rounds = 20): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await work();
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

/** More than an input of the same length takes that is read in one pass, and far less than one that is read again from each place. */
export const MANY_TIMES = 100;
