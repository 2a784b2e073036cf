import type { CryptoPort } from '../ports/crypto.ts';

/** Crockford's base 32: no letter that is taken for a digit, so that a printed code can be typed again. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 8;
const GROUP_LENGTH = 4;
/** Letters and digits of a printed code. */
const PRINTED_CODE_LENGTH = GROUPS * GROUP_LENGTH;

/** A code to be printed and typed again: 160 random bits as `XXXX-XXXX-…`. */
export function createPrintedCode(crypto: Pick<CryptoPort, 'randomBytes'>): string {
  const letters = Array.from(crypto.randomBytes(PRINTED_CODE_LENGTH), (byte) => ALPHABET[byte % 32]!);
  const groups = Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  );
  return groups.join('-');
}

/** The letters of a code as it was typed: blanks, dashes and case do not count, O is 0, I and L are 1. */
export function barePrintedCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
