/** The cryptographic primitives of the rules, by OpenSSL through Node. */
import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { CryptoPort } from '../domain/ports/crypto.ts';

export const CRYPTO: CryptoPort = {
  sha256(...parts) {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  },
  sha256Stream() {
    const hash = createHash('sha256');
    return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest() };
  },
  hmacSha256: (key, message) => createHmac('sha256', key).update(message).digest(),
  randomBytes: (count) => randomBytes(count),
  randomUuid: () => randomUUID(),
  equal: (one, other) => one.length === other.length && timingSafeEqual(one, other),
};
