import { base64UrlOf, equalBytes } from '../values/bytes.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import type { AttemptCount, FailedAttempts } from '../ports/identity.ts';
import { hasPassed } from '../values/time.ts';

// When sessions end, how long a passphrase counts as just given, and how long failed sign-ins must wait.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A session ends this long after its operator last did something, milliseconds. */
const IDLE_LIMIT = 30 * MINUTE;
/** Longest life of a session after sign-in, active or idle. */
export const SESSION_LIMIT = 12 * HOUR;
/** Secrets and erasure need a passphrase that was given within this time. */
export const CONFIRMED_LIMIT = 10 * MINUTE;
/** An export needs a passphrase that was given, or another export of the same session, within this time. */
export const EXPORT_LIMIT = 30 * MINUTE;
/** The last use of a session is written at most this often. */
export const TOUCH_INTERVAL = MINUTE;

/** Attempts in a row without a delay: people mistype. */
const FREE_ATTEMPTS = 5;
const FIRST_WAIT = 30_000;
const LONGEST_WAIT = HOUR;

/** The same for the attempts of all addresses together: one guesser has one address, a fault in a program may have many. */
const FREE_ATTEMPTS_ANYWHERE = 100;

/**
 * How long an address has to wait after so many failed attempts in a row, milliseconds: nothing, then 30 s, doubling up
 * to an hour. Capped, so that no wait lasts for ever.
 */
export function waitAfter(attempts: number): number {
  if (attempts < FREE_ATTEMPTS) return 0;
  return Math.min(FIRST_WAIT * 2 ** (attempts - FREE_ATTEMPTS), LONGEST_WAIT);
}

/** How long every address has to wait together, milliseconds; browsers of earlier sign-ins do not. */
export function waitAfterAnywhere(attempts: number): number {
  return waitAfter(attempts - FREE_ATTEMPTS_ANYWHERE + FREE_ATTEMPTS);
}

/** By time: it was unused for a while, it is too old, or it was opened or used while the clock was ahead. */
export function hasEnded(session: { openedAt: Date; usedAt: Date }, now: Date): boolean {
  return hasPassed(session.usedAt, IDLE_LIMIT, now) || hasPassed(session.openedAt, SESSION_LIMIT, now);
}

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

/**
 * The latest end of the waits that are still running; undefined: none is. A failure in the future was counted while the clock was
 * wrong: its wait is over, and the next attempt gets the right time.
 * @param failed the last failure of each origin, and the wait that its failures have earned, milliseconds
 */
export function longestWait(
  failed: readonly { lastAt: Date | number; wait: number }[],
  now: Date,
): Date | undefined {
  const running = failed.filter(({ lastAt, wait }) => !hasPassed(lastAt, wait, now));
  return running.length === 0
    ? undefined
    : new Date(Math.max(...running.map(({ lastAt, wait }) => Number(lastAt) + wait)));
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
  const until = longestWait(
    failed.map((one) => ({
      lastAt: one.lastAt,
      wait: isAnywhere(one) ? waitAfterAnywhere(one.attempts) : waitAfter(one.attempts),
    })),
    now,
  );
  return until === undefined ? { attempts } : { attempts, until };
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
    const until = longestWait(
      keyed.flatMap(({ count, key }) => {
        const known = this.#failed.get(key);
        return known === undefined ? [] : { lastAt: known.lastAt, wait: count.waitAfter(known.attempts) };
      }),
      at,
    );
    if (until !== undefined) return until;
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
