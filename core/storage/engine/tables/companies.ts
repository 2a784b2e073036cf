/** Companies. */
import type { Generated } from 'kysely';
import type { CompanyId } from '../../../contracts/ids.ts';

interface CompanyTable {
  id: Generated<CompanyId>;
  name: string;
  /** Absolute, or relative to the folder `storage` of the home. */
  storage_folder: string | null;
  /** JSON: CompanySettings. */
  settings: string;
  created_at: number;
}

export interface CompaniesTables {
  company: CompanyTable;
}
