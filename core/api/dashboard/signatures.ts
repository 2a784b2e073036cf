import {
  signatureApi,
  comparisonReportRequest,
  type ComparisonAnswer,
} from '../../contracts/dashboard/signatures.ts';
import type { FastifyInstance } from 'fastify';
import { SIGNATURE_LIMITS } from '../../contracts/signatures.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { OfEither, SignatureComparisonRecord, InkPicture } from '../../domain/ports/signatures.ts';
import { matchSignatures } from '../../domain/signatures/matching.ts';
import { signatureProblems } from '../http/comparisonBodies.ts';
import { imageBytesOf, signaturesOf } from '../http/sentImage.ts';
import { z } from 'zod';
import { comparisonBody, comparisonPageOf, pictureBody, signatureRowOf } from './comparisonHistory.ts';
import { operatorNames } from './actorNames.ts';
import { requireRecordedFiles, beginReport, sendPdf } from './reports.ts';
import { serve } from './access/guard.ts';
import { ApiError, invalidFields, existing } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Two images of the largest size, four bytes for three, and room to say a little too large of which. */
const BODY_LIMIT = 3 * SIGNATURE_LIMITS.bytes;

/** Comparing two signatures in the dashboard, and the history of all comparisons, those of programs too. */
export function signatureRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  serve(app, signatureApi.list, ({ operator, query }) =>
    comparisonPageOf(ports, operator, query, signatureRowOf),
  );
  serve(app, signatureApi.read, async ({ companyId, params: { id } }) => {
    const record = existing(await ports.comparisons.find(companyId, id));
    return signatureRowOf(record, await operatorNames(ports.operators, companyId));
  });
  serve(
    app,
    { ...signatureApi.compare, takes: (scope) => takeJson(scope, () => BODY_LIMIT) },
    async ({ operator, body }): Promise<ComparisonAnswer> => {
      const { companyId, actor } = operator;
      const company = await callingCompany(ports.companies, operator);
      const outcome = await matchSignatures(ports, company, actor, signaturesOf(body), {
        pictures: true,
      });
      if (outcome.kind === 'refused') {
        throw invalidFields(signatureProblems(outcome.faults));
      }
      const { comparison, record } = outcome;
      const { image1, image2 } = comparison.pictures ?? {};
      return {
        ...comparisonBody(record, await operatorNames(ports.operators, companyId)),
        pictures: {
          image1: image1 && pictureBody(image1),
          image2: image2 && pictureBody(image2),
        },
        alignment: comparison.kind === 'compared' ? [...comparison.alignment] : null,
      };
    },
  );
  serve(app, signatureApi.report, async ({ operator, params: { id }, body, reply }) => {
    const pdf = await report(ports, operator, id, body);
    return sendPdf(reply, pdf);
  });
}

/** A report of a record; the pictures in it are drawn from files whose hashes are those of the record. */
async function report(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  id: number,
  { image1, image2, language }: z.infer<typeof comparisonReportRequest>,
): Promise<Uint8Array> {
  const { companyId } = operator;
  const find = async () => {
    const found = await ports.comparisons.find(companyId, id);
    if (found === undefined || 'known' in found) throw new ApiError('NOT_FOUND');
    return found;
  };
  const record = await find();
  const own = await ports.signatureCalibrations.of(companyId, record.modelVersion);
  const pictures =
    image1 === undefined || image2 === undefined
      ? {}
      : await picturesOf(ports, companyId, record, { image1, image2 });
  const exported = { kind: 'signatureReport', object: `signatureComparison:${id}`, rows: 1 } as const;
  const { frame } = await beginReport(ports, operator, language, async () => ({
    exported,
    shown: await find(),
  }));
  return ports.reports.signatures({
    ...frame,
    record,
    ...(own !== undefined && own.appliedAt <= record.at && { calibration: own.measured }),
    comparedBy: (await operatorNames(ports.operators, companyId)).get(record.credential) ?? record.credential,
    pictures,
  });
}

async function picturesOf(
  ports: DashboardRoutePorts,
  company: CompanyId,
  record: SignatureComparisonRecord,
  uris: { image1: string; image2: string },
): Promise<OfEither<InkPicture>> {
  const [image1, image2] = [imageBytesOf(uris.image1), imageBytesOf(uris.image2)];
  requireRecordedFiles(ports.crypto, { image1, image2 }, record);
  const comparison = await ports.signatures.compare(image1, image2, { pictures: true, company });
  return comparison.kind === 'refused' ? {} : (comparison.pictures ?? {});
}
