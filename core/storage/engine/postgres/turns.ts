import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestTurn, RequestTurns } from '../../../domain/ports/machine.ts';

/** How long a turn relies on one comparison, milliseconds: a request that takes longer compares again. */
const VALID_FOR_MS = 1_000;

interface Turn {
  /** The comparison of the turn; undefined: none yet, or it failed. */
  compared: Promise<void> | undefined;
  at: number;
  hasEnded: boolean;
}

/** Requests that share the comparisons of their own turn. Work outside of a request compares each time. */
export class Turns implements RequestTurns {
  readonly #current = new AsyncLocalStorage<Turn>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock that is never set back; for tests */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  begin(): RequestTurn {
    const turn: Turn = { compared: undefined, at: 0, hasEnded: false };
    return {
      run: (step) => {
        this.#current.run(turn, step);
      },
      end: () => {
        turn.hasEnded = true;
      },
    };
  }

  /**
   * Compares, unless the present turn has done so within {@link VALID_FOR_MS}.
   * @param compare resolves when what was committed before the call has been read
   * @throws what the comparison throws; the next call compares again
   */
  async compared(compare: () => Promise<void>): Promise<void> {
    const turn = this.#current.getStore();
    if (turn === undefined || turn.hasEnded) return compare();
    const now = this.#now();
    if (turn.compared === undefined || now - turn.at >= VALID_FOR_MS) {
      turn.compared = compare();
      turn.at = now;
    }
    const shared = turn.compared;
    try {
      await shared;
    } catch (cause) {
      if (turn.compared === shared) turn.compared = undefined;
      throw cause;
    }
  }
}
