import type { z } from 'zod';
import { trusted } from '../../contracts/ids.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { certaintyOf } from '../../domain/search/faceComparison.ts';
import { ApiError } from '../http/errors.ts';
import { photosOf } from '../http/sentImage.ts';
import { operatorNames } from './actorNames.ts';
import { requireRecordedFiles } from './recordedFiles.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { beginReport } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { faceComparisonReportRequest } from '../../contracts/faceComparisons.ts';

/** A report of a record; its faces are cut from files whose hashes are those of the record. */
export async function reportFaceComparison(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  id: number,
  { face1, face2, language, ...images }: z.infer<typeof faceComparisonReportRequest>,
): Promise<Uint8Array> {
  const { companyId } = operator;
  const find = async () => {
    const found = await ports.faceComparisons.find(companyId, id);
    if (found === undefined) throw new ApiError('NOT_FOUND');
    return found;
  };
  const [{ settings }, record] = await Promise.all([callingCompany(ports.companies, operator), find()]);
  const { templateId, verificationId } = record;
  const sent = { ...images, template_id: templateId, verification_id: verificationId };
  const pair = photosOf(sent, settings.maxImageBytes);
  requireRecordedFiles(ports.crypto, pair, record);
  const recogniser = ports.vision.of(companyId);
  const thumbnailOf = async (image: Uint8Array, face = 0) => {
    const analysis = await recogniser.search(image, { priority: 'interactive' });
    return analysis.kind === 'faces' ? analysis.faces[face]?.thumbnail : undefined;
  };
  const thumbnails = await Promise.all([thumbnailOf(pair.image1, face1), thumbnailOf(pair.image2, face2)]);
  const exported = { kind: 'faceComparisonReport', object: `faceComparison:${id}`, rows: 1 } as const;
  const { frame } = await beginReport(ports, operator, language, async () => ({
    exported,
    shown: await find(),
  }));
  return ports.reports.faceComparison({
    ...frame,
    record,
    comparedBy: (await operatorNames(ports.operators, companyId)).get(record.credential) ?? record.credential,
    certainty: certaintyOf(
      ports.vision.calibrationOf(companyId, trusted.pipeline(record.modelVersion)),
      record.similarity,
    ),
    thumbnails,
  });
}
