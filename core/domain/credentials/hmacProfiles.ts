import { createHmac } from 'node:crypto';
import type { HmacProfileName } from '../../contracts/codes.ts';

/** The parts of a request that a signature covers. Every text is as it was sent. */
export interface SignedFacts {
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
  /** @returns the 32 bytes that the signature must have */
  sign(secret: string, facts: SignedFacts): Uint8Array;
}

export const HMAC_PROFILE: Record<HmacProfileName, HmacProfile> = {
  /** HMAC-SHA256 over four lines: time, method, target, hash of the received body. */
  v1: {
    announcesBody: false,
    sign: (secret, { timestamp, method, target, bodyHash }) =>
      hmac(secret, [timestamp, method, target, bodyHash]),
  },
  /** HMAC-SHA256 over six lines: time, method, target, announced hash of the body, Content-Type, Idempotency-Key. */
  v2: {
    announcesBody: true,
    sign: (secret, { timestamp, method, target, bodyHash, contentType, idempotencyKey }) =>
      hmac(secret, [timestamp, method, target, bodyHash, contentType, idempotencyKey]),
  },
};

/** HTTP carries bytes, which Node hands over as Latin-1 text: the same bytes are signed. */
function hmac(secret: string, lines: readonly string[]): Uint8Array {
  return createHmac('sha256', secret).update(lines.join('\n'), 'latin1').digest();
}
