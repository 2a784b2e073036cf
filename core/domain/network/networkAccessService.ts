import { problem, CodedError, type Problem } from '../../contracts/errors/problem.ts';
import { endsSoon, type NetworkAccessRequest, type NetworkAccessState } from '../../contracts/network.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type {
  IssueCertificate,
  NetworkListener,
  NetworkSocket,
  ReadCertificate,
  CertificateFacts,
} from '../ports/network.ts';
import type { NetworkListeners } from '../../storage/settings/companies.ts';
import { Service, type Parts } from '../serviceParts.ts';

const DAY_MS = 86_400_000;

/** @throws {CodedError} naming what is wrong with the certificate, and what would be right */
function checkCertificate(
  read: ReadCertificate,
  { certificate, privateKey }: { certificate: string; privateKey: string },
  names: readonly string[],
  now: Date,
): void {
  const facts = read(certificate);
  if (facts === undefined) throw new CodedError(problem('NETWORK_CERTIFICATE_UNREADABLE'));
  const hasKey = facts.hasKey(privateKey);
  if (hasKey === undefined) throw new CodedError(problem('NETWORK_KEY_UNREADABLE'));
  if (!hasKey) throw new CodedError(problem('NETWORK_KEY_FOREIGN'));
  const missing = names.filter((name) => !facts.covers(name));
  if (missing.length > 0)
    throw new CodedError(
      problem('NETWORK_CERTIFICATE_NAMES', {
        missing: missing.join(', '),
        names: facts.names ?? 'no name at all',
      }),
    );
  if (facts.validTo <= now || facts.validFrom > now)
    throw new CodedError(
      problem('NETWORK_CERTIFICATE_EXPIRED', {
        from: facts.validFrom.toISOString(),
        to: facts.validTo.toISOString(),
      }),
    );
}

/** The facts of a certificate that was checked before it was stored. @throws {Error} it cannot be read */
function storedCertificate(
  read: ReadCertificate,
  { certificate }: Pick<NetworkListener, 'certificate'>,
): CertificateFacts {
  const facts = read(certificate);
  if (facts === undefined) throw new Error('The stored certificate of the network listener cannot be read.');
  return facts;
}

/** The listener as it is shown: everything but the key. */
export function listenerView(
  read: ReadCertificate,
  listener: NetworkListener,
  now: Date,
): NonNullable<NetworkAccessState['listener']> {
  const { names, address, port, certificate } = listener;
  const { fingerprint, selfSigned, validTo } = storedCertificate(read, listener);
  return {
    names: [...names],
    address,
    port,
    addresses: names.map((name) => `https://${name}${port === 443 ? '' : `:${port}`}`),
    certificate,
    fingerprint,
    selfSigned,
    validUntil: validTo.toISOString(),
    daysLeft: Math.floor((validTo.getTime() - now.getTime()) / DAY_MS),
  };
}

export interface NetworkAccessPorts extends Pick<Parts, 'clock' | 'log'> {
  networkListeners: Pick<NetworkListeners, 'find' | 'keep' | 'drop'>;
  /** Absent: the service does not listen at all, and what is said counts at its next start. */
  networkSocket?: NetworkSocket | undefined;
  issueCertificate: IssueCertificate;
  readCertificate: ReadCertificate;
}

/** Days that a certificate made here is good for: browsers refuse server certificates of more than 825. */
const LIFETIME = 820;
const DAY = 86_400_000;
/** Clocks of other machines may be this far behind; milliseconds. */
const CLOCK_SLACK = DAY;

/**
 * Lets other machines in, and out again: an admin or the local administrator turns it on, TLS is not a
 * choice, and what is on now is on after a restart.
 */
export class NetworkAccessService extends Service<NetworkAccessPorts> {
  #problem: Problem | null = null;
  /** The change that was asked for last: one ends before the next begins. */
  #turn: Promise<unknown> = Promise.resolve();

  /** At the start of the service. A machine that lost its network still serves itself: the problem is shown, not thrown. */
  async start(): Promise<void> {
    const { networkListeners, networkSocket, log } = this.ports;
    const listener = await networkListeners.find();
    if (listener === undefined || networkSocket === undefined) return;
    const { daysLeft, validUntil, selfSigned } = this.#view(listener);
    if (endsSoon({ daysLeft }))
      log.warn({ validUntil, daysLeft, selfSigned }, 'the certificate for other machines ends soon');
    try {
      await networkSocket.open(listener);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.#problem = error.problem;
      log.error({ err: error }, 'other machines are not let in, although they should be');
    }
  }

