import { base64UrlOf, equalBytes } from '../common/encoding.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import { waitAfter, waitAfterAnywhere } from './sessionLimits.ts';
import type { AttemptCount, FailedAttempts } from '../ports/identity.ts';

/** Names without an operator that are remembered at once; beyond it the oldest is forgotten. */
const UNKNOWN_NAMES = 16_384;

/** Failed attempts of every address together. */
const ANYWHERE = 'anywhere';

/** The counts of an attempt from a browser in which the operator never signed in. */
export function countsOfAddress(crypto: CryptoPort, address: string): AttemptCount[] {
  return [
    { source: crypto.sha256(`address ${address}`), waitAfter },
    { source: crypto.sha256(ANYWHERE), waitAfter: waitAfterAnywhere },
  ];
}

/** The count of an attempt from a browser in which the operator signed in before: other addresses cannot raise it. */
export function countsOfBrowser(crypto: CryptoPort, browser: string): AttemptCount[] {
  return [{ source: crypto.sha256(`browser ${browser}`), waitAfter }];
}

/** The count of an operator with a session who gives the passphrase once more: other callers cannot raise it. */
export function countsOfSession(crypto: CryptoPort): AttemptCount[] {
  return [{ source: crypto.sha256('session'), waitAfter }];
}

/** All failed attempts of a name, and the end of the longest wait that some origin has; undefined: none waits. */
export function summarise(
  crypto: CryptoPort,
  failed: readonly FailedAttempts[],
  now: Date,
): { attempts: number; until?: Date } {
  const anywhere = crypto.sha256(ANYWHERE);
  const isAnywhere = ({ source }: FailedAttempts) => equalBytes(source, anywhere);
  // The count over all addresses repeats those of each.
  const attempts = failed.filter((one) => !isAnywhere(one)).reduce((sum, one) => sum + one.attempts, 0);
  const ends = failed.map((one) => {
    const wait = isAnywhere(one) ? waitAfterAnywhere(one.attempts) : waitAfter(one.attempts);
    return one.lastAt.getTime() + wait;
  });
  const until = Math.max(0, ...ends);
  return until > now.getTime() ? { attempts, until: new Date(until) } : { attempts };
}

/**
 * Counts attempts for names that no operator has, by the same rules and waits, in memory only: typed names must not
 * fill the database.
 */
export class UnknownNames {
  readonly #failed = new Map<string, { attempts: number; lastAt: number }>();

  /** Counts an attempt. @returns the end of the wait when one is running; then nothing is counted */
  begin(name: string, counts: readonly AttemptCount[], at: Date): Date | undefined {
    const now = at.getTime();
    const keyed = counts.map((count) => ({
      count,
      key: `${base64UrlOf(count.source)} ${name}`,
    }));
    const ends = keyed.map(({ count, key }) => {
      const known = this.#failed.get(key);
      return known === undefined ? 0 : known.lastAt + count.waitAfter(known.attempts);
    });
    const until = Math.max(...ends);
    if (until > now) return new Date(until);
    for (const { key } of keyed) {
      const attempts = (this.#failed.get(key)?.attempts ?? 0) + 1;
      this.#failed.delete(key);
      this.#failed.set(key, { attempts, lastAt: now });
    }
    for (const key of this.#failed.keys()) {
      if (this.#failed.size <= UNKNOWN_NAMES) break;
      this.#failed.delete(key);
    }
    return undefined;
  }
}
