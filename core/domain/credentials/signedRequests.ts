import { LONGEST_REQUEST, LONGEST_SIGNATURE_WINDOW } from '../../contracts/limits/limits.ts';
import { type Caller, isUsable, recordUse } from './bearer.ts';
import type { HmacKey } from '../../storage/credentials/credentialRows.ts';
import { bytesOfHex, hexOf, latin1Bytes } from '../values/bytes.ts';
import type { HmacProfileName } from '../../contracts/codes.ts';
import type { Parts } from '../serviceParts.ts';

/** The parts of a request that a signature covers. Every text is as it was sent. */
interface SignedFacts {
  /** X-TIMESTAMP. */
  timestamp: string;
  method: string;
  /** Path with query. */
  target: string;
  /** Lowercase hex of SHA-256 over the raw body; of no bytes when there is no body. */
  bodyHash: string;
  /** Content-Type; empty where the request has none. Signed by `v2` only. */
  contentType: string;
  /** Idempotency-Key; empty where the request has none. Signed by `v2` only. */
  idempotencyKey: string;
}

/** A way of signing requests. */
interface HmacProfile {
  /**
   * Whether the request announces the hash of its body in X-CONTENT-SHA256. The signature is then checked before the
   * body is read. A request with this header is never checked by a profile without it, and the reverse.
   */
  announcesBody: boolean;
  /**
   * The message whose HMAC-SHA256 is the signature. HTTP carries bytes, which Node returns as ISO 8859-1 text: the same
   * bytes are signed.
   */
  message(facts: SignedFacts): Uint8Array;
}

export const HMAC_PROFILE: Record<HmacProfileName, HmacProfile> = {
  /** HMAC-SHA256 over four lines: time, method, target, hash of the received body. */
  v1: {
    announcesBody: false,
    message: ({ timestamp, method, target, bodyHash }) => lines(timestamp, method, target, bodyHash),
  },
  /** HMAC-SHA256 over six lines: time, method, target, announced hash of the body, Content-Type, Idempotency-Key. */
  v2: {
    announcesBody: true,
    message: ({ timestamp, method, target, bodyHash, contentType, idempotencyKey }) =>
      lines(timestamp, method, target, bodyHash, contentType, idempotencyKey),
  },
};

function lines(...parts: readonly string[]): Uint8Array {
  return latin1Bytes(parts.join('\n'));
}

/** The headers of a signed request; the body is still to come. */
export interface SignatureClaim extends Omit<SignedFacts, 'bodyHash'> {
  userId: string;
  signature: string;
  /** X-CONTENT-SHA256; undefined where the request has none. */
  announcedHash: string | undefined;
}

/** A request whose signature covers its head alone; only the body is left to compare with the announced hash. */
interface ProvenRequest {
  kind: 'proven';
  caller: Caller;
  announcedHash: string;
  /** Whether the key still is usable, for the end of the body. */
  stands(): Promise<boolean>;
}

/** A request whose signature can be checked only when the whole body was received. */
interface ClaimedRequest {
  kind: 'claimed';
  /** The holder of the key that the request names; undefined: no usable key has this user id. */
  caller: Caller | undefined;
  /**
   * Whether the signature is right for this body, its key still usable, and the signature accepted for the first time.
   * True only once.
   * @throws {UnavailableError} it cannot be remembered now
   */
  confirm(bodyHash: string): Promise<boolean>;
}

export type SignedRequest = ProvenRequest | ClaimedRequest;

type SignedRequestPorts = Pick<Parts, 'hmacKeys' | 'replays' | 'installation' | 'clock' | 'crypto' | 'log'>;

/** Unix seconds without sign, fraction or padding by letters; twelve digits last for 30,000 years. */
const TIMESTAMP = /^\d{1,12}$/;
/** Lowercase hex of 32 bytes: a signature, a SHA-256. */
const HEX_32 = /^[\da-f]{64}$/;
/** A request that changes nothing may be repeated within the window: a captured copy shows no more than the original. */
const REPEATABLE = new Set(['GET', 'HEAD']);

