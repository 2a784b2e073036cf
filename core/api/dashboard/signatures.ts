import {
  signatureApi,
  comparisonReportRequest,
  type ComparisonAnswer,
  knownSetReportRequest,
  type KnownSetAnswer,
} from '../../contracts/dashboard/signatures.ts';
import type { FastifyInstance } from 'fastify';
import { SIGNATURE_LIMITS } from '../../contracts/signatures.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type {
  OfEither,
  SignatureComparisonRecord,
  InkPicture,
  KnownSetComparisonRecord,
} from '../../domain/ports/signatures.ts';
import { matchSignatures } from '../../domain/signatures/matching.ts';
import { signatureProblems } from '../http/comparisonBodies.ts';
import { imageBytesOf, signaturesOf } from '../http/sentImage.ts';
import { z } from 'zod';
import { comparisonBody, comparisonPageOf, pictureBody, signatureRowOf } from './comparisonHistory.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import { requireRecordedFiles, beginReport, sendPdf } from './reports.ts';
import { serve } from './access/guard.ts';
import { ApiError, invalidFields, existing } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { matchKnownSignatures, knownSetHashes } from '../../domain/signatures/knownMatching.ts';
import { knownSetOf, knownSetProblems, SET_BODY_LIMIT } from '../http/knownSignatures.ts';
import { problem, type FieldProblems } from '../../contracts/errors/problem.ts';
import { KNOWN_SIGNATURE_LIMITS } from '../../contracts/knownSignatures.ts';
import type { KnownSetComparison } from '../../domain/ports/knownSignatures.ts';
import type { KnownSetPictures } from '../../domain/ports/reports.ts';

/** Two images of the largest size, four bytes for three, and room to say a little too large of which. */
const BODY_LIMIT = 3 * SIGNATURE_LIMITS.bytes;

/** Comparing two signatures in the dashboard, and the history of all comparisons, those of programs too. */
export function signatureRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  serve(app, signatureApi.list, ({ operator, query }) =>
    comparisonPageOf(ports, operator, query, signatureRowOf),
  );
  serve(app, signatureApi.read, async ({ companyId, params: { id } }) => {
    const record = existing(await ports.comparisons.find(companyId, id));
    return signatureRowOf(record, await actorNames(ports, companyId));
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
        ...comparisonBody(record, await actorNames(ports, companyId)),
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
    comparedBy: (await actorNames(ports, companyId)).get(record.credential) ?? record.credential,
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

/** Comparing a questioned signature with several known ones in the dashboard. */
export function knownSignatureRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  serve(
    app,
    { ...signatureApi.compareKnown, takes: (scope) => takeJson(scope, () => SET_BODY_LIMIT) },
    async ({ operator, body }): Promise<KnownSetAnswer> => {
      const { companyId, actor } = operator;
      const company = await callingCompany(ports.companies, operator);
      const set = knownSetOf(body);
      const outcome = await matchKnownSignatures(ports, company, actor, set, { pictures: true });
      if (outcome.kind === 'refused') throw invalidFields(knownSetProblems(outcome.faults));
      const names = await actorNames(ports, companyId);
      return { ...comparisonBody(outcome.record, names), ...drawn(outcome.comparison, set.known.length) };
    },
  );
  serve(app, signatureApi.knownReport, async ({ operator, params: { id }, body, reply }) => {
    const pdf = await reportKnownSet(ports, operator, id, body);
    return sendPdf(reply, pdf);
  });
}

/** The ink of every image, and how the questioned ink lies over each known one. */
function drawn(comparison: Compared, count: number): Pick<KnownSetAnswer, 'pictures' | 'alignments'> {
  const body = (picture: InkPicture | undefined) => (picture === undefined ? null : pictureBody(picture));
  const { questioned, known, alignments } = knownPicturesOf(comparison, count);
  return {
    pictures: { questioned: body(questioned), known: known.map(body) },
    alignments: alignments?.map((alignment) => [...alignment]) ?? null,
  };
}

// The report of a comparison with several known signatures, from its record and the files that were compared.

type Compared = Exclude<KnownSetComparison, { kind: 'refused' }>;

/**
 * Creates the report, and records it as an export before it is sent.
 * @throws {ApiError} 404: no such record of a known set; 422: a file is not the recorded one
 */
async function reportKnownSet(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  id: number,
  { language, questioned, known }: z.infer<typeof knownSetReportRequest>,
): Promise<Uint8Array> {
  const { companyId } = operator;
  const find = async () => {
    const found = await ports.comparisons.find(companyId, id);
    if (found === undefined || !('known' in found)) throw new ApiError('NOT_FOUND');
    return found;
  };
  const record = await find();
  const files = questioned === undefined || known === undefined ? null : { questioned, known };
  const pictures = files && (await drawnFrom(ports, companyId, record, files));
  const exported = { kind: 'signatureReport', object: `signatureComparison:${id}`, rows: 1 } as const;
  const { frame } = await beginReport(ports, operator, language, async () => ({
    exported,
    shown: await find(),
  }));
  const own = await ports.signatureCalibrations.of(companyId, ports.signatures.modelVersion);
  const rates = own !== undefined && own.appliedAt <= record.at ? own.measured.knownSets : null;
  const names = await actorNames(ports, companyId);
  return ports.reports.knownSignatures({
    ...frame,
    record,
    comparedBy: names.get(record.credential) ?? record.credential,
    pictures,
    ...(rates?.modelVersion === record.modelVersion && { ownRates: rates }),
  });
}

async function drawnFrom(
  ports: DashboardRoutePorts,
  company: CompanyId,
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
  const comparison = await ports.signatures.compareKnown(set, { pictures: true, company });
  return comparison.kind === 'refused' ? null : knownPicturesOf(comparison, set.known.length);
}

/** The ink of every image that shows any, and the alignments. @param count of the known signatures */
function knownPicturesOf(comparison: Compared, count: number): KnownSetPictures {
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
