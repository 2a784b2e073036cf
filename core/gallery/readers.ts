/**
 * Searches that are under way on other threads, or wait for the disk. What they read is changed only when the last of
 * them that could see it has ended.
 */
export class Readers {
  #next = 0;
  readonly #active = new Set<number>();
  #waiting: { since: number; change: () => void }[] = [];

  /** @returns what `end` is called with. */
  begin(): number {
    const reader = this.#next++;
    this.#active.add(reader);
    return reader;
  }

  end(reader: number): void {
    this.#active.delete(reader);
    if (this.#waiting.length === 0) return;
    const oldest = Math.min(Infinity, ...this.#active);
    const due = this.#waiting.filter(({ since }) => since <= oldest);
    this.#waiting = this.#waiting.filter(({ since }) => since > oldest);
    for (const { change } of due) change();
  }

  /** Runs `change` when every search that has begun by now has ended: at once, where none is under way. */
  afterAll(change: () => void): void {
    if (this.#active.size === 0) change();
    else this.#waiting.push({ since: this.#next, change });
  }
}
