import type { OperatorId } from '../../contracts/ids.ts';
import { base64UrlOf, latin1Bytes } from '../values/bytes.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import type { OperatorSecrets } from '../../storage/identity/operators.ts';

/** Crockford's base 32: no letter that is taken for a digit, so that a printed code can be typed again. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 8;
const GROUP_LENGTH = 4;
/** Letters and digits of a printed code. */
const CODE_LENGTH = GROUPS * GROUP_LENGTH;

/** The value of the session cookie: 256 random bits. Only its hash is stored. */
export function createSessionToken(crypto: CryptoPort): { token: string; hash: Uint8Array } {
  const token = base64UrlOf(crypto.randomBytes(32));
  return { token, hash: crypto.sha256(token) };
}

/** A recovery code to be printed: 160 random bits. Only the hash is stored. */
export function createRecoveryCode(crypto: CryptoPort): { key: string; hash: Uint8Array } {
  const key = printedCode(crypto);
  return { key, hash: hashRecoveryCode(crypto, key) };
}

export function hashRecoveryCode(crypto: CryptoPort, typed: string): Uint8Array {
  return crypto.sha256(lettersOf(typed));
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

/** A code to be printed and typed again: 160 random bits as `XXXX-XXXX-…`. */
function printedCode(crypto: CryptoPort): string {
  const letters = Array.from(crypto.randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % 32]!);
  const groups = Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  );
  return groups.join('-');
}

/** The letters of a code as it was typed: blanks, dashes and case do not count, O is 0, I and L are 1. */
function lettersOf(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
