/** Companies and the site. */
import type { Generated } from 'kysely';
import type { CompanyId } from '../../contracts/ids.ts';

interface CompanyTable {
  id: Generated<CompanyId>;
  name: string;
  storage_folder: string | null;
  settings: string;
  created_at: number;
}

interface SiteTable {
  id: number;
  settings: string;
}

export interface CompaniesTables {
  company: CompanyTable;
  site: SiteTable;
}
