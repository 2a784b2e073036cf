/** The end of what a process has opened, one step after the other. */
import { messageOf } from '../contracts/errors/problem.ts';
import type { Logger } from '../domain/ports/machine.ts';

/**
 * Milliseconds that this process may wait for others while it ends. A supervisor, a shell and a person at a window expect an
 * end within some ten seconds, also from a disk or a database that does not answer.
 */
const LONGEST_WAIT = 8_000;
/** Between two looks at what is waited for. */
const POLL_INTERVAL_MS = 250;
/** Between two lines of the log about one step, milliseconds of the clock. */
const REPORT = 5_000;

/** A step of the end waits for something that does not answer. */
export class EndOverdue extends Error {
  override name = 'EndOverdue';
}

/**
 * Ends what was opened. A slow machine makes the end slow, and never fails it: only the time counts in which this process
 * waits for another process, a disk or a caller, neither its own work nor its wait for a processor. What is waited for long
 * stands in the log.
 */
export class Ending {
  /** Undefined: it is not open yet. */
  log: Logger | undefined;
  readonly #idle: () => number;
  readonly #steps: { name: string; run: () => Promise<unknown> }[] = [];
  #late: { after: number; text: string; act: () => void }[] = [];
  /** Of all steps so far, milliseconds. */
  #waited = 0;

  /** @param idle milliseconds for which the event loop of this process has had nothing to do */
  constructor(idle = () => performance.eventLoopUtilization().idle) {
    this.#idle = idle;
  }

  /** Adds a step, which runs before those that were added earlier. @param name completes "waits for" */
  add(name: string, run: () => Promise<unknown>): void {
    this.#steps.unshift({ name, run });
  }

  /** Adds what is done when the end has waited for so many milliseconds. @param text for the log */
  whenLate(after: number, text: string, act: () => void): void {
    this.#late.push({ after, text, act });
  }

  /**
   * Runs every step. One that fails leaves no later one out.
   * @throws {AggregateError} the failures. @throws {EndOverdue} a step does not end, so the later ones were not begun
   */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (const { name, run } of this.#steps.splice(0))
      await this.waitFor(name, run).catch((error: unknown) => {
        if (error instanceof EndOverdue) throw error;
        this.log?.error({ err: error, step: name }, 'a step of the end failed');
        failures.push(error);
      });
    if (failures.length > 0) throw new AggregateError(failures, messageOf(failures[0]));
  }

  /** Waits for one step. @throws {EndOverdue} it does not end. @throws what the step throws */
  async waitFor(name: string, run: () => Promise<unknown>): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const before = this.#waited - this.#idle();
    const begun = performance.now();
    let reportAt = begun + REPORT;
    const look = setInterval(() => {
      this.#waited = before + this.#idle();
      const now = performance.now();
      const facts = { waitsFor: name, seconds: Math.round((now - begun) / 1000) };
      this.#actLate(facts);
      if (this.#waited >= LONGEST_WAIT) {
        this.log?.error(facts, 'the end was given up: nothing answered');
        reject(new EndOverdue(`${LONGEST_WAIT / 1000} seconds went by without an answer from ${name}`));
      } else if (now >= reportAt) {
        reportAt = now + REPORT;
        this.log?.info(facts, 'the end takes long');
      }
    }, POLL_INTERVAL_MS);
    try {
      await Promise.race([run(), promise]);
    } finally {
      clearInterval(look);
      this.#waited = before + this.#idle();
    }
  }

  #actLate(facts: object): void {
    const due = this.#late.filter(({ after }) => after <= this.#waited);
    this.#late = this.#late.filter(({ after }) => after > this.#waited);
    for (const { text, act } of due) {
      this.log?.info(facts, text);
      act();
    }
  }
}
