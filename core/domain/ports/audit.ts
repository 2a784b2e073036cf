/** The audit log as the rules see it. Changes record themselves, in their own transaction (storage). */
import type { AuditAnchor, AuditFilter } from '../../contracts/audit.ts';

/** A filter whose object is resolved. */
export type AuditEntryFilter = Omit<AuditFilter, 'object'> & {
  /** Objects such as `face:7`, or a kind alone. */
  objects?: readonly string[];
  /** With the installation's own entries. */
  installation?: true;
};

/** The anchors of one file outside the database. */
export interface KeptAnchors {
  /** The file, as messages name it. */
  file: string;
  /** In the order in which they were written: numbers never fall. */
  anchors: readonly AuditAnchor[];
  /** Lines of the file, from 1, that are no anchor (any more), with the entry that the anchor before it covers; 0: none. */
  damaged: readonly { line: number; after: number }[];
}
