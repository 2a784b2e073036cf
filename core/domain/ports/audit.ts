/** The audit log as the rules see it. Changes record themselves, in their own transaction (storage). */
import type { AuditAnchor, AuditFilter, AuditVerdict, AuditWitness } from '../../contracts/audit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from './auditContext.ts';
import type { AuditEntry, NewAuditEntry } from './auditEntry.ts';

/** A filter whose object is resolved. */
export type AuditEntryFilter = Omit<AuditFilter, 'object'> & {
  /** Objects such as `face:7`, or a kind alone. */
  objects?: readonly string[];
  /** With the installation's own entries. */
  installation?: true;
};

export interface AuditLog {
  /** Records what changes nothing: a view, a search, a refusal. Resolves when it is durable. */
  record(act: AuditContext, note: NewAuditEntry): Promise<void>;
  /** Newest first; only this company's own, or with null the installation's own. */
  list(
    company: CompanyId | null,
    query: { filter?: AuditEntryFilter; before?: number | undefined; limit: number },
  ): Promise<AuditEntry[]>;
  /** How many of the same a filter lets through. */
  count(company: CompanyId | null, filter: AuditEntryFilter): Promise<number>;
  /** All of the company's own that a filter lets through, oldest first, page by page, up to a sequence. */
  all(
    company: CompanyId,
    what: { filter: AuditEntryFilter; upTo: number },
  ): AsyncIterable<readonly AuditEntry[]>;
  /** Compares every entry with the log itself and with the anchors of every file. */
  verify(kept: readonly KeptAnchors[]): Promise<AuditVerdict>;
  /** The stored hash of one entry, lowercase hex; undefined when the log has no such entry. */
  hashOf(sequence: number): Promise<string | undefined>;
  /** The signed head as it is now; undefined while nothing was recorded. */
  head(at: Date): Promise<AuditAnchor | undefined>;
}

/** The anchors of one file outside the database. */
export interface KeptAnchors {
  /** The file, as messages name it. */
  file: string;
  /** In the order in which they were written: numbers never fall. */
  anchors: readonly AuditAnchor[];
  /** Lines of the file, from 1, that are no anchor (any more), with the entry that the anchor before it covers; 0: none. */
  damaged: readonly { line: number; after: number }[];
}

/** Heads that were written outside the database: in a file of the home, and in a witness file where one is set. */
export interface AuditAnchors {
  /** The file of the home, then the witness if it can be read. */
  read(): Promise<{ kept: KeptAnchors[]; witness: AuditWitness }>;
  /** The file of the home as it is, with what is damaged in it; empty while there is none. */
  text(): Promise<string>;
  /**
   * Adds the anchor that `make` returns for what is kept now; undefined adds none. One call at a time: what `make` saw
   * is still true when its anchor is written. Resolves when it is durable in the home; a witness that cannot be written
   * is left out, and named by {@link read}.
   */
  next(make: (kept: readonly KeptAnchors[]) => Promise<AuditAnchor | undefined>): Promise<void>;
  /** Renames the file of the home, which then has no anchors. @returns the name that it is kept under */
  setAside(at: Date): Promise<string>;
  /**
   * Makes the empty file of a new witness.
   * @returns its path @throws when the folder cannot be written
   */
  beginWitness(folder: string, at: Date): Promise<string>;
}
