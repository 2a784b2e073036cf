/** Erasures with their receipts, and the clock check of automatic retention. */
import { table, integer, text, blob } from '../table.ts';
import type { CompanyId } from '../../../../contracts/ids.ts';
export const erasure = {
  // Contains ids, hashes and counts only. `images` lists the files that an unfinished erasure still has to remove.
  erasure: table({
    /** A UUID. */
    id: text('primary key'),
    company_id: integer<CompanyId>('references company (id)'),
    at: integer(),
    /** JSON: ErasureReceipt, to the byte as it was signed. */
    receipt: text(),
    /** Null while the erasure is not finished. */
    signature: blob.orNull(),
    /** JSON: ids of image files that are still to be removed; null when the erasure is finished. */
    images: text.orNull(),
  }),
  // The last time at which the system clock was plausible, by company.
  retention_check: table({
    company_id: integer<CompanyId>('primary key references company (id)'),
    at: integer(),
    /** The id of this start of the machine; empty where the system has none. */
    boot: text(),
    /** How long the machine had run at that time, milliseconds. */
    uptime: integer(),
    /** The number of records that were due when a person confirmed the rules; 0 after the run that followed. */
    confirmed: integer(),
  }),
};

/** Indexes and triggers. */
export const erasureIndexes: readonly string[] = [`create index erasure_company on erasure (company_id, at)`];
