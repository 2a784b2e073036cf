import type { SignatureFault, Verdict } from '../../contracts/signatures.ts';
import type { SignatureSettings } from '../../contracts/settings.ts';
import { hexOf } from '../values/bytes.ts';
import type { Actor, Company } from '../ports/auditContext.ts';
import type { ImagePair } from '../ports/comparisons.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import type {
  Doubts,
  NewSignatureComparison,
  OfEither,
  SignatureComparison,
  SignatureComparisons,
} from '../ports/signatures.ts';
import type { SignatureCalibrations } from '../../storage/screening/signatureCalibrations.ts';
import type { MeasuredSignatures } from '../../contracts/signatureCalibration.ts';
import type { Parts } from '../serviceParts.ts';

/** From a similarity of the matcher to one of the company, both 0 to 100. */
export type SignatureScale = (similarity: number) => number;

const SHIPPED_SCALE: SignatureScale = (similarity) => similarity;

/**
 * The line through (0, 0), both fixed points and (100, 100): the order of similarities stays.
 * @param fixedPoints none: the shipped scale
 */
export function scaleThrough(fixedPoints: MeasuredSignatures['fixedPoints']): SignatureScale {
  if (fixedPoints.length === 0) return SHIPPED_SCALE;
  const points = [
    { from: 0, to: 0 },
    ...fixedPoints.map(({ similarity, score }) => ({ from: similarity, to: score })),
    { from: 100, to: 100 },
  ];
  return (similarity) => {
    const above = points.findIndex(({ from }, i) => i > 0 && similarity <= from);
    const [left, right] = [points[above - 1]!, points[above]!];
    const part = (similarity - left.from) / (right.from - left.from);
    // Rounded down: a similarity under a fixed point stays under it. The addend is more than a double's rounding error here.
    return Math.floor((left.to + part * (right.to - left.to)) * 100 + 1e-9) / 100;
  };
}

interface MatchingPorts extends Pick<Parts, 'signatures' | 'clock' | 'crypto'> {
  signatureCalibrations: Pick<SignatureCalibrations, 'of'>;
  comparisons: SignatureComparisons;
}

type MatchingOutcome =
  | {
      kind: 'matched';
      /** The record that was kept. */
      record: NewSignatureComparison & { id: number };
      comparison: Exclude<SignatureComparison, { kind: 'refused' }>;
    }
  /** The faults of either image; nothing was compared or stored. */
  | { kind: 'refused'; faults: OfEither<SignatureFault> };

/**
 * Compares two signature images and keeps a record of it before it returns.
 * @param credential of the caller
 * @param options `pictures`: draw the ink that the matcher compared, for a person
 */
export async function matchSignatures(
  ports: MatchingPorts,
  company: Company,
  credential: Actor,
  pair: ImagePair,
  options: { pictures: boolean } = { pictures: false },
): Promise<MatchingOutcome> {
  const began = ports.clock.now();
  const compared = await ports.signatures.compare(pair.image1, pair.image2, {
    ...options,
    company: company.id,
  });
  if (compared.kind === 'refused') return compared;
  const thresholds = company.settings.signatures;
  const { scale } = await scaleOf(ports, company.id);
  const comparison = withoutDoubtfulVerdict(compared, scale, thresholds);
  const similarity = comparison.kind === 'compared' ? scale(comparison.similarity) : null;
  const record: NewSignatureComparison = {
    templateId: pair.templateId,
    verificationId: pair.verificationId,
    credential,
    at: ports.clock.now(),
    similarity,
    verdict: verdictOf(similarity, thresholds),
    reasons: comparison.kind === 'inconclusive' ? comparison.reasons : {},
    thresholds,
    modelVersion: comparison.modelVersion,
    sha256: hashesOf(ports.crypto, pair),
  };
  const id = await ports.comparisons.record(company.id, record, began);
  return { kind: 'matched', record: { ...record, id }, comparison };
}

/** Images that give a reason to doubt their verdict are inconclusive instead. */
function withoutDoubtfulVerdict(
  comparison: Exclude<SignatureComparison, { kind: 'refused' }>,
  scale: SignatureScale,
  thresholds: SignatureSettings,
): Exclude<SignatureComparison, { kind: 'refused' }> {
  if (comparison.kind !== 'compared') return comparison;
  const { doubts, similarity, modelVersion, pictures } = comparison;
  const doubt = doubtOf(verdictOf(scale(similarity), thresholds), doubts);
  if (doubt === undefined) return comparison;
  return { kind: 'inconclusive', reasons: doubt.reasons, modelVersion, ...(pictures && { pictures }) };
}

/** The doubt that leaves a verdict open. */
export const doubtOf = <Reasons>(verdict: Verdict, doubts: readonly Doubts<Reasons>[]) =>
  doubts.find(({ verdicts }) => verdicts.includes(verdict));

/** The scale of a company, and its id: its own where it has measured one with this version of the matcher. */
export async function scaleOf(
  { signatures, signatureCalibrations }: Pick<MatchingPorts, 'signatures' | 'signatureCalibrations'>,
  company: Company['id'],
): Promise<{ scale: SignatureScale; calibrationId: string }> {
  const { modelVersion } = signatures;
  const own = await signatureCalibrations.of(company, modelVersion);
  if (own === undefined) return { scale: SHIPPED_SCALE, calibrationId: modelVersion };
  return {
    scale: scaleThrough(own.measured.fixedPoints),
    calibrationId: `${modelVersion} own ${own.appliedAt.toISOString()}`,
  };
}

/**
 * Where a similarity falls between the company's two thresholds; a threshold belongs to the band above it.
 * @param similarity 0 to 100; null: the images could not be compared
 */
export function verdictOf(similarity: number | null, thresholds: SignatureSettings): Verdict {
  if (similarity === null) return 'INCONCLUSIVE';
  if (similarity >= thresholds.match) return 'MATCH';
  return similarity >= thresholds.possibleMatch ? 'POSSIBLE_MATCH' : 'NO_MATCH';
}

/** SHA-256 of both files, lowercase hex. */
export function hashesOf(
  crypto: CryptoPort,
  { image1, image2 }: Pick<ImagePair, 'image1' | 'image2'>,
): NewSignatureComparison['sha256'] {
  return { image1: hexOf(crypto.sha256(image1)), image2: hexOf(crypto.sha256(image2)) };
}
