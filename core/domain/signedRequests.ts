import { timingSafeEqual } from 'node:crypto';
import { LONGEST_SIGNATURE_WINDOW } from '../contracts/settings.ts';
import type { Caller } from './authentication.ts';
import { HMAC_PROFILE, type SignedFacts } from './hmacProfiles.ts';
import { isUsable, recordUse } from './credentialUse.ts';
import type { Site } from './ports/companies.ts';
import type { HmacKey, HmacKeys, ReplayMemory } from './ports/credentials.ts';
import type { Clock, Logger } from './ports/machine.ts';

/** The three headers of a signed request and what they speak of; the body is still to come. */
export interface SignatureClaim extends Omit<SignedFacts, 'bodyHash'> {
  userId: string;
  signature: string;
}

/** A request that says it is signed with a key we know. Nothing may come of it before `confirm` says yes. */
export interface ClaimedRequest {
  caller: Caller;
  /**
   * Whether the signature is right for this body, and is accepted for the first time. True only once.
   * @throws {UnavailableError} it cannot be remembered now
   */
  confirm(bodyHash: string): Promise<boolean>;
}

interface SignedRequestPorts {
  hmacKeys: HmacKeys;
  replays: ReplayMemory;
  site: Site;
  clock: Clock;
  log: Logger;
}

/** Unix seconds without sign, fraction or padding by letters; twelve digits last for 30,000 years. */
const TIMESTAMP = /^\d{1,12}$/;

/** Recognises signed requests (contract §5) in two steps, so that the body can be hashed while it is received. */
export class SignedRequests {
  readonly #ports: SignedRequestPorts;

  constructor(ports: SignedRequestPorts) {
    this.#ports = ports;
  }

  /** Looks at all but the body. One answer, undefined, for every cause why the request cannot be whose it says. */
  async claim(claim: SignatureClaim): Promise<ClaimedRequest | undefined> {
    const { hmacKeys, clock } = this.#ports;
    const found = await hmacKeys.findByUserId(claim.userId);
    const now = clock.now();
    if (found === undefined || !isUsable(found.key, now)) return undefined;
    const { key, secret } = found;
    const signature = HMAC_PROFILE[key.profile].parse(claim.signature);
    if (signature === undefined || !(await this.#inWindow(claim.timestamp, now))) return undefined;
    return {
      caller: { companyId: key.companyId, scopes: key.scopes, credential: `hmac:${key.id}` },
      confirm: async (bodyHash) => {
        const expected = HMAC_PROFILE[key.profile].sign(secret, { ...claim, bodyHash });
        if (!timingSafeEqual(signature, expected)) return false;
        return this.#acceptOnce(key, signature, claim.timestamp);
      },
    };
  }

  /** Both edges of the window are in it. */
  async #inWindow(timestamp: string, now: Date): Promise<boolean> {
    if (!TIMESTAMP.test(timestamp)) return false;
    const { signatureWindowSeconds } = await this.#ports.site.settings();
    return Math.abs(now.getTime() - 1000 * Number(timestamp)) <= 1000 * signatureWindowSeconds;
  }

  async #acceptOnce(key: HmacKey, signature: Uint8Array, timestamp: string): Promise<boolean> {
    const { replays, hmacKeys, clock, log } = this.#ports;
    const until = new Date(1000 * (Number(timestamp) + LONGEST_SIGNATURE_WINDOW));
    if (!(await replays.remember(key, signature, until))) return false;
    await recordUse({ store: hmacKeys, log }, key, clock.now());
    return true;
  }
}
