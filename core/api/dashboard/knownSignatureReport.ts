/** The report of a comparison with several known signatures, from its record and the files that were compared. */
import type { z } from 'zod';
import type { knownSetReportRequest } from '../../contracts/dashboard/signatures.ts';
import { problem, type FieldProblems } from '../../contracts/errors/problem.ts';
import { KNOWN_SIGNATURE_LIMITS } from '../../contracts/knownSignatures.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { AuditLog } from '../../domain/ports/audit.ts';
import type { Companies } from '../../domain/ports/companies.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import type { Operators } from '../../domain/ports/identity.ts';
import type { KnownSetComparison } from '../../domain/ports/knownSignatures.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { KnownSetPictures, Reports } from '../../domain/ports/reports.ts';
import type {
  KnownSetComparisonRecord,
  SignatureCalibrations,
  SignatureComparisons,
  SignaturePort,
} from '../../domain/ports/signatures.ts';
import { knownSetHashes } from '../../domain/signatures/knownMatching.ts';
import { ApiError, invalidFields } from '../http/errors.ts';
import { imageBytesOf } from '../http/sentImage.ts';
import { recordExport } from './access/export.ts';
import { operatorNames } from './actorNames.ts';

export interface KnownReportPorts {
  signatures: SignaturePort;
  signatureCalibrations: SignatureCalibrations;
  comparisons: SignatureComparisons;
  companies: Companies;
  operators: Operators;
  audit: AuditLog;
  reports: Reports;
  process: { version: string };
  clock: Clock;
  crypto: CryptoPort;
}

export type Compared = Exclude<KnownSetComparison, { kind: 'refused' }>;

/**
 * Creates the report, and records it as an export before it is sent.
 * @throws {ApiError} 404: no such record of a known set; 422: a file is not the recorded one
 */
export async function reportKnownSet(
  ports: KnownReportPorts,
  operator: SignedIn,
  id: number,
  { language, questioned, known }: z.infer<typeof knownSetReportRequest>,
): Promise<Uint8Array> {
  const { companyId, name } = operator;
  const [company, record] = await Promise.all([
    ports.companies.find(companyId),
    ports.comparisons.find(companyId, id),
  ]);
  if (company === undefined || record === undefined || !('known' in record)) throw new ApiError('NOT_FOUND');
  const files = questioned === undefined || known === undefined ? null : { questioned, known };
  const pictures = files && (await drawnFrom(ports, record, files));
  const made = ports.clock.now();
  const object = `signatureComparison:${id}` as const;
  await recordExport(ports, operator, { kind: 'signatureReport', object, rows: 1 });
  const own = await ports.signatureCalibrations.of(companyId, ports.signatures.modelVersion);
  const rates = own !== undefined && own.appliedAt <= record.at ? own.measured.knownSets : null;
  const names = await operatorNames(ports.operators, companyId);
  return ports.reports.knownSignatures({
    language,
    company: company.name,
    operator: name,
    made,
    version: ports.process.version,
    record,
    comparedBy: names.get(record.credential) ?? record.credential,
    pictures,
    ...(rates?.modelVersion === record.modelVersion && { ownRates: rates }),
  });
}

async function drawnFrom(
  ports: KnownReportPorts,
  { known: { sha256, acrossMedia } }: KnownSetComparisonRecord,
  uris: { questioned: string; known: readonly string[] },
): Promise<KnownSetPictures | null> {
  const bytesOf = (uri: string) => imageBytesOf(uri, KNOWN_SIGNATURE_LIMITS.bytes);
  const set = { questioned: bytesOf(uris.questioned), known: uris.known.map(bytesOf), acrossMedia };
  const hashes = knownSetHashes(ports.crypto, set);
  const errors: FieldProblems = {};
  const refuse = (field: string) => (errors[field] = [problem('SIGNATURE_ANOTHER_FILE', { field })]);
  if (hashes.questioned !== sha256.questioned) refuse('questioned');
  if (hashes.known.length !== sha256.known.length) refuse('known');
  else
    for (const [index, hash] of hashes.known.entries())
      if (hash !== sha256.known[index]) refuse(`known.${index}`);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  const comparison = await ports.signatures.compareKnown(set, { pictures: true });
  return comparison.kind === 'refused' ? null : picturesOf(comparison, set.known.length);
}

/** The ink of every image that shows any, and the alignments. @param count of the known signatures */
export function picturesOf(comparison: Compared, count: number): KnownSetPictures {
  const known = (index: number) =>
    comparison.kind === 'compared'
      ? comparison.pictures?.known[index]
      : comparison.pictures?.known.get(index);
  return {
    questioned: comparison.pictures?.questioned,
    known: Array.from({ length: count }, (_, index) => known(index)),
    alignments: comparison.kind === 'compared' ? comparison.known.map(({ alignment }) => alignment) : null,
  };
}
