import { hexOf } from '../values/bytes.ts';
import type { AuditEntry } from '../ports/auditEntry.ts';
import type { CryptoPort } from '../ports/crypto.ts';

/** The hash that stands before the first entry. */
export const GENESIS = new Uint8Array(32);

/** SHA-256 over the hash of the entry before and every field of this one. @returns 32 bytes */
export function hashEntry(crypto: CryptoPort, previous: Uint8Array, entry: AuditEntry): Uint8Array {
  const { sequence, at, company, actor, action, object, outcome, details } = entry;
  const fields = JSON.stringify([sequence, at, company, actor, action, object, outcome, details]);
  return crypto.sha256(previous, fields);
}

/** The message that the signature of a head covers. */
export function headMessage(sequence: number, hash: Uint8Array): string {
  return `vouch audit head ${sequence} ${hexOf(hash)}`;
}
