import {
  signatureApi,
  knownSetReportRequest,
  type KnownSetAnswer,
} from '../../contracts/dashboard/signatures.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { matchKnownSignatures, knownSetHashes } from '../../domain/signatures/knownMatching.ts';
import { invalidFields, ApiError } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { knownSetOf, knownSetProblems, SET_BODY_LIMIT } from '../http/knownSignatures.ts';
import { serve } from './access/guard.ts';
import { operatorNames } from './actorNames.ts';
import { comparisonBody, pictureBody } from './comparisonHistory.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { sendPdf, beginReport } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { InkPicture, KnownSetComparisonRecord } from '../../domain/ports/signatures.ts';
import { problem, type FieldProblems } from '../../contracts/errors/problem.ts';
import { KNOWN_SIGNATURE_LIMITS } from '../../contracts/knownSignatures.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { KnownSetComparison } from '../../domain/ports/knownSignatures.ts';
import type { KnownSetPictures } from '../../domain/ports/reports.ts';
import { imageBytesOf } from '../http/sentImage.ts';
import type { CompanyId } from '../../contracts/ids.ts';

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
      const names = await operatorNames(ports.operators, companyId);
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
  const { questioned, known, alignments } = picturesOf(comparison, count);
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
  const names = await operatorNames(ports.operators, companyId);
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
  return comparison.kind === 'refused' ? null : picturesOf(comparison, set.known.length);
}

/** The ink of every image that shows any, and the alignments. @param count of the known signatures */
function picturesOf(comparison: Compared, count: number): KnownSetPictures {
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
