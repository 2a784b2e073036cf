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
