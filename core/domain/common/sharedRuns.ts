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
