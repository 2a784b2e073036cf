import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'vouch_';

/** A new API token: 256 random bits, shown once; only its hash is kept. @returns `hex`: the hash as the owner's commands take it */
export function createToken(): { token: string; hash: Uint8Array; hex: string } {
  const token = PREFIX + randomBytes(32).toString('base64url');
  const hash = hashToken(token);
  return { token, hash, hex: Buffer.from(hash).toString('hex') };
}

/** What is stored of a token. Plain SHA-256 suffices: there are 256 bits to guess. */
export function hashToken(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}

/** A new key for signing requests: 256 random bits as text (the text's bytes are the key), and the id it goes by. */
export function createHmacSecret(): { userId: string; secret: string } {
  return {
    userId: `user_${randomBytes(9).toString('base64url')}`,
    secret: `${PREFIX}key_${randomBytes(32).toString('base64url')}`,
  };
}
