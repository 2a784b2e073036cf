import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { comparisonQuery } from '../../contracts/dashboard/signatures.ts';
import {
  certaintyOf,
  compareChosenFaces,
  type ComparedPhoto,
  type FaceComparisonRecord,
} from '../../domain/search/faceComparison.ts';
import { trusted, type CompanyId } from '../../contracts/ids.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { photosOf } from '../http/sentImage.ts';
import { operatorNames } from './actorNames.ts';
import { comparisonBody, comparisonPageOf } from './comparisonHistory.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { sendPdf, beginReport, requireRecordedFiles } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import {
  faceComparisonAnswer,
  faceComparisonPage,
  faceComparisonReportRequest,
  faceComparisonRequest,
  faceComparisonRow,
  type FaceComparisonAnswer,
  type FaceComparisonRow,
} from '../../contracts/faceComparisons.ts';

/** Two images, four bytes for three, of the largest size that a company may set (50 MB). */
const BODY_LIMIT = 3 * 50 * 1024 * 1024;

const numbered = z.object({ id: z.coerce.number().int().min(1) });

/** Comparing the faces of two photos in the dashboard, and the history of all such comparisons, those of programs too. */
export async function faceComparisonRoutes(app: FastifyInstance, ports: DashboardRoutePorts): Promise<void> {
  const path = `${DASHBOARD}/face-comparisons`;
  const config = requirePermission('faces:compare');
  app
    .withTypeProvider<ZodTypeProvider>()
    .get(
      path,
      { config, schema: { hide: true, querystring: comparisonQuery, response: { 200: faceComparisonPage } } },
      (request) =>
        comparisonPageOf(
          { comparisons: ports.faceComparisons, operators: ports.operators },
          operatorOf(request),
          request.query,
          (record, names) => rowOf(ports.vision, operatorOf(request).companyId, record, names),
        ),
    )
    .get(
      `${path}/:id`,
      { config, schema: { hide: true, params: numbered, response: { 200: faceComparisonRow } } },
      async (request) => {
        const { companyId } = operatorOf(request);
        const record = await ports.faceComparisons.find(companyId, request.params.id);
        if (record === undefined) throw new ApiError('NOT_FOUND');
        return rowOf(ports.vision, companyId, record, await operatorNames(ports.operators, companyId));
      },
    );
  await app.register((scope, _options, done) => {
    takeJson(scope, () => BODY_LIMIT);
    scope.withTypeProvider<ZodTypeProvider>().post(
      path,
      {
        config,
        schema: { hide: true, body: faceComparisonRequest, response: { 200: faceComparisonAnswer } },
      },
      async (request): Promise<FaceComparisonAnswer> => {
        const { companyId, actor } = operatorOf(request);
        const company = await callingCompany(ports.companies, operatorOf(request));
        const pair = photosOf(request.body, company.settings.maxImageBytes);
        const { face1, face2 } = request.body;
        const chosen = { image1: face1, image2: face2 };
        const { photos, comparison } = await compareChosenFaces(ports, company, actor, pair, chosen);
        return {
          photos: [photoBody(photos[0]), photoBody(photos[1])],
          comparison:
            comparison &&
            rowOf(
              ports.vision,
              companyId,
              comparison.record,
              await operatorNames(ports.operators, companyId),
            ),
        };
      },
    );
    scope.withTypeProvider<ZodTypeProvider>().post(
      `${path}/:id/report`,
      {
        config: requirePermission('exports:create'),
        schema: {
          hide: true,
          params: numbered,
          body: faceComparisonReportRequest,
        },
      },
      async (request, reply) => {
        const pdf = await reportFaceComparison(ports, operatorOf(request), request.params.id, request.body);
        return sendPdf(reply, pdf);
      },
    );
    done();
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
    comparedBy: (await operatorNames(ports.operators, companyId)).get(record.credential) ?? record.credential,
    certainty: certaintyOf(
      ports.vision.calibrationOf(companyId, trusted.pipeline(record.modelVersion)),
      record.similarity,
    ),
    thumbnails,
  });
}
