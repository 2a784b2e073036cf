/** A value that was read from the store, kept until this process changes it. */
export class CachedLookup<Key, Value> {
  readonly #values = new Map<Key, Value>();
  readonly #read: (key: Key) => Promise<Value | undefined>;
  #changes = 0;

  /** @param read reads it from the store; what is not there is looked for again every time */
  constructor(read: (key: Key) => Promise<Value | undefined>) {
    this.#read = read;
  }

  async get(key: Key): Promise<Value | undefined> {
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
