import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { OperatorId } from '../../contracts/ids.ts';
import { barePrintedCode, createPrintedCode } from '../common/printedCode.ts';
import type { OperatorSecrets } from '../ports/identity.ts';

/** What the session cookie holds: 256 random bits. Only the hash is stored. */
export function createSessionToken(): { token: string; hash: Uint8Array } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}

export function hashSessionToken(token: string): Uint8Array {
  return sha256(token);
}

/** A recovery key to be printed: 160 random bits. Only the hash is stored. */
export function createRecoveryCode(): { key: string; hash: Uint8Array } {
  const key = createPrintedCode();
  return { key, hash: hashRecoveryCode(key) };
}

export function hashRecoveryCode(typed: string): Uint8Array {
  return sha256(barePrintedCode(typed));
}

/**
 * A token for the browser in which an operator signed in. It opens nothing: it shows that the passphrase was once right
 * in this browser. It is a random value with its MAC under the operator's stored hash, so nothing is stored for it, and
 * a new passphrase ends it.
 */
export function createBrowserToken({ operator, passphraseHash }: OperatorSecrets): string {
  const value = randomBytes(16).toString('base64url');
  return `${value}.${browserMac(value, operator.id, passphraseHash)}`;
}

/** Whether the token was made for this operator and the present passphrase. */
export function isBrowserOf(token: string, { operator, passphraseHash }: OperatorSecrets): boolean {
  const [value = '', mac = ''] = token.split('.');
  const expected = Buffer.from(browserMac(value, operator.id, passphraseHash));
  const given = Buffer.from(mac);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function browserMac(value: string, operator: OperatorId, passphraseHash: string): string {
  return createHmac('sha256', passphraseHash).update(`browser ${operator} ${value}`).digest('base64url');
}

/** What failed attempts are counted under. */
export function hashTypedName(nameKey: string): Uint8Array {
  return sha256(nameKey);
}

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
