/** X25519 and Ed25519 keys as 32 raw bytes, and the keys that two X25519 ones agree on (RFC 7748, RFC 8032, RFC 5869). */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
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

function x25519PublicKey(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' });
}

/** @param raw 32 bytes */
export function ed25519PublicKey(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SIGNING_PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' });
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

/** What two people read to each other to know that they mean the same key: 64 bits of its SHA-256. */
export function fingerprintOf(publicKey: Uint8Array): string {
  const digits = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
  return digits.match(/.{4}/g)!.join('-');
}

/**
 * A content key for one message to the holder of `recipient`, from an ephemeral pair that is forgotten at once.
 * @param purpose separates uses of the same key, e.g. `vouch backup 1`
 */
export function keyForRecipient(
  recipient: Uint8Array,
  purpose: string,
): { contentKey: Uint8Array; ephemeral: Uint8Array } {
  const pair = generateKeyPairSync('x25519');
  const ephemeral = rawPublicKey(pair.publicKey);
  const shared = diffieHellman({ privateKey: pair.privateKey, publicKey: x25519PublicKey(recipient) });
  return { contentKey: derive(shared, ephemeral, recipient, purpose), ephemeral };
}

/** The same key, for the recipient. */
export function keyAsRecipient(privateKey: KeyObject, ephemeral: Uint8Array, purpose: string): Uint8Array {
  const shared = diffieHellman({ privateKey, publicKey: x25519PublicKey(ephemeral) });
  return derive(shared, ephemeral, rawPublicKey(createPublicKey(privateKey)), purpose);
}

function derive(shared: Uint8Array, ephemeral: Uint8Array, recipient: Uint8Array, purpose: string) {
  return new Uint8Array(
    hkdfSync('sha256', shared, Buffer.concat([ephemeral, recipient]), purpose, KEY_BYTES),
  );
}
