/** The chain of custody of a case folder: each entry has the hash of the one before it, and a signature. */
import type { CompanyId, CaseFolderId } from '../../contracts/ids.ts';
import type { ChainedEntry, SignedEntry } from '../ports/casePackages.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import { bytesOfHex, hexOf } from '../values/bytes.ts';

/** The hash before the first entry. */
export const NO_ENTRY = '';

/** @param previous hash of the entry before @returns SHA-256 over all facts of the entry, lowercase hex */
export function hashOfEntry(
  crypto: CryptoPort,
  folder: { company: CompanyId; id: CaseFolderId },
  previous: string,
  { position, kind, at, actor, target, digest }: ChainedEntry,
): string {
  const facts = [folder.company, folder.id, position, kind, at, actor, target, digest, previous];
  return hexOf(crypto.sha256(JSON.stringify(facts)));
}

/** The message that the signature of an entry covers. */
export const chainMessage = (hash: string): string => `vouch case folder entry ${hash}`;

/**
 * @param newest hash of the newest entry by the audit log, so that entries that were cut off at the end are missed
 * @returns the position of the first entry that is not as it was written, or is missing; null: the chain is whole
 */
export function firstBadEntry(
  crypto: CryptoPort,
  folder: { company: CompanyId; id: CaseFolderId },
  entries: readonly SignedEntry[],
  newest: string | undefined,
  isSigned: (message: string, signature: Uint8Array) => boolean,
): number | null {
  let previous = NO_ENTRY;
  for (const [index, entry] of entries.entries()) {
    const hash = hashOfEntry(crypto, folder, previous, entry);
    const isWritten = entry.position === index + 1 && entry.hash === hash;
    if (!isWritten || !isSigned(chainMessage(hash), bytesOfHex(entry.signature))) return index + 1;
    previous = hash;
  }
  return previous === newest ? null : entries.length + 1;
}
