import { hexOf } from '../values/bytes.ts';
import { EXPORT_LIMIT } from './sessionLimits.ts';
import { hasPassed } from '../values/time.ts';

/**
 * The last export of each session, in memory. A restart of the service removes them, so the next export needs a recent
 * passphrase.
 */
export class RecentExports {
  /** Milliseconds since 1970, by the hash of the session's token in hex. */
  readonly #last = new Map<string, number>();

  /**
   * Whether a session may export without the passphrase; an export that is allowed becomes its last one.
   * @param confirmedAt when the passphrase of the session was last entered
   */
  allow(session: Uint8Array, confirmedAt: Date, now: Date): boolean {
    const at = now.getTime();
    for (const [key, last] of this.#last) if (hasPassed(last, EXPORT_LIMIT, at)) this.#last.delete(key);
    const key = hexOf(session);
    if (!this.#last.has(key) && hasPassed(confirmedAt, EXPORT_LIMIT, at)) return false;
    this.#last.set(key, at);
    return true;
  }
}
