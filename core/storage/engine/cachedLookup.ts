import type { SharedState } from './database.ts';

/** Rows that were read from the store, kept until they change: in this service, or in another one that shares the database. */
export class CachedLookup<Key, Value> {
  readonly #values = new Map<Key, Value>();
  readonly #state: SharedState | undefined;
  readonly #read: (key: Key) => Promise<Value | undefined>;
  #changes = 0;

  /**
   * @param read reads it from the store; what is not there is looked for again every time
   * @param state of a store that other services change too
   */
  constructor(read: (key: Key) => Promise<Value | undefined>, state?: SharedState) {
    this.#read = read;
    this.#state = state;
    state?.follow(() => {
      this.invalidate();
    });
  }

  /** Returns the value that any service had committed before the call. */
  async get(key: Key): Promise<Value | undefined> {
    if (this.#state !== undefined) await this.#state.refresh();
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const changes = this.#changes;
    const value = await this.#read(key);
    // Read before a change that was committed meanwhile, it is what the caller asked for, but not what to keep.
    if (value !== undefined && changes === this.#changes) this.#values.set(key, value);
    return value;
  }

  /** Something of it changed: called after the transaction committed. */
  invalidate(): void {
    this.#changes++;
    this.#values.clear();
  }
}
