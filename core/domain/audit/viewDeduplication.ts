import type { Actor } from '../ports/auditContext.ts';
import type { Clock } from '../ports/machine.ts';

/** How long a look lasts: an open page asks again by itself whenever something changes. */
const REPEAT_WINDOW_MS = 10 * 60_000;
/** More are not remembered at once; a forgotten one is recorded once more. */
const MAX_REMEMBERED = 10_000;

/** The views of the last ten minutes: a page that stays open makes one audit entry, not one per refresh. */
export class ViewAuditDeduplicator {
  readonly #clock: Clock;
  /** When a view was recorded, oldest first. */
  readonly #recorded = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `record` unless this actor's look at this object is in the audit log already; rejects as `record` does. */
  async once(by: Actor, object: string, record: () => Promise<void>): Promise<void> {
    const key = `${by} ${object}`;
    const now = this.#clock.now().getTime();
    const before = this.#recorded.get(key);
    if (before !== undefined && Math.abs(now - before) < REPEAT_WINDOW_MS) return;
    await record();
    this.#recorded.delete(key);
    this.#recorded.set(key, now);
    for (const oldest of this.#recorded.keys()) {
      if (this.#recorded.size <= MAX_REMEMBERED) break;
      this.#recorded.delete(oldest);
    }
  }
}
