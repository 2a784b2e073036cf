/** How long work may keep whoever waits for an answer, in milliseconds. */
const PORTION_MS = 8;

/**
 * Does work that pauses often, a portion at a time; between two of them everybody else has a turn.
 * @param goesOn asked before every portion but the first. @returns undefined if it said no.
 */
export async function inPortions<T>(work: Generator<void, T>, goesOn: () => boolean): Promise<T | undefined> {
  for (;;) {
    const until = performance.now() + PORTION_MS;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await new Promise(setImmediate);
    if (!goesOn()) return undefined;
  }
}

/** Does all of it at once. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
