import type { FastifyReply } from 'fastify';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { ReportFrame } from '../../domain/ports/reports.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { recordExport, type Exported } from './access/export.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { problem, type Problem } from '../../contracts/errors/problem.ts';
import type { ComparisonRecord } from '../../domain/ports/comparisons.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import { hashesOf } from '../../domain/signatures/matching.ts';
import { invalidFields } from '../http/errors.ts';

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

/**
 * Makes sure that the files sent for a report are those that were compared.
 * @throws {ApiError} 422 with a problem for each file whose SHA-256 is not the recorded one
 */
export function requireRecordedFiles(
  crypto: CryptoPort,
  files: Parameters<typeof hashesOf>[1],
  { sha256 }: Pick<ComparisonRecord<string>, 'sha256'>,
): void {
  const hashes = hashesOf(crypto, files);
  const errors = new Map<string, Problem[]>();
  for (const key of ['image1', 'image2'] as const)
    if (hashes[key] !== sha256[key]) errors.set(key, [problem('SIGNATURE_ANOTHER_FILE', { field: key })]);
  if (errors.size > 0) throw invalidFields(errors);
}
