import type { FastifyReply } from 'fastify';
import type { ExportKind } from '../../contracts/dashboard/exports.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { AuditLog } from '../../domain/ports/audit.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { Companies } from '../../domain/ports/companies.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { ReportFrame, Reports } from '../../domain/ports/reports.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { recordExport } from './access/export.ts';

/** Needed by every report, besides its content. */
export interface ReportPorts {
  companies: Companies;
  reports: Reports;
  audit: AuditLog;
  process: { version: string };
  clock: Clock;
}

/**
 * The frame of a report. Its export is in the audit log when this resolves, before the first byte leaves.
 * @param exported `rows`: the records that the report shows
 */
export async function beginReport(
  { companies, audit, process, clock }: ReportPorts,
  operator: SignedIn,
  language: ReportFrame['language'],
  exported: { kind: ExportKind; object: NewAuditEntry['object']; rows: number },
): Promise<ReportFrame> {
  const { name: company } = await callingCompany(companies, operator);
  const made = clock.now();
  await recordExport({ audit, clock }, operator, exported);
  return { language, company, operator: operator.name, made, version: process.version };
}

export function sendPdf(reply: FastifyReply, pdf: Uint8Array): FastifyReply {
  return reply.type('application/pdf').send(Buffer.from(pdf));
}
