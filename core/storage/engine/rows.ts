import type { AuditLog } from '../audit/auditLog.ts';
import type { Database } from './database.ts';

/** The rows of a capability. */
export abstract class Rows {
  protected readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }
}

/** Rows whose changes are recorded in the audit log, in the transaction of the change. */
export abstract class AuditedRows extends Rows {
  protected readonly audit: AuditLog;

  constructor(db: Database, audit: AuditLog) {
    super(db);
    this.audit = audit;
  }
}
