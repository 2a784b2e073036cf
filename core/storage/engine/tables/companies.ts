/** Companies and the site. */
import type { Generated } from 'kysely';
import type { CompanyId } from '../../../contracts/ids.ts';

interface CompanyTable {
  id: Generated<CompanyId>;
  name: string;
  /** Absolute, or relative to the home's folder of default places. */
  storage_folder: string | null;
  settings: string;
  created_at: number;
}

interface SiteTable {
  id: number;
  /** Random; storage folders carry it in their marker files. */
  installation: string;
  settings: string;
}

export interface CompaniesTables {
  company: CompanyTable;
  site: SiteTable;
}
