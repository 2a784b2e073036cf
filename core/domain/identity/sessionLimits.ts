/** When sessions end, how long a passphrase counts as just given, and how long failed sign-ins must wait. */

import { hasPassed } from '../values/time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A session ends this long after its operator last did something, milliseconds. */
export const IDLE_LIMIT = 30 * MINUTE;
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
