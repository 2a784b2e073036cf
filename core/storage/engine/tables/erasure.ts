/** Erasures with their receipts, and the clock check of automatic retention. */
import type { CompanyId } from '../../../contracts/ids.ts';

interface ErasureTable {
  /** A UUID. */
  id: string;
  company_id: CompanyId;
  at: number;
  /** JSON: ErasureReceipt, to the byte as it was signed. */
  receipt: string;
  /** Null while the erasure is not finished. */
  signature: Uint8Array | null;
  /** JSON: ids of image files that are still to be removed; null when the erasure is finished. */
  images: string | null;
}

interface RetentionCheckTable {
  company_id: CompanyId;
  at: number;
  /** The id of this start of the machine; empty where the system has none. */
  boot: string;
  /** How long the machine had run at that time, milliseconds. */
  uptime: number;
  /** The number of records that were due when a person confirmed the rules; 0 after the run that followed. */
  confirmed: number;
}

export interface ErasureTables {
  erasure: ErasureTable;
  retention_check: RetentionCheckTable;
}