  async state(): Promise<NetworkAccessState> {
    const listener = await this.ports.networkListeners.find();
    return {
      listener: listener === undefined ? null : this.#view(listener),
      problem: this.#problem,
    };
  }

  /** Why no other machine can connect although it is on; null: all is well, or it is off. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /**
   * Turns it on, or changes it. Nothing is kept unless it listens.
   * @param given a certificate of the organisation's own authority and its key; absent: one that signs itself. The one made
   * before stays while it is valid and covers the names, so that who trusts it need not trust another.
   * @throws {CodedError}
   */
  open(
    request: NetworkAccessRequest,
    given: { certificate: string; privateKey: string } | undefined,
    act: AuditContext,
  ): Promise<NetworkAccessState> {
    return this.#inTurn(() => this.#open(request, given, act));
  }

  async #open(
    ...[request, given, act]: Parameters<NetworkAccessService['open']>
  ): Promise<NetworkAccessState> {
    const identity = given ?? (await this.#own(request.names));
    checkCertificate(this.ports.readCertificate, identity, request.names, this.ports.clock.now());
    const { names, address, port } = request;
    return this.#change({ names: [...new Set(names)], address, port, ...identity }, act);
  }

  /**
   * Another certificate that signs itself, for the same names at the same place. Clients that trust the one before must be
   * given it, so it is replaced on request only.
   * @throws {CodedError} it is off, or its certificate is of the organisation's own authority
   */
  renew(act: AuditContext): Promise<NetworkAccessState> {
    return this.#inTurn(async () => {
      const before = await this.ports.networkListeners.find();
      if (before === undefined) throw new CodedError(problem('NETWORK_OFF'));
      if (!storedCertificate(this.ports.readCertificate, before).selfSigned)
        throw new CodedError(problem('NETWORK_CERTIFICATE_OF_SITE', { names: before.names.join(' ') }));
      return this.#change({ ...before, ...(await this.#issue(before.names)) }, act);
    });
  }

  /** Listens with the new settings and stores them, or leaves both as they were. */
  async #change(listener: NetworkListener, act: AuditContext): Promise<NetworkAccessState> {
    const { networkListeners, networkSocket } = this.ports;
    const store = () => networkListeners.keep(listener, act);
    const wasOn = (await networkListeners.find()) !== undefined;
    try {
      await (networkSocket === undefined ? store() : networkSocket.open(listener, store));
    } catch (error) {
      if (wasOn && networkSocket?.isOpen === false)
        this.#problem = error instanceof CodedError ? error.problem : problem('UNEXPECTED');
      throw error;
    }
    this.#problem = null;
    return this.state();
  }

  /** Turns it off and ends what other machines are doing. */
  close(act: AuditContext): Promise<NetworkAccessState> {
    return this.#inTurn(async () => {
      await this.ports.networkListeners.drop(act);
      await this.ports.networkSocket?.close();
      this.#problem = null;
      return this.state();
    });
  }

  #view(listener: NetworkListener): NonNullable<NetworkAccessState['listener']> {
    return listenerView(this.ports.readCertificate, listener, this.ports.clock.now());
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(change, change);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #own(names: readonly string[]): Promise<{ certificate: string; privateKey: string }> {
    const now = this.ports.clock.now();
    const before = await this.ports.networkListeners.find();
    if (before !== undefined) {
      const facts = storedCertificate(this.ports.readCertificate, before);
      if (facts.selfSigned && names.every((name) => facts.covers(name)) && facts.validTo > now)
        return { certificate: before.certificate, privateKey: before.privateKey };
    }
    return this.#issue(names);
  }

  #issue(names: readonly string[]): Promise<{ certificate: string; privateKey: string }> {
    const now = this.ports.clock.now();
    return this.ports.issueCertificate({
      names,
      from: new Date(now.getTime() - CLOCK_SLACK),
      to: new Date(now.getTime() + LIFETIME * DAY),
    });
  }
}
