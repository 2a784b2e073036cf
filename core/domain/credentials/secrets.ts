import { base64UrlOf, hexOf } from '../values/bytes.ts';
import type { CryptoPort } from '../ports/crypto.ts';

const PREFIX = 'vouch_';

/** A new API token: 256 random bits, shown once; only its hash is kept. @returns `hex`: the hash as the local socket takes it */
export function createToken(crypto: CryptoPort): { token: string; hash: Uint8Array; hex: string } {
  const token = PREFIX + base64UrlOf(crypto.randomBytes(32));
  const hash = hashToken(crypto, token);
  return { token, hash, hex: hexOf(hash) };
}

/** The stored digest of a token. Plain SHA-256 suffices because a token has 256 random bits. */
export function hashToken(crypto: CryptoPort, token: string): Uint8Array {
  return crypto.sha256(token);
}

/** A new key for signing requests: 256 random bits as text (the text's bytes are the key), and the id it goes by. */
export function createHmacSecret(crypto: CryptoPort): { userId: string; secret: string } {
  return {
    userId: `user_${base64UrlOf(crypto.randomBytes(9))}`,
    secret: `${PREFIX}key_${base64UrlOf(crypto.randomBytes(32))}`,
  };
}
