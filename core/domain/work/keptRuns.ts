import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Clock } from '../ports/machine.ts';
import { hasPassed } from '../values/time.ts';

/** Runs that are kept at once on the installation; beyond them, the company with most of them loses the one used longest ago. */
const MAX_RUNS = 4;
/**
 * How long an unused run is kept, milliseconds. A program that adds photos, or waits for the comparison, uses its run every few
 * seconds. An hour leaves a person the time to read the report before it is applied.
 */
const KEPT_FOR = 60 * 60_000;

/** Calibrations under way, in memory alone. One that was left is forgotten with its photos and templates. */
export class KeptRuns<Run extends { company: CompanyId }> {
  readonly #clock: Clock;
  readonly #runs = new Map<string, { run: Run; usedAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(id: string, run: Run): void {
    this.#runs.set(id, { run, usedAt: this.#clock.now().getTime() });
    makeRoom(this.#runs, MAX_RUNS, (kept) => kept.run.company);
  }

  /** A run of another company does not exist for this one. @throws {CodedError} the run is unknown, or was not used for an hour */
  use(company: CompanyId, id: string): Run {
    this.forgetUnused();
    const run = this.#runs.get(id)?.run;
    if (run?.company !== company) throw new CodedError(problem('CALIBRATION_RUN_UNKNOWN'));
    this.#runs.delete(id);
    this.#runs.set(id, { run, usedAt: this.#clock.now().getTime() });
    return run;
  }

  of(company: CompanyId): Run[] {
    return [...this.#runs.values()].flatMap(({ run }) => (run.company === company ? [run] : []));
  }

  has(id: string): boolean {
    return this.#runs.has(id);
  }

  /** Forgets the runs that were not used for an hour. The service calls it every minute. */
  forgetUnused(): void {
    const now = this.#clock.now();
    for (const [id, { usedAt }] of this.#runs) if (hasPassed(usedAt, KEPT_FOR, now)) this.#runs.delete(id);
  }
}

/**
 * Takes entries out of a map until it has at most so many: each time the oldest one of the holder who has most of them, so that
 * no holder can push out what another one keeps.
 * @param kept in the order of their last use
 * @param holderOf who keeps an entry: a company, an operator
 */
export function makeRoom<Id, Kept>(kept: Map<Id, Kept>, most: number, holderOf: (of: Kept) => unknown): void {
  while (kept.size > most) {
    const held = new Map<unknown, Id[]>();
    for (const [id, entry] of kept) {
      const ids = held.get(holderOf(entry)) ?? [];
      ids.push(id);
      held.set(holderOf(entry), ids);
    }
    const [largest = []] = [...held.values()].toSorted((one, other) => other.length - one.length);
    const [oldest] = largest;
    if (oldest === undefined) return;
    kept.delete(oldest);
  }
}
