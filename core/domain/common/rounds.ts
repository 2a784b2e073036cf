import type { Timer } from '../ports/machine.ts';

/** Wait before a round that failed is repeated, milliseconds. */
const RETRY_DELAY_MS = 5_000;

/**
 * Background work that is found in the store: a round looks for it and does it. Rounds never run side by side. A wake during a
 * round causes one more round, so that nothing that was written meanwhile is missed.
 */
export class Rounds {
  readonly #timer: Pick<Timer, 'after'>;
  readonly #round: () => Promise<void>;
  #running = false;
  #woken = false;
  #work: Promise<void> = Promise.resolve();
  #cancelRetry: () => void = () => undefined;

  /** @param round handles its own errors; it ends soon where `running` is false */
  constructor(timer: Pick<Timer, 'after'>, round: () => Promise<void>) {
    this.#timer = timer;
    this.#round = round;
  }

  /** Whether the rounds were started and not stopped since. */
  get running(): boolean {
    return this.#running;
  }

  start(): void {
    this.#running = true;
    this.wake();
  }

  /** There may be work. Nothing happens before the start. */
  wake(): void {
    if (!this.#running) return;
    this.#cancelRetry();
    if (this.#woken) return;
    this.#woken = true;
    this.#work = this.#work.then(() => {
      this.#woken = false;
      return this.#round();
    });
  }

  /** The store or an engine is unavailable: wakes in some seconds. */
  wakeLater(): void {
    if (!this.#running) return;
    this.#cancelRetry();
    this.#cancelRetry = this.#timer.after(RETRY_DELAY_MS, () => this.wake());
  }

  /** Resolves when the present round has ended. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#cancelRetry();
    await this.#work;
  }

  /** Resolves when no round is in progress. */
  async idle(): Promise<void> {
    await this.#work;
  }
}
