import {
  faceComparisonApi,
  faceComparisonReportRequest,
  type FaceComparisonAnswer,
  type FaceComparisonRow,
} from '../../contracts/faceComparisons.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  certaintyOf,
  compareChosenFaces,
  type ComparedPhoto,
  type FaceComparisonRecord,
} from '../../domain/search/faceComparison.ts';
import { trusted, type CompanyId } from '../../contracts/ids.ts';
import { serve } from './access/guard.ts';
import { ApiError, existing } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { PAIR_BODY_LIMIT, photosOf } from '../http/sentImage.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import { comparisonBody, comparisonPageOf } from './comparisonHistory.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { sendPdf, beginReport, requireRecordedFiles } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';

/** Comparing the faces of two photos in the dashboard, and the history of all such comparisons, those of programs too. */
export function faceComparisonRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  serve(app, faceComparisonApi.list, ({ operator, query }) =>
    comparisonPageOf({ ...ports, comparisons: ports.faceComparisons }, operator, query, (record, names) =>
      rowOf(ports.vision, operator.companyId, record, names),
    ),
  );
  serve(app, faceComparisonApi.read, async ({ companyId, params: { id } }) => {
    const record = existing(await ports.faceComparisons.find(companyId, id));
    return rowOf(ports.vision, companyId, record, await actorNames(ports, companyId));
  });
  serve(
    app,
    { ...faceComparisonApi.compare, takes: (scope) => takeJson(scope, () => PAIR_BODY_LIMIT) },
    async ({ operator, body }): Promise<FaceComparisonAnswer> => {
      const { companyId, actor } = operator;
      const company = await callingCompany(ports.companies, operator);
      const pair = photosOf(body, company.settings.maxImageBytes);
      const { face1, face2 } = body;
      const chosen = { image1: face1, image2: face2 };
      const { photos, comparison } = await compareChosenFaces(ports, company, actor, pair, chosen);
      return {
        photos: [photoBody(photos[0]), photoBody(photos[1])],
        comparison:
          comparison && rowOf(ports.vision, companyId, comparison.record, await actorNames(ports, companyId)),
      };
    },
  );
  serve(app, faceComparisonApi.report, async ({ operator, params: { id }, body, reply }) => {
    const pdf = await reportFaceComparison(ports, operator, id, body);
    return sendPdf(reply, pdf);
  });
}

function rowOf(
  vision: DashboardRoutePorts['vision'],
  company: CompanyId,
  record: FaceComparisonRecord,
  names: ReadonlyMap<string, string>,
): FaceComparisonRow {
  const calibration = vision.calibrationOf(company, trusted.pipeline(record.modelVersion));
  return { ...comparisonBody(record, names), certainty: certaintyOf(calibration, record.similarity) };
}

function photoBody({ image, faces, unclear, chosen }: ComparedPhoto): FaceComparisonAnswer['photos'][0] {
  return {
    size: image && { width: image.width, height: image.height },
    faces: faces.map(({ box, eyes, quality }) => ({
      box,
      eyes: [eyes[0], eyes[1]],
      quality: Math.round(quality.score),
    })),
    unclear: [...unclear],
    chosen,
  };
}

/** A report of a record; its faces are cut from files whose hashes are those of the record. */
async function reportFaceComparison(
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
    comparedBy: (await actorNames(ports, companyId)).get(record.credential) ?? record.credential,
    certainty: certaintyOf(
      ports.vision.calibrationOf(companyId, trusted.pipeline(record.modelVersion)),
      record.similarity,
    ),
    thumbnails,
  });
}
