/**
 * Lets work of unproven callers begin one piece at a time: at most one piece in each turn of the event loop, in the order
 * in which the pieces were asked for. Everything else that has become due runs between two pieces, so that the loop's
 * turns stay short, however many such callers send at once. Short turns matter twice: a listener accepts one connection
 * in each turn.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** Runs `piece` when its turn has come, never before this call returns. */
  take(piece: () => void): void {
    this.#waiting.push(piece);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#waiting.shift()?.();
      this.#schedule();
    });
  }
}
