/** The audit log as the rules see it. Changes put themselves on the record, in their own transaction (storage). */
import type { AuditAction, AuditAnchor, AuditVerdict } from '../../contracts/audit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Act } from '../actor.ts';
import type { AuditEntry, AuditNote } from './entry.ts';

export interface AuditLog {
  /** Puts on the record what changes nothing: a look, a search, a refusal. Resolves when it is durable. */
  record(act: Act, note: AuditNote): Promise<void>;
  /** Newest first; only this company's own. */
  list(
    company: CompanyId,
    query: { action?: AuditAction; before?: number; limit: number },
  ): Promise<AuditEntry[]>;
  /** Compares everything with itself and with anchors. */
  verify(anchors: readonly AuditAnchor[]): Promise<AuditVerdict>;
  /** The signed head as it is now; undefined while nothing was recorded. */
  head(at: Date): Promise<AuditAnchor | undefined>;
}

/** Heads that were written outside the database, oldest first. */
export interface AuditAnchors {
  read(): Promise<AuditAnchor[]>;
  /** Resolves when it is durable. */
  add(anchor: AuditAnchor): Promise<void>;
}
