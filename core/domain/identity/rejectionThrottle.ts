import { hasPassed } from '../values/time.ts';

/** How long refusals of one kind are counted together, milliseconds. */
const WINDOW = 60 * 60_000;
/** So many of a window are entries of their own; after them each that doubles the count is. */
const SINGLE = 20;

/**
 * Keeps endless rejected attempts from filling the disk with audit entries: n refusals of one kind within an hour
 * are at most {@link SINGLE} + log₂ n entries, and the newest says how many there were by then.
 */
export class RejectionLogThrottle {
  readonly #windows = new Map<string, { since: number; count: number }>();

  /**
   * Counts one refusal.
   * @param kind the rejected action and its operator; unknown callers cannot add kinds
   * @returns the count of this hour when it is to be recorded; undefined: the rejection is only counted
   */
  count(kind: string, at: Date): number | undefined {
    const known = this.#windows.get(kind);
    const now = at.getTime();
    const window =
      known !== undefined && !hasPassed(known.since, WINDOW, now) ? known : { since: now, count: 0 };
    window.count += 1;
    this.#windows.set(kind, window);
    const { count } = window;
    return count <= SINGLE || Number.isInteger(Math.log2(count / SINGLE)) ? count : undefined;
  }
}
