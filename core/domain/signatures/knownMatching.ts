/** One questioned signature against several known ones of one writer. */
import type { KnownFindings } from '../../contracts/knownSignatures.ts';
import type { SignatureSettings } from '../../contracts/settings.ts';
import type { SignatureFault } from '../../contracts/signatures.ts';
import { hexOf } from '../values/bytes.ts';
import type { Actor, Company } from '../ports/auditContext.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import type { ComparedKnownSet, KnownSet, KnownSetComparison, OfEach } from '../ports/knownSignatures.ts';
import type { NewKnownSetComparison, SignatureComparisons } from '../ports/signatures.ts';
import { doubtOf, scaleOf, verdictOf, type SignatureScale } from './matching.ts';
import type { SignatureCalibrations } from '../../storage/screening/signatureCalibrations.ts';
import type { Parts } from '../serviceParts.ts';

interface KnownMatchingPorts extends Pick<Parts, 'signatures' | 'clock' | 'crypto'> {
  signatureCalibrations: Pick<SignatureCalibrations, 'of'>;
  comparisons: SignatureComparisons;
}

/** A known set with the caller's own grouping and reference, which are kept with the record. */
export interface ReferencedKnownSet extends KnownSet {
  templateId: string;
  verificationId: string;
}

export type KnownMatch =
  | {
      kind: 'matched';
      /** The record that was kept. */
      record: NewKnownSetComparison & { id: number };
      comparison: Exclude<KnownSetComparison, { kind: 'refused' }>;
    }
  /** The faults of the images; nothing was compared or stored. */
  | { kind: 'refused'; faults: OfEach<SignatureFault> };

/**
 * Compares, and keeps a record of it before it returns. No image is kept.
 * @param credential of the caller
 * @param options `pictures`: draw the ink that the matcher compared, for a person
 */
export async function matchKnownSignatures(
  ports: KnownMatchingPorts,
  { id: company, settings }: Company,
  credential: Actor,
  set: ReferencedKnownSet,
  options: { pictures: boolean } = { pictures: false },
): Promise<KnownMatch> {
  const began = ports.clock.now();
  const answer = await ports.signatures.compareKnown(set, { ...options, company });
  if (answer.kind === 'refused') return answer;
  const { scale, calibrationId } = await scaleOf(ports, company);
  const comparison = withoutDoubtfulFindings(answer, scale, settings.signatures);
  const compared = comparison.kind === 'compared' ? comparison : undefined;
  const similarity = compared?.ratios == null ? null : scale(compared.similarity);
  const reasons = comparison.kind === 'inconclusive' ? comparison.reasons : undefined;
  const thresholds = settings.signatures;
  const record: NewKnownSetComparison = {
    templateId: set.templateId,
    verificationId: set.verificationId,
    credential,
    at: ports.clock.now(),
    similarity,
    verdict: verdictOf(similarity, thresholds),
    thresholds,
    modelVersion: comparison.modelVersion,
    known: {
      acrossMedia: set.acrossMedia === true,
      calibrationId,
      sha256: knownSetHashes(ports.crypto, set),
      reasons: {
        questioned: reasons?.questioned ?? null,
        known: set.known.map((_, i) => reasons?.known.get(i) ?? null),
      },
      findings: compared === undefined ? null : findingsOn(scale, compared),
    },
  };
  const id = await ports.comparisons.record(company, record, began);
  return { kind: 'matched', record: { ...record, id }, comparison };
}

/** Images that give a reason to doubt their verdict are inconclusive: no finding of theirs says anything. */
function withoutDoubtfulFindings(
  answer: Exclude<KnownSetComparison, { kind: 'refused' }>,
  scale: SignatureScale,
  thresholds: SignatureSettings,
): Exclude<KnownSetComparison, { kind: 'refused' }> {
  if (answer.kind !== 'compared') return answer;
  const { doubts, similarity, modelVersion, pictures } = answer;
  const doubt = doubtOf(verdictOf(scale(similarity), thresholds), doubts);
  if (doubt === undefined) return answer;
  const drawn = pictures && {
    questioned: pictures.questioned,
    known: new Map(pictures.known.map((picture, i) => [i, picture] as const)),
  };
  return { kind: 'inconclusive', modelVersion, reasons: doubt.reasons, ...(drawn && { pictures: drawn }) };
}

/** SHA-256 of every file, lowercase hex. */
export function knownSetHashes(
  crypto: CryptoPort,
  { questioned, known }: Pick<KnownSet, 'questioned' | 'known'>,
): NewKnownSetComparison['known']['sha256'] {
  const hashOf = (image: Uint8Array) => hexOf(crypto.sha256(image));
  return { questioned: hashOf(questioned), known: known.map(hashOf) };
}

/** The findings with every similarity on the scale of a company. */
function findingsOn(scale: SignatureScale, compared: ComparedKnownSet): KnownFindings {
  const { ratios, typicality, agreement, known, nearest, farthest, complexity, warnings } = compared;
  const scaled = (value: number | null) => (value === null ? null : scale(value));
  return {
    ratios,
    typicality,
    agreement: {
      similarity: scaled(agreement.similarity),
      differing: agreement.differing,
      groups: agreement.groups && [[...agreement.groups[0]], [...agreement.groups[1]]],
    },
    known: known.map((specimen) => ({
      similarity: scale(specimen.similarity),
      toOthers: scaled(specimen.toOthers),
      complexity: specimen.complexity,
    })),
    nearest,
    farthest,
    complexity,
    warnings: [...warnings],
  };
}
