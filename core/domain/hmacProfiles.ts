import { createHmac } from 'node:crypto';
import type { HmacProfileName } from '../contracts/codes.ts';

/** What a signature covers. */
export interface SignedFacts {
  /** X-TIMESTAMP, as it was sent. */
  timestamp: string;
  method: string;
  /** Path with query, as it was sent. */
  target: string;
  /** Lowercase hex of SHA-256 over the raw body; of no bytes when there is no body. */
  bodyHash: string;
}

/** A way of signing requests. */
interface HmacProfile {
  /** The signature's bytes as the header spells them; undefined when it is spelled otherwise. */
  parse(header: string): Uint8Array | undefined;
  sign(secret: string, facts: SignedFacts): Uint8Array;
}

export const HMAC_PROFILE: Record<HmacProfileName, HmacProfile> = {
  /** Contract §5: HMAC-SHA256 over four lines, lowercase hex. */
  v1: {
    parse: (header) => (/^[\da-f]{64}$/.test(header) ? Buffer.from(header, 'hex') : undefined),
    sign: (secret, { timestamp, method, target, bodyHash }) =>
      createHmac('sha256', secret).update([timestamp, method, target, bodyHash].join('\n')).digest(),
  },
};
