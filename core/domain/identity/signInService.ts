import type { OperatorRole } from '../../contracts/dashboard/session.ts';
import type { Permission } from '../../contracts/dashboard/permissions.ts';
import type { CompanyId, OperatorId } from '../../contracts/ids.ts';
import type { AuditContext, Actor } from '../ports/auditContext.ts';
import {
  countsOfAddress,
  countsOfBrowser,
  countsOfSession,
  UnknownNames,
  CONFIRMED_LIMIT,
  hasEnded,
  TOUCH_INTERVAL,
  EXPORT_LIMIT,
} from './attempts.ts';
import { requirePassphrase } from './operatorService.ts';
import type { PassphraseHasher, TurnOrigin } from './passphrase.ts';
import type { Operator, OperatorSecrets } from '../../storage/identity/operators.ts';
import type { AttemptCount } from '../ports/identity.ts';
import { FRESH_PERMISSIONS, mayRole } from './roles.ts';
import {
  createBrowserToken,
  createRecoveryCode,
  createSessionToken,
  hashRecoveryCode,
  hashTypedName,
  isBrowserOf,
} from './secrets.ts';
import { hasPassed } from '../values/time.ts';
import { nameKey } from '../../contracts/displayName.ts';
import { hexOf } from '../values/bytes.ts';
import { Service, type Parts } from '../serviceParts.ts';

/** How long refusals of one kind are counted together, milliseconds. */
const WINDOW = 60 * 60_000;
/** So many of a window are entries of their own; after them each that doubles the count is. */
const SINGLE = 20;

/**
 * Keeps endless rejected attempts from filling the disk with audit entries: n refusals of one kind within an hour
 * are at most {@link SINGLE} + log₂ n entries, and the newest says how many there were by then.
 */
export class RejectionLogThrottle {
  readonly #windows = new Map<string, { since: number; count: number }>();

  /**
   * Counts one refusal.
   * @param kind the rejected action and its operator; unknown callers cannot add kinds
   * @returns the count of this hour when it is to be recorded; undefined: the rejection is only counted
   */
  count(kind: string, at: Date): number | undefined {
    const known = this.#windows.get(kind);
    const now = at.getTime();
    const window =
      known !== undefined && !hasPassed(known.since, WINDOW, now) ? known : { since: now, count: 0 };
    window.count += 1;
    this.#windows.set(kind, window);
    const { count } = window;
    return count <= SINGLE || Number.isInteger(Math.log2(count / SINGLE)) ? count : undefined;
  }
}

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

export interface SignInPorts extends Pick<
  Parts,
  'operators' | 'sessions' | 'attempts' | 'recoveryCodes' | 'companies' | 'clock' | 'crypto'
> {
  hasher: PassphraseHasher;
}

/** The signed-in operator, as the guard passes it to a route. */
export interface SignedIn {
  id: OperatorId;
  companyId: CompanyId;
  name: string;
  role: OperatorRole;
  actor: Actor;
  /** When the passphrase was last entered. */
  confirmedAt: Date;
  /** Of the session's token: names the session, opens nothing. */
  session: Uint8Array;
}

/** Whether the operator may do it now; `unconfirmed`: yes, after giving the passphrase again. */
export type Verdict = 'allowed' | 'refused' | 'unconfirmed';

/** Where an attempt to sign in comes from. */
export interface SignInOrigin {
  /** The caller's network address. */
  address: string;
  /** Browser tokens of earlier sign-ins, of any operator. */
  browsers: readonly string[];
}

interface Opened {
  kind: 'open';
  token: string;
  operator: OperatorId;
  browser: string;
}
/** The passphrase was right when it was compared. */
interface Right {
  kind: 'right';
  operator: Operator;
  /** The stored hash that it was compared with. */
  compared: string;
}
/** The wait that failed attempts have earned. */
interface Locked {
  kind: 'locked';
  until: Date;
}
/** One answer for every cause. */
interface Refused {
  kind: 'refused';
}

/** Lets operators in and out. Knows nothing of cookies. */
export class SignInService extends Service<SignInPorts> {
  readonly #refusals = new RejectionLogThrottle();
  readonly #unknownNames = new UnknownNames();
  readonly #exports = new RecentExports();

