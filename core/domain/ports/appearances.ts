import type { Appearance } from '../../contracts/dashboard/session.ts';
import type { CompanyId, OperatorId } from '../../contracts/ids.ts';

/** How operators want the dashboard to look. */
export interface Appearances {
  /** Null: the operator never chose. */
  read(company: CompanyId, operator: OperatorId): Promise<Appearance | null>;
  write(company: CompanyId, operator: OperatorId, chosen: Appearance): Promise<void>;
}
