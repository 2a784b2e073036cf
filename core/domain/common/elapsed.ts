/** Stored times of an honest clock are ahead of the present by less than this: corrections, and machines of one cluster; milliseconds. */
export const CLOCK_SLACK = 2 * 60_000;

/**
 * Whether a span of time has passed since a moment. A moment further ahead than {@link CLOCK_SLACK} was stored while the clock was wrong.
 * Its span has passed, so that nothing lasts until the clock reaches that time.
 * @param since Date, or milliseconds since 1970
 * @param span milliseconds
 */
export function hasPassed(since: Date | number, span: number, now: Date | number): boolean {
  const elapsed = Number(now) - Number(since);
  return elapsed >= span || elapsed < -CLOCK_SLACK;
}
