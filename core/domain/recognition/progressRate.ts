/** Time over which the rate is taken, milliseconds. */
const WINDOW = 60_000;

/** How fast something goes, over the last minute. Measures this process, so it reads a clock that never jumps. */
export class ProgressRate {
  readonly #began = performance.now();
  #steps: { at: number; count: number }[] = [];

  add(count: number): void {
    const at = performance.now();
    this.#steps.push({ at, count });
    this.#steps = this.#steps.filter((step) => step.at > at - WINDOW);
  }

  /** Null before the first step. */
  perSecond(): number | null {
    const now = performance.now();
    const recent = this.#steps.filter((step) => step.at > now - WINDOW);
    if (recent.length === 0) return null;
    const milliseconds = Math.min(WINDOW, now - this.#began);
    return (1000 * recent.reduce((sum, { count }) => sum + count, 0)) / milliseconds;
  }
}
