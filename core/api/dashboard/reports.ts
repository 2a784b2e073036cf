import type { FastifyReply } from 'fastify';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { ReportFrame } from '../../domain/ports/reports.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { recordExport } from './access/export.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { ExportKind } from '../../contracts/dashboard/lists.ts';

interface Exported {
  kind: ExportKind;
  object: NewAuditEntry['object'];
  /** The records that the report shows. */
  rows: number;
}

/**
 * The frame of a report and what it shows. Its export is in the audit log when this resolves, before the first byte leaves. The
 * records are read once more after that entry: an erasure that begins later names the export, and what an earlier one took
 * is not shown.
 * @param read the stored records of the report
 */
export async function beginReport<T>(
  { companies, audit, process, clock }: DashboardRoutePorts,
  operator: SignedIn,
  language: ReportFrame['language'],
  read: () => Promise<{ exported: Exported; shown: T }>,
): Promise<{ frame: ReportFrame; shown: T }> {
  const { name: company } = await callingCompany(companies, operator);
  const { exported } = await read();
  const made = clock.now();
  await recordExport({ audit, clock }, operator, exported);
  const { shown } = await read();
  return { frame: { language, company, operator: operator.name, made, version: process.version }, shown };
}

export function sendPdf(reply: FastifyReply, pdf: Uint8Array): FastifyReply {
  return reply.type('application/pdf').send(Buffer.from(pdf));
}
