import type { z } from 'zod';
import type { faceComparisonReportRequest } from '../../contracts/dashboard/faceComparisons.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { AuditLog } from '../../domain/ports/audit.ts';
import type { Companies } from '../../domain/ports/companies.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import type { Operators } from '../../domain/ports/identity.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { RecognitionPort } from '../../domain/ports/recognition.ts';
import type { Reports } from '../../domain/ports/reports.ts';
import { falseMatchRateOf, type FaceComparisons } from '../../domain/search/faceComparison.ts';
import { ApiError } from '../http/errors.ts';
import { photosOf } from '../http/sentImage.ts';
import { recordExport } from './access/export.ts';
import { operatorNames } from './actorNames.ts';
import { requireRecordedFiles } from './recordedFiles.ts';

export interface FaceComparisonReportPorts {
  companies: Companies;
  operators: Operators;
  vision: Pick<RecognitionPort, 'of'>;
  faceComparisons: FaceComparisons;
  audit: AuditLog;
  reports: Reports;
  process: { version: string };
  clock: Clock;
  crypto: CryptoPort;
}

/** A report of a record; its faces are cut from files whose hashes are those of the record. */
export async function reportFaceComparison(
  ports: FaceComparisonReportPorts,
  operator: SignedIn,
  id: number,
  { face1, face2, language, ...images }: z.infer<typeof faceComparisonReportRequest>,
): Promise<Uint8Array> {
  const { companyId, name } = operator;
  const [company, record] = await Promise.all([
    ports.companies.find(companyId),
    ports.faceComparisons.find(companyId, id),
  ]);
  if (company === undefined || record === undefined) throw new ApiError('NOT_FOUND');
  const { templateId, verificationId } = record;
  const sent = { ...images, template_id: templateId, verification_id: verificationId };
  const pair = photosOf(sent, company.settings.maxImageBytes);
  requireRecordedFiles(ports.crypto, pair, record);
  const recogniser = ports.vision.of(companyId);
  const thumbnailOf = async (image: Uint8Array, face = 0) => {
    const analysis = await recogniser.search(image, { priority: 'interactive' });
    return analysis.kind === 'faces' ? analysis.faces[face]?.thumbnail : undefined;
  };
  const thumbnails = await Promise.all([thumbnailOf(pair.image1, face1), thumbnailOf(pair.image2, face2)]);
  const made = ports.clock.now();
  const object = `faceComparison:${id}` as const;
  await recordExport(ports, operator, { kind: 'faceComparisonReport', object, rows: 1 });
  return ports.reports.faceComparison({
    language,
    company: company.name,
    operator: name,
    made,
    version: ports.process.version,
    record,
    comparedBy: (await operatorNames(ports.operators, companyId)).get(record.credential) ?? record.credential,
    falseMatchRate: falseMatchRateOf(recogniser, record),
    thumbnails,
  });
}
