import { type AuditFilter, type AuditPage, AUDIT_OBJECT_KINDS } from '../../contracts/audit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { nameEntries, type NamingPorts } from './entryNames.ts';
import type { AuditEntryFilter } from '../ports/audit.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';

/**
 * Some of the record, newest first, with the names of today.
 * @param company null: of the installation itself
 * @param others entries of the installation that are added
 */
export async function readAuditPage(
  ports: NamingPorts & { audit: AuditLog },
  company: CompanyId | null,
  { before, limit, ...filter }: AuditFilter & { before?: number | undefined; limit: number },
  others: Pick<AuditEntryFilter, 'installation'> = {},
): Promise<AuditPage> {
  const { audit } = ports;
  const resolved = { ...(await resolvedFilter(ports, company, filter)), ...others };
  const entries = await audit.list(company, { filter: resolved, limit: limit + 1, before });
  const shown = entries.slice(0, limit);
  return {
    items: shown.map(await nameEntries(ports, company, shown)),
    total: await audit.count(company, resolved),
    objects: resolved.objects?.length ?? null,
    nextBefore: entries.length > limit ? (shown.at(-1)?.sequence ?? null) : null,
  };
}

const OBJECT = /^[a-z][a-zA-Z-]{0,39}:[\w-]{1,60}$/;

/** A filter whose object is that of the log: a person's faces and validations with the person, names with what they name. */
export async function resolvedFilter(
  { views }: Pick<NamingPorts, 'views'>,
  company: CompanyId | null,
  { object, ...filter }: AuditFilter,
): Promise<AuditEntryFilter> {
  if (object === undefined) return filter;
  if (company === null || AUDIT_OBJECT_KINDS.includes(object)) return { ...filter, objects: [object] };
  const found = await views.auditObjects(company, object);
  return { ...filter, objects: OBJECT.test(object) && !found.includes(object) ? [object, ...found] : found };
}
