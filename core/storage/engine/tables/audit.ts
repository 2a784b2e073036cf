/** The audit log, and erasures with their receipts. */
import type { CompanyId } from '../../../contracts/ids.ts';

interface AuditEntryTable {
  sequence: number;
  at: number;
  company_id: CompanyId | null;
  actor: string;
  action: string;
  object: string | null;
  outcome: string;
  /** JSON, to the byte as it was hashed. */
  facts: string;
  hash: Uint8Array;
}

interface AuditHeadTable {
  id: number;
  sequence: number;
  hash: Uint8Array;
  signature: Uint8Array;
}

interface AuditKeyTable {
  id: number;
  /** PKCS #8, DER. */
  private_key: Uint8Array;
  /** SPKI, DER. */
  public_key: Uint8Array;
}

interface ErasureTable {
  /** A UUID. */
  id: string;
  company_id: CompanyId;
  at: number;
  /** JSON: ErasureReceipt, to the byte as it was signed. */
  receipt: string;
  /** Null while it is not finished. */
  signature: Uint8Array | null;
  /** JSON: ids of image files that are still to be removed; null when it is finished. */
  images: string | null;
}

interface RetentionCheckTable {
  company_id: CompanyId;
  at: number;
  /** Empty where the system gives its starts no identity. */
  boot: string;
  /** Milliseconds that the machine had run at that time. */
  uptime: number;
  /** Records that were due when a person confirmed the rules; 0 after the run that followed. */
  confirmed: number;
}

export interface AuditTables {
  audit_entry: AuditEntryTable;
  audit_head: AuditHeadTable;
  audit_key: AuditKeyTable;
  erasure: ErasureTable;
  retention_check: RetentionCheckTable;
}
