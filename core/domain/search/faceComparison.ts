/** Two photos, one face each: how similar the two faces are. Nothing is enrolled, and no image or template is kept. */
import { FAILURES, type FailureCode } from '../../contracts/errors/failures.ts';
import { FACE_VERDICT_TEXT, type FaceCompareResponse } from '../../contracts/faceComparisons.ts';
import type { Verdict } from '../../contracts/signatures.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { Company } from '../ports/companies.ts';
import type { Comparisons, NewComparison, OfEither } from '../ports/comparisons.ts';
import type { Clock } from '../ports/machine.ts';
import type { RecognitionPort } from '../ports/recognition.ts';
import {
  DEFAULT_FMR,
  STRONG_FMR,
  fmrAtDistance,
  scoreAtFmr,
  similarityScore,
  verbalBand,
  type Band,
} from '../scores/scores.ts';
import { sha256Of } from '../signatures/matching.ts';
import { comparisonAnswer } from '../signatures/requests.ts';

export type FaceComparisons = Comparisons<FailureCode>;

interface FaceComparisonPorts {
  vision: Pick<RecognitionPort, 'of'>;
  faceComparisons: FaceComparisons;
  clock: Clock;
}

export interface FacePair {
  /** JPEG or PNG by their content; the caller has checked that. */
  image1: Uint8Array;
  image2: Uint8Array;
  /** The caller's own grouping and reference, kept with the record. */
  templateId: string;
  verificationId: string;
}

const VERDICT_OF: Record<Band | 'no match', Verdict> = {
  strong: 'MATCH',
  possible: 'POSSIBLE_MATCH',
  'no match': 'NO_MATCH',
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
  pair: FacePair,
): Promise<FaceCompareResponse> {
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
  const band = distance === null ? null : verbalBand(calibration, distance);
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
    sha256: { image1: sha256Of(pair.image1), image2: sha256Of(pair.image2) },
  };
  await ports.faceComparisons.record(company.id, record);
  const message = [FACE_VERDICT_TEXT[verdict], ...reasonSentences(reasons)].join(' ');
  const answer = comparisonAnswer({ verdict, similarity: similarity ?? 0, message });
  const result = {
    ...answer.result,
    band: band === 'no match' ? null : band,
    false_match_rate: distance === null ? null : fmrAtDistance(calibration, distance),
  };
  return { ...answer, result };
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

function reasonSentences(reasons: OfEither<FailureCode>): string[] {
  return (['image1', 'image2'] as const).flatMap((key) => {
    const reason = reasons[key];
    return reason === undefined ? [] : [`${key}: ${FAILURES[reason].sentence}`];
  });
}
