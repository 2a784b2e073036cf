/** How long background work may delay a caller who waits for an answer, in milliseconds. */
const PORTION_MS = 8;

/** Does work that pauses often, a portion at a time; between two of them everybody else has a turn. */
export async function inPortions<T>(work: Generator<void, T>, portionMs = PORTION_MS): Promise<T> {
  for (;;) {
    const until = performance.now() + portionMs;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await nextTurn();
  }
}

/** A waiting caller gets the answer before this ends. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Does all of it at once. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The same work, given up at a pause after which it should not go on. */
export function* asLongAs<T>(
  goesOn: () => boolean,
  work: Generator<void, T>,
): Generator<void, T | undefined> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    yield;
    if (!goesOn()) return undefined;
  }
}

/**
 * Work that can wait, one piece after the other: together they keep others waiting no longer than one of them. A piece that is
 * begun while nothing else is to be done has its first portion at once.
 */
export class Background {
  readonly #pieces: Generator<void>[] = [];
  readonly #portionMs: number | undefined;
  #busy = false;

  /** @param portionMs how long a portion takes; 0: as little as can be done. */
  constructor(portionMs?: number) {
    this.#portionMs = portionMs;
  }

  /** @returns when the piece has ended. */
  run<T>(piece: Generator<void, T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#pieces.push(settling(piece, resolve, reject));
    if (!this.#busy) {
      this.#busy = true;
      void inPortions(this.#all(), this.#portionMs);
    }
    return promise;
  }

  /** Ends when all pieces have that were begun by now. */
  async ended(): Promise<void> {
    await this.run(pause());
  }

  *#all(): Generator<void> {
    for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) {
      yield* piece;
      yield;
    }
    this.#busy = false;
  }
}

function* settling<T>(
  piece: Generator<void, T>,
  resolve: (value: T) => void,
  reject: (cause: unknown) => void,
): Generator<void> {
  try {
    resolve(yield* piece);
  } catch (cause) {
    reject(cause);
  }
}

function* pause(): Generator<void> {
  yield;
}
