/** X25519 and Ed25519 keys as 32 raw bytes (RFC 7748, RFC 8032). */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  verify,
  type KeyObject,
} from 'node:crypto';

/** DER around 32 raw bytes (RFC 8410): PKCS #8 for the private, SPKI for the public key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');
const SIGNING_PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
export const KEY_BYTES = 32;

/** @param raw 32 bytes */
export function x25519PrivateKey(raw: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, raw]), format: 'der', type: 'pkcs8' });
}

/** @param raw 32 bytes */
export function x25519PublicKey(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' });
}

/** @param raw 32 bytes */
export function ed25519PublicKey(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SIGNING_PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' });
}

/**
 * Whether a key signed a message. Another writing of the same key verifies nothing: OpenSSL ignores some bits of the DER,
 * and a changed key must be found.
 *
 * @param spki the public key: DER, 44 bytes (RFC 8410); anything else verifies nothing
 * @param signature 64 bytes (RFC 8032)
 */
export function ed25519Verifies(spki: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const raw = spki.subarray(SIGNING_PUBLIC_PREFIX.length);
  if (raw.length !== KEY_BYTES || !SIGNING_PUBLIC_PREFIX.equals(spki.subarray(0, -KEY_BYTES))) return false;
  return verify(null, message, ed25519PublicKey(raw), signature);
}

/** A new pair: the public half as 32 raw bytes, the private half as PKCS #8, DER. */
export function newKeyPair(type: 'ed25519' | 'x25519'): { publicKey: Uint8Array; privateKey: Uint8Array } {
  // The two calls are the same; the library's types know one algorithm each.
  const pair = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  return {
    publicKey: rawPublicKey(pair.publicKey),
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

/** @param der PKCS #8 */
export function privateKeyOf(der: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
}

/** The 32 bytes of an X25519 or Ed25519 public key. */
export function rawPublicKey(key: KeyObject): Uint8Array {
  return key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
}

/** The fingerprint that two people compare to confirm that they have the same key: 64 bits of its SHA-256. */
export function fingerprintOf(publicKey: Uint8Array): string {
  const digits = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
  return digits.match(/.{4}/g)!.join('-');
}
