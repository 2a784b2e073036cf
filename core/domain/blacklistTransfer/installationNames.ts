import { hexOf } from '../values/bytes.ts';
import type { CryptoPort } from '../ports/crypto.ts';

/** The name of an installation in the store and in packages: SHA-256 of its signing key, hex. */
export function installationHash(crypto: CryptoPort, signingKey: Uint8Array): string {
  return hexOf(crypto.sha256(signingKey));
}

/**
 * 128 bits over both keys, which two people read to each other: too many for an attacker to make a second installation
 * with the same fingerprint.
 */
export function installationFingerprint(
  crypto: CryptoPort,
  keys: { signingKey: Uint8Array; receivingKey: Uint8Array },
): string {
  const digest = hexOf(crypto.sha256('vouch installation', keys.signingKey, keys.receivingKey));
  return digest.slice(0, 32).match(/.{4}/g)!.join('-');
}
