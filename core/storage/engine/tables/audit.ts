/** The audit log. */
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
  details: string;
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

export interface AuditTables {
  audit_entry: AuditEntryTable;
  audit_head: AuditHeadTable;
  audit_key: AuditKeyTable;
}
