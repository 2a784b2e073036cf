import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isAddress, type LanRequest, type LanState } from '../../contracts/lan.ts';
import type { Act } from '../actor.ts';
import type { Clock, Logger } from '../ports/machine.ts';
import {
  ListenRefused,
  type IssueCertificate,
  type LanListener,
  type LanListeners,
  type LanSocket,
} from './ports.ts';

export interface LanPorts {
  lanListeners: LanListeners;
  /** Absent: the service does not listen at all, and what is said counts at its next start. */
  lanSocket?: LanSocket | undefined;
  issueCertificate: IssueCertificate;
  clock: Clock;
  log: Logger;
}

/** It cannot be turned on as asked; the text says why and what to do. */
export class LanRefused extends Error {
  override name = 'LanRefused';
}

/** Days that a certificate made here is good for: browsers refuse server certificates of more than 825. */
const LIFETIME = 820;
const DAY = 86_400_000;
/** Clocks of other machines may be this far behind; milliseconds. */
const CLOCK_SLACK = DAY;

/**
 * Lets other machines in, and out again (contract §9): an admin or the owner of the machine turns it on, TLS is not a
 * choice, and what is on now is on after a restart.
 */
export class LanDesk {
  readonly #ports: LanPorts;
  #problem: string | null = null;
  /** The change that was asked for last: one ends before the next begins. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ports: LanPorts) {
    this.#ports = ports;
  }

  /** At the start of the service. A machine that lost its network still serves itself: the problem is shown, not thrown. */
  async start(): Promise<void> {
    const { lanListeners, lanSocket, log } = this.#ports;
    const listener = await lanListeners.find();
    if (listener === undefined || lanSocket === undefined) return;
    try {
      await lanSocket.open(listener);
    } catch (error) {
      if (!(error instanceof ListenRefused)) throw error;
      this.#problem = error.message;
      log.error({ err: error }, 'other machines are not let in, although they should be');
    }
  }

  async state(): Promise<LanState> {
    const listener = await this.#ports.lanListeners.find();
    return { listener: listener === undefined ? null : describe(listener), problem: this.#problem };
  }

  /**
   * Turns it on, or changes it. Nothing is kept unless it listens.
   * @param given a certificate of the site's own authority and its key; absent: one that signs itself. The one made
   * before stays while it covers the names, so that who trusts it need not trust another.
   * @throws {LanRefused}
   */
  open(
    request: LanRequest,
    given: { certificate: string; privateKey: string } | undefined,
    act: Act,
  ): Promise<LanState> {
    return this.#inTurn(() => this.#open(request, given, act));
  }

  async #open(...[request, given, act]: Parameters<LanDesk['open']>): Promise<LanState> {
    const { lanListeners, lanSocket } = this.#ports;
    const identity = given ?? (await this.#own(request.names));
    checkCertificate(identity, request.names, this.#ports.clock.now());
    const { names, address, port } = request;
    const listener = { names: [...new Set(names)], address, port, ...identity };
    const before = await lanListeners.find();
    try {
      await lanSocket?.open(listener);
    } catch (error) {
      throw error instanceof ListenRefused ? new LanRefused(error.message) : error;
    }
    try {
      await lanListeners.keep(listener, act);
    } catch (error) {
      // What is not on the record does not stay open.
      await (before === undefined ? lanSocket?.close() : lanSocket?.open(before));
      throw error;
    }
    this.#problem = null;
    return this.state();
  }

  /** Turns it off and ends what other machines are doing. */
  close(act: Act): Promise<LanState> {
    return this.#inTurn(async () => {
      await this.#ports.lanListeners.drop(act);
      await this.#ports.lanSocket?.close();
      this.#problem = null;
      return this.state();
    });
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(change, change);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #own(names: readonly string[]): Promise<{ certificate: string; privateKey: string }> {
    const now = this.#ports.clock.now();
    const before = await this.#ports.lanListeners.find();
    if (before !== undefined) {
      const certificate = new X509Certificate(before.certificate);
      const soon = now.getTime() + DAY * 30;
      if (
        isSelfSigned(certificate) &&
        names.every((name) => covers(certificate, name)) &&
        certificate.validToDate.getTime() > soon
      )
        return { certificate: before.certificate, privateKey: before.privateKey };
    }
    return this.#ports.issueCertificate({
      names,
      from: new Date(now.getTime() - CLOCK_SLACK),
      to: new Date(now.getTime() + LIFETIME * DAY),
    });
  }
}

/** @throws {LanRefused} naming what is wrong with the certificate, and what would be right */
function checkCertificate(
  { certificate, privateKey }: { certificate: string; privateKey: string },
  names: readonly string[],
  now: Date,
): void {
  const own = attempt(() => new X509Certificate(certificate));
  if (own === undefined)
    throw new LanRefused(
      'The certificate cannot be read: give a PEM file that begins with -----BEGIN CERTIFICATE-----, the certificate of this machine first.',
    );
  const key = attempt(() => createPrivateKey(privateKey));
  if (key === undefined)
    throw new LanRefused(
      'The private key cannot be read: give a PEM file without a passphrase (openssl pkey -in KEY -out PLAIN takes it away).',
    );
  if (!own.checkPrivateKey(key))
    throw new LanRefused(
      'The private key is not that of the certificate. Give the pair that belongs together.',
    );
  const missing = names.filter((name) => !covers(own, name));
  if (missing.length > 0)
    throw new LanRefused(
      `The certificate is not for ${missing.join(', ')}; it is for ${own.subjectAltName ?? 'no name at all'}. Name what it is for, or get one for these names.`,
    );
  if (own.validToDate <= now || own.validFromDate > now)
    throw new LanRefused(
      `The certificate is valid from ${own.validFromDate.toISOString()} to ${own.validToDate.toISOString()}, not now. Check the clock of this machine, or get another certificate.`,
    );
}

function covers(certificate: X509Certificate, name: string): boolean {
  return (isAddress(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
}

function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.issuer === certificate.subject && certificate.verify(certificate.publicKey);
}

function describe({ names, address, port, certificate }: LanListener): LanState['listener'] {
  const own = new X509Certificate(certificate);
  return {
    names: [...names],
    address,
    port,
    addresses: names.map((name) => `https://${name}${port === 443 ? '' : `:${port}`}`),
    certificate,
    fingerprint: own.fingerprint256,
    selfSigned: isSelfSigned(own),
    validUntil: own.validToDate.toISOString(),
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