/**
 * Checks signed requests. Which check applies follows from the request alone (with X-CONTENT-SHA256: at once, without:
 * after the body), never from whether its user id is known, so that answers and their times do not reveal user ids.
 */
export class SignedRequests {
  readonly #ports: SignedRequestPorts;
  /** Signs for user ids that are unknown: the work is the same, and no caller can know the result. */
  readonly #decoy: string;

  constructor(ports: SignedRequestPorts) {
    this.#ports = ports;
    this.#decoy = hexOf(ports.crypto.randomBytes(32));
  }

  /**
   * Checks all that can be checked before the body.
   * @returns undefined for every cause why the request cannot be genuine
   * @throws {UnavailableError} the signature cannot be remembered now
   */
  async check(claim: SignatureClaim): Promise<SignedRequest | undefined> {
    const now = this.#ports.clock.now();
    if (!HEX_32.test(claim.signature) || !(await this.#inWindow(claim.timestamp, now))) return undefined;
    const { announcedHash } = claim;
    if (announcedHash !== undefined && !HEX_32.test(announcedHash)) return undefined;
    const find = (at: Date) => this.#find(claim.userId, announcedHash !== undefined, at);
    const found = await find(now);
    if (announcedHash === undefined)
      return {
        kind: 'claimed',
        caller: found && callerOf(found.key),
        // The key may have been revoked while the body arrived.
        confirm: async (bodyHash) => this.#accept(claim, bodyHash, await find(this.#ports.clock.now())),
      };
    const accepted = await this.#accept(claim, announcedHash, found);
    if (!accepted || found === undefined) return undefined;
    const stands = async () => (await find(this.#ports.clock.now())) !== undefined;
    return { kind: 'proven', caller: callerOf(found.key), announcedHash, stands };
  }

  async #find(
    userId: string,
    announcesBody: boolean,
    now: Date,
  ): Promise<{ key: HmacKey; secret: string } | undefined> {
    const found = await this.#ports.hmacKeys.findByUserId(userId);
    if (found === undefined || !isUsable(found.key, now)) return undefined;
    return HMAC_PROFILE[found.key.profile].announcesBody === announcesBody ? found : undefined;
  }

  /** Both edges of the window are in it. */
  async #inWindow(timestamp: string, now: Date): Promise<boolean> {
    if (!TIMESTAMP.test(timestamp)) return false;
    const { signatureWindowSeconds } = await this.#ports.installation.settings();
    return Math.abs(now.getTime() - 1000 * Number(timestamp)) <= 1000 * signatureWindowSeconds;
  }

  async #accept(
    claim: SignatureClaim,
    bodyHash: string,
    found: { key: HmacKey; secret: string } | undefined,
  ): Promise<boolean> {
    const { crypto } = this.#ports;
    const profile = HMAC_PROFILE[found?.key.profile ?? 'v1'];
    const message = profile.message({ ...claim, bodyHash });
    const expected = crypto.hmacSha256(found?.secret ?? this.#decoy, message);
    const signature = bytesOfHex(claim.signature);
    if (!crypto.equal(signature, expected) || found === undefined) return false;
    return this.#acceptOnce(found.key, claim, signature);
  }

  async #acceptOnce(key: HmacKey, claim: SignatureClaim, signature: Uint8Array): Promise<boolean> {
    const { replays, hmacKeys, clock, log } = this.#ports;
    const remembered = LONGEST_SIGNATURE_WINDOW + LONGEST_REQUEST;
    const until = new Date(1000 * (Number(claim.timestamp) + remembered));
    if (!REPEATABLE.has(claim.method) && !(await replays.remember(key, signature, until))) return false;
    await recordUse({ store: hmacKeys, log }, key, clock.now());
    return true;
  }
}

function callerOf(key: HmacKey): Caller {
  return { companyId: key.companyId, scopes: key.scopes, credential: `hmac:${key.id}` };
}
