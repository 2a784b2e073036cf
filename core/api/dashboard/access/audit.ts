import { auditApi, type AuditState, type NamedAuditRow } from '../../../contracts/audit.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { CompanyId } from '../../../contracts/ids.ts';
import { mayRole } from '../../../domain/identity/roles.ts';
import type { SignedIn } from '../../../domain/identity/signInService.ts';
import { type AuditService, readAuditPage, resolvedFilter } from '../../../domain/audit/auditService.ts';
import { CSV_START, csvLine } from '../../../contracts/csv.ts';
import type { AuditEntryFilter } from '../../../domain/ports/auditEntry.ts';
import { nameEntries } from '../../../domain/audit/entryNames.ts';
import { ApiError } from '../../http/errors.ts';
import { recordExport } from './export.ts';
import { serve } from './guard.ts';
import type { AccessPorts } from '../../ports.ts';

/** The company's own record: read, exported, verified, anchored; no route changes it. */
export function auditRoutes(app: FastifyInstance, ports: AccessPorts): void {
  const { audit, auditService } = ports;
  serve(app, auditApi.list, async ({ companyId, query }) =>
    readAuditPage(ports, companyId, query, await withInstallation(ports)),
  );
  serve(app, auditApi.export, async ({ operator, query: { format, ...query }, reply }) => {
    // Two permissions: an investigator may export, and does not see the log.
    if (!mayRole(operator.role, 'audit:read')) throw new ApiError('UNAUTHORIZED');
    const { companyId } = operator;
    const filter = {
      ...(await resolvedFilter(ports, companyId, query)),
      ...(await withInstallation(ports)),
    };
    const rows = await audit.count(companyId, filter);
    const upTo = (await audit.head(ports.clock.now()))?.sequence ?? 0;
    await recordExport(ports, operator, { kind: 'auditLog', object: null, rows });
    const lines = Readable.from(exported(ports, companyId, { filter, upTo }, format), {
      objectMode: false,
    });
    return reply
      .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
      .header('content-disposition', `attachment; filename="vouch-audit.${format}"`)
      .send(lines);
  });
  serve(app, auditApi.state, ({ operator }) => stateFor(ports, auditService, operator));
  serve(app, auditApi.anchor, async ({ operator, act }) => {
    await auditService.anchor(operator.companyId, act);
    return stateFor(ports, auditService, operator);
  });
  serve(app, auditApi.verify, ({ companyId, act }) => auditService.verify(companyId, act));
}

/** The entries of the installation, such as backups, are those of its company where it has one alone. */
async function withInstallation({ companies }: AccessPorts): Promise<Pick<AuditEntryFilter, 'installation'>> {
  return (await companies.list()).length === 1 ? { installation: true } : {};
}

async function* exported(
  ports: AccessPorts,
  company: CompanyId,
  what: { filter: AuditEntryFilter; upTo: number },
  format: 'csv' | 'jsonl',
): AsyncIterable<string> {
  const named = await nameEntries(ports, company);
  const line = format === 'csv' ? csvRow : (row: NamedAuditRow) => `${JSON.stringify(row)}\n`;
  if (format === 'csv') yield `${CSV_START}${csvLine(COLUMNS)}`;
  for await (const entries of ports.audit.all(company, what))
    yield entries.map((entry) => line(named(entry))).join('');
}

const COLUMNS = [
  'sequence',
  'at',
  'actor',
  'actorName',
  'action',
  'object',
  'objectName',
  'outcome',
  'details',
] as const;

function csvRow(row: NamedAuditRow): string {
  return csvLine(
    COLUMNS.map((column) => {
      if (column !== 'details') return String(row[column] ?? '');
      return Object.keys(row.details).length === 0 ? '' : JSON.stringify(row.details);
    }),
  );
}

async function stateFor(
  ports: AccessPorts,
  auditService: AuditService,
  { companyId }: SignedIn,
): Promise<AuditState> {
  const filter = { action: 'audit.verified' } as const;
  const [last] = await ports.audit.list(companyId, { filter, limit: 1 });
  const row = last && (await nameEntries(ports, companyId))(last);
  return {
    ...(await auditService.state()),
    lastVerified: row ? { at: row.at, actorName: row.actorName, entries: Number(row.details.entries) } : null,
  };
}
