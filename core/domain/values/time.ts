import type { Timer } from '../ports/machine.ts';

/** Time over which the rate is taken, milliseconds. */
const WINDOW_MS = 60_000;

/** How fast something goes, over the last minute. Measures this process, so it reads a clock that never jumps. */
export class ProgressRate {
  readonly #timer: Pick<Timer, 'elapsed'>;
  readonly #began: number;
  #steps: { at: number; count: number }[] = [];

  constructor(timer: Pick<Timer, 'elapsed'>) {
    this.#timer = timer;
    this.#began = timer.elapsed();
  }

  add(count: number): void {
    const at = this.#timer.elapsed();
    this.#steps.push({ at, count });
    this.#steps = this.#steps.filter((step) => step.at > at - WINDOW_MS);
  }

  /** Null before the first step, and until time has passed. */
  perSecond(): number | null {
    const now = this.#timer.elapsed();
    const recent = this.#steps.filter((step) => step.at > now - WINDOW_MS);
    const milliseconds = Math.min(WINDOW_MS, now - this.#began);
    if (recent.length === 0 || milliseconds <= 0) return null;
    return (1000 * recent.reduce((sum, { count }) => sum + count, 0)) / milliseconds;
  }
}

/** A stored moment, milliseconds since 1970, as the wire has it: ISO 8601. */
export function isoTime(at: number): string;
export function isoTime(at: number | null): string | null;
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

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
