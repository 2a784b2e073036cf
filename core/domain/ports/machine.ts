import type { CryptoPort } from './crypto.ts';
import { sentenceOf, type Problem } from '../../contracts/errors/problem.ts';

/**
 * The functions of the machine that the rules use. The files beside this one have the other ports.
 * Storage, vision and gallery implement these; `service.ts` wires them. Conventions: the company comes first; times are
 * `Date`; a promise rejects only for faults of the machine (`UnavailableError` where a retry can help), never for what a
 * caller sent: that comes back as a value.
 */

/** The time, so that tests can hold it still. */
export interface Clock {
  now(): Date;
}

/** Time since the machine started, which setting its clock does not change. */
export interface BootClock {
  /** @returns `boot`: a different value for each start of the machine; empty where the system has none. `uptime`: milliseconds */
  read(): { boot: string; uptime: number };
}

/** Waiting, and measuring by a clock that setting the machine's time does not change. */
export interface Timer {
  /** Milliseconds since an arbitrary moment. */
  elapsed(): number;
  /** Runs `work` once after so many milliseconds. @returns cancels it */
  after(milliseconds: number, work: () => void): () => void;
  wait(milliseconds: number): Promise<void>;
  /** Resolves after other pending work of this process had its turn. */
  yield(): Promise<void>;
}

/** Something of the machine is missing for now (disk full, database read-only): nothing happened, a retry can help. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
  /** Absent: only the log and the terminal name this cause. */
  readonly problem: Problem | undefined;

  constructor(reason: string | Problem, options?: ErrorOptions) {
    super(typeof reason === 'string' ? reason : sentenceOf(reason), options);
    this.problem = typeof reason === 'string' ? undefined : reason;
  }
}

/** The store did not say whether it wrote. Files that the change refers to must stay: the sweep removes those without a row. */
export class OutcomeUnknown extends UnavailableError {
  override name = 'OutcomeUnknown';
}

/** The disk has less free space than the installation keeps. */
export class DiskFull extends UnavailableError {
  override name = 'DiskFull';
}

/** Another pipeline serves the company since a face was described: it is described again by that one. */
export class PipelineChanged extends UnavailableError {
  override name = 'PipelineChanged';

  constructor() {
    super('Another recognition pipeline serves the company since the face was described.');
  }
}

/** Structured log lines; never a secret, a name, an image or a template in them. */
export interface Logger {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

/** The ports of the machine, of which each service names those that it uses. */
export interface Platform {
  clock: Clock;
  bootClock: BootClock;
  timer: Timer;
  crypto: CryptoPort;
  log: Logger;
}

/** The turn of one request: its rows of settings are compared with the store once. */
export interface RequestTurn {
  /** Runs a step of the request, and all that it starts, within the turn. */
  run(step: () => void): void;
  /** Ends the turn: work that the request started and that continues compares again before each use. */
  end(): void;
}

/** Of a store that several services change. */
export interface RequestTurns {
  /** Begins the turn of a request that has just arrived. */
  begin(): RequestTurn;
}
