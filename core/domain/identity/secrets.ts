import type { OperatorId } from '../../contracts/ids.ts';
import { base64UrlOf, latin1Bytes } from '../common/encoding.ts';
import { barePrintedCode, createPrintedCode } from '../common/printedCode.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import type { OperatorSecrets } from '../ports/identity.ts';

/** What the session cookie holds: 256 random bits. Only the hash is stored. */
export function createSessionToken(crypto: CryptoPort): { token: string; hash: Uint8Array } {
  const token = base64UrlOf(crypto.randomBytes(32));
  return { token, hash: crypto.sha256(token) };
}

export function hashSessionToken(crypto: CryptoPort, token: string): Uint8Array {
  return crypto.sha256(token);
}

/** A recovery key to be printed: 160 random bits. Only the hash is stored. */
export function createRecoveryCode(crypto: CryptoPort): { key: string; hash: Uint8Array } {
  const key = createPrintedCode(crypto);
  return { key, hash: hashRecoveryCode(crypto, key) };
}

export function hashRecoveryCode(crypto: CryptoPort, typed: string): Uint8Array {
  return crypto.sha256(barePrintedCode(typed));
}

/**
 * A token for the browser in which an operator signed in. It opens nothing: it shows that the passphrase was once right
 * in this browser. It is a random value with its MAC under the operator's stored hash, so nothing is stored for it, and
 * a new passphrase ends it.
 */
export function createBrowserToken(
  crypto: CryptoPort,
  { operator, passphraseHash }: OperatorSecrets,
): string {
  const value = base64UrlOf(crypto.randomBytes(16));
  return `${value}.${browserMac(crypto, value, operator.id, passphraseHash)}`;
}

/** Whether the token was made for this operator and the present passphrase. */
export function isBrowserOf(
  crypto: CryptoPort,
  token: string,
  { operator, passphraseHash }: OperatorSecrets,
): boolean {
  const [value = '', mac = ''] = token.split('.');
  const expected = browserMac(crypto, value, operator.id, passphraseHash);
  return crypto.equal(latin1Bytes(mac), latin1Bytes(expected));
}

function browserMac(crypto: CryptoPort, value: string, operator: OperatorId, passphraseHash: string): string {
  return base64UrlOf(crypto.hmacSha256(passphraseHash, `browser ${operator} ${value}`));
}

/** The key under which failed attempts of a typed name are counted. */
export function hashTypedName(crypto: CryptoPort, nameKey: string): Uint8Array {
  return crypto.sha256(nameKey);
}
