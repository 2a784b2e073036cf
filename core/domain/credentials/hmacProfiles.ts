import type { HmacProfileName } from '../../contracts/codes.ts';
import { latin1Bytes } from '../values/bytes.ts';

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
