/**
 * The results of searches for as long as an operator may still report on them. They are in memory only, so that the
 * service can vouch for the content of a report without storing a searched photo.
 */
import type { SearchAnswer } from '../../contracts/dashboard/search.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { SignedIn } from '../identity/signInService.ts';
import { hexOf } from '../values/bytes.ts';
import { hasPassed } from '../values/time.ts';
import { makeRoom } from '../work/keptRuns.ts';

/** How long a result can be reported on, milliseconds. */
export const KEPT_FOR = 30 * 60_000;
/** Results that a session can have; its oldest one makes room for another. */
const OF_SESSION = 4;
/** Results of all sessions; the oldest one of the company with most of them makes room. One has about 100 KB and 50 KB more for each face. */
const IN_ALL = 32;

export interface KeptSearch {
  /** The answer that the page received, unchanged. */
  answer: SearchAnswer;
  /** A small JPEG of the searched photo. */
  picture: Uint8Array;
}

interface Entry extends KeptSearch {
  company: CompanyId;
  /** Lowercase hex. */
  session: string;
}

export class KeptSearches {
  /** In the order in which they were kept. */
  readonly #entries = new Map<string, Entry>();

  /** Keeps a result for the session of the operator. */
  keep(operator: SignedIn, kept: KeptSearch): void {
    const session = hexOf(operator.session);
    const own = [...this.#entries].filter(([, entry]) => entry.session === session).map(([id]) => id);
    for (const id of own.slice(0, Math.max(0, own.length + 1 - OF_SESSION))) this.#entries.delete(id);
    this.#entries.set(kept.answer.id, { ...kept, company: operator.companyId, session });
    makeRoom(this.#entries, IN_ALL, (entry) => entry.company);
  }

  /** @returns undefined: there is none of this id for this session, or it has expired */
  find(operator: SignedIn, id: string, now: Date): KeptSearch | undefined {
    this.forgetExpired(now);
    const entry = this.#entries.get(id);
    return entry?.company === operator.companyId && entry.session === hexOf(operator.session)
      ? entry
      : undefined;
  }

  forgetExpired(now: Date): void {
    for (const [id, { answer }] of this.#entries)
      if (hasPassed(Date.parse(answer.expiresAt) - KEPT_FOR, KEPT_FOR, now)) this.#entries.delete(id);
  }
}
