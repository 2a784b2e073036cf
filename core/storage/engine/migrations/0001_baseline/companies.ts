/** Companies: every other record belongs to one of them. */
import { table, key, integer, text } from '../table.ts';
import type { CompanyId } from '../../../../contracts/ids.ts';
export const companies = {
  company: table({
    id: key<CompanyId>(),
    name: text('unique'),
    /** Absolute, or relative to the folder `storage` of the home. */
    storage_folder: text.orNull(),
    /** JSON: CompanySettings. */
    settings: text(),
    created_at: integer(),
  }),
};
