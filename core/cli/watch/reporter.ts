import { type Problem, messageOf } from '../../contracts/errors/problem.ts';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import {
  LONGEST_WATCHED_PATH,
  REPORT_EVERY_MS,
  type WatchReport,
} from '../../contracts/dashboard/folders.ts';
import type { Outcome } from './watcher.ts';

/** Shortest time between two reports, milliseconds: a folder of many files does not flood the service. */
const SHORTEST_MS = 1_000;

interface ReporterOptions {
  folder: string;
  send: (report: WatchReport) => Promise<unknown>;
  /** Receives once the reason why the service gets no reports. Enrolment continues. */
  onProblem: (why: string) => void;
  now?: () => number;
}

/** Reports the state of a watched folder to the service, so that the dashboard can show it. */
export class WatchReporter {
  readonly #options: ReporterOptions;
  readonly #now: () => number;
  #report: WatchReport;
  #sentAt = -Infinity;
  #changed = true;
  #failing = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#report = {
      id: randomUUID(),
      folder: resolve(options.folder),
      state: 'watching',
      problem: null,
      startedAt: new Date(this.#now()).toISOString(),
      enrolled: 0,
      failed: 0,
      left: 0,
      lastFile: null,
    };
  }

  /** Counts the result of a file. */
  file({ path, status, trustValidationId, failureCode, cause }: Outcome): void {
    const { enrolled, failed } = this.#report;
    this.#change({
      enrolled: enrolled + (status === 'enrolled' ? 1 : 0),
      failed: failed + (status === 'failed' ? 1 : 0),
      lastFile: {
        path: path.slice(0, LONGEST_WATCHED_PATH),
        status,
        trustValidationId,
        failureCode,
        cause,
        at: new Date(this.#now()).toISOString(),
      },
      state: 'watching',
      problem: null,
    });
  }

  /** @param left how many files the folder has at present that are neither sent nor moved */
  remaining(left: number): void {
    if (left !== this.#report.left) this.#change({ left });
  }

  /** No file can be sent at present. */
  wait(problem: Problem): void {
    this.#change({ state: 'waiting', problem });
  }

  /** Sends the state where it has changed, and from time to time in any case. */
  async send(): Promise<void> {
    const since = this.#now() - this.#sentAt;
    if (since < SHORTEST_MS || (!this.#changed && since < REPORT_EVERY_MS)) return;
    await this.#sendNow();
  }

  /** Sends the last report. @param problem why the run ended; null: it was stopped */
  async stop(problem: Problem | null): Promise<void> {
    this.#change({ state: 'stopped', problem });
    await this.#sendNow();
  }

  #change(part: Partial<WatchReport>): void {
    this.#report = { ...this.#report, ...part };
    this.#changed = true;
  }

  async #sendNow(): Promise<void> {
    this.#sentAt = this.#now();
    this.#changed = false;
    try {
      await this.#options.send(this.#report);
      this.#failing = false;
    } catch (error) {
      if (!this.#failing)
        this.#options.onProblem(`The dashboard cannot show this folder: ${messageOf(error)}`);
      this.#failing = true;
    }
  }
}
