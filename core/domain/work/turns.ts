import { type Timer, UnavailableError } from '../ports/machine.ts';
import { problem } from '../../contracts/errors/problem.ts';

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

/**
 * Work that many callers need at the same time, such as the sync of a folder. One run serves all who asked for it before it
 * began, so that fifty callers cost a few runs.
 */
export class SharedRuns<Key> {
  readonly #work: (key: Key) => Promise<unknown>;
  readonly #next = new Map<Key, Promise<void>>();
  readonly #running = new Map<Key, Promise<void>>();

  constructor(work: (key: Key) => Promise<unknown>) {
    this.#work = work;
  }

  /** Resolves after a run that began after this call. @throws what the work throws */
  run(key: Key): Promise<void> {
    const waiting = this.#next.get(key);
    if (waiting !== undefined) return waiting;
    const next = this.#after(this.#running.get(key), key);
    this.#next.set(key, next);
    return next;
  }

  async #after(before: Promise<void> | undefined, key: Key): Promise<void> {
    // An earlier failure was reported to the callers of that run.
    await before?.catch(() => undefined);
    const own = this.#next.get(key);
    this.#next.delete(key);
    if (own !== undefined) this.#running.set(key, own);
    try {
      await this.#work(key);
    } finally {
      if (this.#running.get(key) === own) this.#running.delete(key);
    }
  }
}
/**
 * One piece of work of a key at a time, in the order in which it came. With a company as the key: of two photos of one
 * person that arrive together, the second is compared with the first.
 */
export class KeyedMutex<Key extends string | number> {
  /** Per key, the end of what was begun last. */
  readonly #ends = new Map<Key, Promise<unknown>>();

  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(key);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return work();
    })();
    this.#ends.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#ends.get(key) === turn) this.#ends.delete(key);
    }
  }
}

/** @param milliseconds that the work may take @throws {UnavailableError} it takes longer; it goes on, and its end is ignored */
export async function within<T>(
  timer: Pick<Timer, 'after'>,
  milliseconds: number,
  work: Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = timer.after(milliseconds, () => {
    late.reject(new UnavailableError(problem('SYSTEM_NO_ANSWER')));
  });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
