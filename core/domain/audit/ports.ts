/** The audit log as the rules see it. Changes put themselves on the record, in their own transaction (storage). */
import type { AuditAnchor, AuditFilter, AuditVerdict } from '../../contracts/audit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Act } from '../actor.ts';
import type { AuditEntry, AuditNote } from './entry.ts';

export interface AuditLog {
  /** Puts on the record what changes nothing: a look, a search, a refusal. Resolves when it is durable. */
  record(act: Act, note: AuditNote): Promise<void>;
  /** Newest first; only this company's own, or with null the installation's own. */
  list(
    company: CompanyId | null,
    query: { filter?: AuditFilter; before?: number; limit: number },
  ): Promise<AuditEntry[]>;
  /** How many of the same a filter lets through. */
  count(company: CompanyId | null, filter: AuditFilter): Promise<number>;
  /** All of the company's own that a filter lets through, oldest first, page by page, up to a sequence. */
  all(company: CompanyId, what: { filter: AuditFilter; upTo: number }): AsyncIterable<readonly AuditEntry[]>;
  /** Compares everything with itself and with anchors. */
  verify(kept: KeptAnchors): Promise<AuditVerdict>;
  /** The signed head as it is now; undefined while nothing was recorded. */
  head(at: Date): Promise<AuditAnchor | undefined>;
}

/** What stands outside the database. */
export interface KeptAnchors {
  /** Oldest first. */
  anchors: readonly AuditAnchor[];
  /** Lines of the file, from 1, that are no anchor (any more), with the entry that the anchor before it covers; 0: none. */
  damaged: readonly { line: number; after: number }[];
}

/** Heads that were written outside the database. */
export interface AuditAnchors {
  read(): Promise<KeptAnchors>;
  /** The file as it is, with what is damaged in it; empty while there is none. */
  text(): Promise<string>;
  /** Resolves when it is durable. */
  add(anchor: AuditAnchor): Promise<void>;
}
