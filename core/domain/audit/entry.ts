import { createHash, verify, type KeyObject } from 'node:crypto';
import type { AuditEntry, AuditHead } from '../ports/auditEntry.ts';

/** What the first entry follows. */
export const GENESIS = new Uint8Array(32);

/** SHA-256 over the hash of the entry before and all that this one says. */
export function hashEntry(previous: Uint8Array, entry: AuditEntry): Buffer {
  const { sequence, at, company, actor, action, object, outcome, facts } = entry;
  const said = JSON.stringify([sequence, at, company, actor, action, object, outcome, facts]);
  return createHash('sha256').update(previous).update(said).digest();
}

/** What is signed. */
export function headMessage(sequence: number, hash: Uint8Array): Buffer {
  return Buffer.from(`vouch audit head ${sequence} ${Buffer.from(hash).toString('hex')}`);
}

export function isSignedHead(head: AuditHead, key: KeyObject): boolean {
  return verify(null, headMessage(head.sequence, head.hash), key, head.signature);
}
