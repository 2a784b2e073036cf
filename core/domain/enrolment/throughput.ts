/** The rate is of the last five minutes; milliseconds. */
const WINDOW = 5 * 60_000;
/** Times are kept in steps of this length, so that a fast queue does not fill the memory; milliseconds. */
const STEP = 5_000;

/** How fast images are answered; known to this process alone. */
export class ThroughputMeter {
  /** Answers by the step that they fell into, oldest first. */
  readonly #steps: { begin: number; answers: number }[] = [];
  #first: number | undefined;
  #last: Date | undefined;
  #total = 0;

  answered(at: Date): void {
    const time = at.getTime();
    this.#first ??= time;
    this.#last = at;
    this.#total += 1;
    const begin = time - (time % STEP);
    const newest = this.#steps.at(-1);
    if (newest?.begin === begin) newest.answers += 1;
    else this.#steps.push({ begin, answers: 1 });
    while ((this.#steps[0]?.begin ?? time) < time - WINDOW) this.#steps.shift();
  }

  /** The number of images that were answered since the start. */
  get total(): number {
    return this.#total;
  }

  get lastProcessedAt(): Date | undefined {
    return this.#last;
  }

  /** Images in a minute over the last five, or since the first answer when that is nearer; null while none was answered. */
  perMinute(now: Date): number | null {
    const time = now.getTime();
    const from = time - WINDOW;
    const answers = this.#steps.reduce((sum, step) => (step.begin >= from ? sum + step.answers : sum), 0);
    if (answers === 0 || this.#first === undefined) return null;
    const span = Math.max(STEP, Math.min(WINDOW, time - this.#first));
    return (answers * 60_000) / span;
  }
}