  /**
   * @returns the session's token, which is in the answer and nowhere else; and a token for the browser, by which its
   *   later attempts are distinguished from those of unknown callers
   */
  async open(name: string, passphrase: string, from: SignInOrigin): Promise<Opened | Locked | Refused> {
    const { crypto, operators } = this.ports;
    const key = nameKey(name);
    const secrets = await operators.findByName(key);
    if (secrets === undefined) return this.#refuseUnknown(key, from);
    const browser = from.browsers.find((token) => isBrowserOf(crypto, token, secrets));
    const attempt = await this.#attempt(secrets, passphrase, {
      counts:
        browser === undefined ? countsOfAddress(crypto, from.address) : countsOfBrowser(crypto, browser),
      turn: { address: from.address, trusted: browser !== undefined },
    });
    if (attempt.kind !== 'right') return attempt;
    const { operator, compared } = attempt;
    const { token, hash } = createSessionToken(crypto);
    // A passphrase that was replaced during its comparison opens nothing.
    if (!(await this.ports.sessions.open(operator, hash, compared, this.#act(operator))))
      return { kind: 'refused' };
    return { kind: 'open', token, operator: operator.id, browser: createBrowserToken(crypto, secrets) };
  }

  /**
   * Whose session it is.
   * @param background the screen asked by itself: that keeps no session alive
   * @returns undefined when it never was, or has ended
   */
  async holder(token: string, background: boolean): Promise<SignedIn | undefined> {
    const hash = this.ports.crypto.sha256(token);
    const session = await this.ports.sessions.find(hash);
    const now = this.ports.clock.now();
    if (session === undefined || hasEnded(session, now)) return undefined;
    if (!background && hasPassed(session.usedAt, TOUCH_INTERVAL, now))
      await this.ports.sessions.touch(hash, now);
    const { id, companyId, name, role } = session.operator;
    const { confirmedAt } = session;
    return { id, companyId, name, role, actor: `operator:${id}`, confirmedAt, session: hash };
  }

  /** The present role of the operator of a session, which may have expired; undefined: it was ended. */
  async roleIn(session: Uint8Array): Promise<OperatorRole | undefined> {
    return (await this.ports.sessions.find(session))?.operator.role;
  }

  /** An export that is allowed here counts as one: the next export may follow it without the passphrase. */
  verdict(operator: SignedIn, permission: Permission): Verdict {
    if (!mayRole(operator.role, permission)) return 'refused';
    if (!FRESH_PERMISSIONS.has(permission)) return 'allowed';
    const { confirmedAt, session } = operator;
    const now = this.ports.clock.now();
    const confirmed =
      permission === 'exports:create'
        ? this.#exports.allow(session, confirmedAt, now)
        : !hasPassed(confirmedAt, CONFIRMED_LIMIT, now);
    return confirmed ? 'allowed' : 'unconfirmed';
  }

  /** The operator of a session gives the passphrase again; wrong ones are counted apart from failed sign-ins. */
  async confirm(operator: SignedIn, passphrase: string): Promise<{ kind: 'confirmed' } | Locked | Refused> {
    const attempt = await this.#attemptInSession(operator, passphrase);
    if (attempt.kind !== 'right') return attempt;
    await this.ports.sessions.confirm(operator.session, attempt.operator, this.#act(attempt.operator));
    return { kind: 'confirmed' };
  }

  async close(operator: SignedIn): Promise<void> {
    const secrets = await this.ports.operators.findByName(nameKey(operator.name));
    if (secrets === undefined) return;
    await this.ports.sessions.close(operator.session, secrets.operator, this.#act(secrets.operator));
  }

  /**
   * A new passphrase in place of the current one; every session of the operator ends, this one too.
   * @throws {InvalidInput} the new passphrase
   */
  async changePassphrase(
    operator: SignedIn,
    current: string,
    next: string,
  ): Promise<{ kind: 'changed' } | Locked | Refused> {
    await this.#requirePassphrase(operator.companyId, operator.name, next);
    const attempt = await this.#attemptInSession(operator, current);
    if (attempt.kind !== 'right') return attempt;
    const passphraseHash = await this.ports.hasher.hash(next);
    const replaced = await this.ports.operators.setPassphrase(
      operator.companyId,
      operator.id,
      passphraseHash,
      attempt.compared,
      this.#act(attempt.operator),
    );
    return replaced ? { kind: 'changed' } : { kind: 'refused' };
  }

  /**
   * The way back in with the company's sign-in recovery code: the named operator becomes its active admin, and is added when no operator
   * has the name. The code works once, and the answer holds the next one. There is no delay here: 160 random bits are not
   * guessed, and a delay would let any caller block the way back.
   * @throws {InvalidInput} the passphrase, or an operator of another company has the name
   */
  async recover(
    name: string,
    recoveryCode: string,
    next: string,
  ): Promise<{ kind: 'recovered'; recoveryCode: string } | Refused> {
    const { operators, recoveryCodes, attempts, clock, crypto, hasher } = this.ports;
    const used = hashRecoveryCode(crypto, recoveryCode);
    const company = await recoveryCodes.companyOf(used);
    const act: AuditContext = { by: 'anonymous', at: clock.now() };
    if (company === undefined) {
      const named = await operators.findByName(nameKey(name));
      await this.#recordRefusal(named?.operator, 'session.refused', act);
      return { kind: 'refused' };
    }
    await this.#requirePassphrase(company, name, next);
    const { key, hash } = createRecoveryCode(crypto);
    const admin = { name, nameKey: nameKey(name), passphraseHash: await hasher.hash(next) };
    if (!(await operators.recover(company, admin, { used, next: hash }, act))) return { kind: 'refused' };
    await attempts.clear(hashTypedName(crypto, admin.nameKey));
    return { kind: 'recovered', recoveryCode: key };
  }

  /** As a wrong passphrase would be refused, at no cost but memory. */
  async #refuseUnknown(key: string, from: SignInOrigin): Promise<Locked | Refused> {
    const act: AuditContext = { by: 'anonymous', at: this.ports.clock.now() };
    const until = this.#unknownNames.begin(key, countsOfAddress(this.ports.crypto, from.address), act.at);
    if (until === undefined) await this.ports.hasher.pretend();
    await this.#recordRefusal(undefined, until === undefined ? 'session.refused' : 'session.locked', act);
    return until === undefined ? { kind: 'refused' } : { kind: 'locked', until };
  }

  async #attemptInSession({ name }: SignedIn, passphrase: string): Promise<Right | Locked | Refused> {
    const secrets = await this.ports.operators.findByName(nameKey(name));
    if (secrets === undefined) return { kind: 'refused' };
    return this.#attempt(secrets, passphrase, {
      counts: countsOfSession(this.ports.crypto),
      turn: { address: '', trusted: true },
    });
  }

  /**
   * Waits for a turn, counts, then compares: guesses that are sent together each count, and an attempt that gets no turn
   * counts for nothing.
   * @throws {UnavailableError} too many sign-ins wait already
   */
  async #attempt(
    { operator, passphraseHash }: OperatorSecrets,
    passphrase: string,
    { counts, turn }: { counts: readonly AttemptCount[]; turn: TurnOrigin },
  ): Promise<Right | Locked | Refused> {
    const { attempts, clock, crypto, hasher } = this.ports;
    const name = hashTypedName(crypto, nameKey(operator.name));
    const locked = async (until: Date): Promise<Locked> => {
      await this.#recordRefusal(operator, 'session.locked', { by: 'anonymous', at: clock.now() });
      return { kind: 'locked', until };
    };
    const waiting = await attempts.waitingUntil(name, counts, clock.now());
    if (waiting !== undefined) return locked(waiting);
    return hasher.inTurn(turn, async (matches) => {
      const act: AuditContext = { by: 'anonymous', at: clock.now() };
      const until = await attempts.begin(name, counts, act.at);
      if (until !== undefined) return locked(until);
      // Compared for inactive operators too: the time of the answer must not reveal them.
      if (!(await matches(passphrase, passphraseHash)) || !operator.active) {
        await this.#recordRefusal(operator, 'session.refused', act);
        return { kind: 'refused' };
      }
      await attempts.clear(name, counts);
      return { kind: 'right', operator, compared: passphraseHash };
    });
  }

  async #recordRefusal(
    operator: Operator | undefined,
    action: 'session.refused' | 'session.locked',
    act: AuditContext,
  ): Promise<void> {
    const withinHour = this.#refusals.count(`${action} ${operator?.id ?? 'anonymous'}`, act.at);
    if (withinHour !== undefined) await this.ports.attempts.recordRefusal(operator, action, withinHour, act);
  }

  async #requirePassphrase(company: CompanyId, name: string, passphrase: string): Promise<void> {
    requirePassphrase(passphrase, [name, (await this.ports.companies.find(company))?.name ?? '']);
  }

  #act(operator: Operator): AuditContext {
    return { by: `operator:${operator.id}`, at: this.ports.clock.now() };
  }
}
