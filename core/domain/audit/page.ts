import type { AuditFilter, AuditPage } from '../../contracts/audit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { nameEntries, type NamingPorts } from './entryNames.ts';
import type { AuditLog } from '../ports/audit.ts';

/**
 * Some of the record, newest first, with the names of today.
 * @param company null: of the installation itself
 */
export async function readAuditPage(
  ports: NamingPorts & { audit: AuditLog },
  company: CompanyId | null,
  { before, limit, ...filter }: AuditFilter & { before?: number | undefined; limit: number },
): Promise<AuditPage> {
  const { audit } = ports;
  const entries = await audit.list(company, { filter, limit: limit + 1, before });
  const shown = entries.slice(0, limit);
  return {
    items: shown.map(await nameEntries(ports, company, shown)),
    total: await audit.count(company, filter),
    nextBefore: entries.length > limit ? (shown.at(-1)?.sequence ?? null) : null,
  };
}
