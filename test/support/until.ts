import { setTimeout as wait } from 'node:timers/promises';

/** Longest wait of a test for something that the program does by itself, milliseconds. Load alone never reaches it. */
const LONGEST_WAIT = 120_000;
const INTERVAL = 5;

/**
 * Resolves with the first answer of `check` that is neither false nor undefined.
 * @param what completes "The test waited in vain for …"
 * @throws after two minutes
 */
export async function until<T>(
  check: () => Promise<T | false | undefined> | T | false | undefined,
  what = 'its condition',
): Promise<T> {
  const end = performance.now() + LONGEST_WAIT;
  do {
    const answer = await check();
    if (answer !== false && answer !== undefined) return answer;
    await wait(INTERVAL);
  } while (performance.now() < end);
  throw new Error(`The test waited in vain for ${what}.`);
}
