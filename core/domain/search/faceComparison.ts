/** Two photos, one face each: how similar the two faces are. Nothing is enrolled, and no image or template is kept. */
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { Verdict } from '../../contracts/signatures.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { Company } from '../ports/companies.ts';
import type { Comparisons, ImagePair, NewComparison, OfEither } from '../ports/comparisons.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import type { Clock } from '../ports/machine.ts';
import type { RecognitionPort } from '../ports/recognition.ts';
import {
  DEFAULT_FMR,
  STRONG_FMR,
  bandOf,
  fmrAtDistance,
  scoreAtFmr,
  similarityScore,
  type Band,
} from '../scores/scores.ts';
import { hashesOf } from '../signatures/matching.ts';

export type FaceComparisons = Comparisons<FailureCode>;

interface FaceComparisonPorts {
  vision: Pick<RecognitionPort, 'of'>;
  faceComparisons: FaceComparisons;
  clock: Clock;
  crypto: CryptoPort;
}

export interface FaceComparison {
  verdict: Verdict;
  /** Why a photo could not be compared; empty for any verdict but INCONCLUSIVE. */
  reasons: OfEither<FailureCode>;
  /** 0 to 100, the band of it, and the rate of other pairs that are as near; null: not compared. */
  similarity: number | null;
  band: Band | null;
  falseMatchRate: number | null;
}

const VERDICT_OF: Record<Band, Verdict> = {
  strong: 'MATCH',
  possible: 'POSSIBLE_MATCH',
  none: 'NO_MATCH',
};

/**
 * Compares the faces of two photos by the pipeline, the calibration and the bands of the company's searches, and keeps a
 * record before it answers. Symmetric in its images. A photo without a single usable face makes the answer INCONCLUSIVE.
 * @throws {UnavailableError} the company's pipeline is not installed, or its workers are gone; nothing is recorded
 */
export async function compareFaces(
  ports: FaceComparisonPorts,
  company: Company,
  credential: Actor,
  pair: ImagePair,
): Promise<FaceComparison> {
  const { pipelineId, calibration, enrol } = boundRecogniser(ports, company);
  const [one, other] = await Promise.all([enrol(pair.image1), enrol(pair.image2)]);
  const reasons: OfEither<FailureCode> = {
    ...(one.kind === 'refused' && { image1: one.code }),
    ...(other.kind === 'refused' && { image2: other.code }),
  };
  const distance =
    one.kind === 'face' && other.kind === 'face'
      ? distanceOf(one.face.template.vector, other.face.template.vector)
      : null;
  const band = distance === null ? null : bandOf(calibration, distance);
  const verdict = band === null ? 'INCONCLUSIVE' : VERDICT_OF[band];
  const similarity = distance === null ? null : similarityScore(calibration, distance);
  const record: NewComparison<FailureCode> = {
    templateId: pair.templateId,
    verificationId: pair.verificationId,
    credential,
    at: ports.clock.now(),
    similarity,
    verdict,
    reasons,
    thresholds: { match: scoreAtFmr(STRONG_FMR), possibleMatch: scoreAtFmr(DEFAULT_FMR) },
    modelVersion: pipelineId,
    sha256: hashesOf(ports.crypto, pair),
  };
  await ports.faceComparisons.record(company.id, record);
  const falseMatchRate = distance === null ? null : fmrAtDistance(calibration, distance);
  return { verdict, reasons, similarity, band, falseMatchRate };
}

function boundRecogniser({ vision }: FaceComparisonPorts, company: Company) {
  const recogniser = vision.of(company.id);
  const { gate } = company.settings;
  return {
    pipelineId: recogniser.pipelineId,
    calibration: recogniser.calibration,
    enrol: (image: Uint8Array) => recogniser.enrol(image, { gate, priority: 'interactive' }),
  };
}

/** Euclidean, between unit vectors: 0 to 2. The same to the last bit when the vectors change places. */
function distanceOf(one: Float32Array, other: Float32Array): number {
  return Math.sqrt(one.reduce((sum, value, index) => sum + (value - other[index]!) ** 2, 0));
}
