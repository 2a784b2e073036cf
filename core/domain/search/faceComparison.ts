/** Two photos, one face each: how similar the two faces are. Nothing is enrolled, and no image or template is kept. */
import type { Box, ImageFacts, Template } from '../../contracts/faces.ts';
import type { FaceCertainty } from '../../contracts/certainty.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { Verdict } from '../../contracts/signatures.ts';
import type { Actor, Company } from '../ports/auditContext.ts';
import type { ComparisonRecord, ImagePair, NewComparison, OfEither } from '../ports/comparisons.ts';
import type { FaceMeasurement, MeasuredFace, Recogniser, RecognitionPort } from '../ports/recognition.ts';
import {
  distanceOf,
  DEFAULT_FMR,
  STRONG_FMR,
  bandOf,
  fmrAtDistance,
  scoreAtFmr,
  similarityScore,
  type Band,
  type Calibration,
  faceLikelihood,
} from '../scores/scores.ts';
import { hashesOf } from '../signatures/matching.ts';
import type { Comparisons } from '../../storage/screening/comparisons.ts';
import type { Parts } from '../serviceParts.ts';

export type FaceComparisons = Comparisons<NewComparison<FailureCode>>;

interface FaceComparisonPorts extends Pick<Parts, 'clock' | 'crypto'> {
  vision: Pick<RecognitionPort, 'of'>;
  faceComparisons: FaceComparisons;
}

export interface FaceComparison {
  verdict: Verdict;
  /** Why a photo could not be compared; empty for any verdict but INCONCLUSIVE. */
  reasons: OfEither<FailureCode>;
  /** 0 to 100, the band of it, and how certain it is; null: not compared. */
  similarity: number | null;
  band: Band | null;
  certainty: FaceCertainty | null;
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
  const recogniser = ports.vision.of(company.id);
  const began = ports.clock.now();
  const side = async (image: Uint8Array): Promise<ComparedSide> => {
    const { gate } = company.settings;
    const analysis = await recogniser.enrol(image, { gate, priority: 'interactive' });
    return analysis.kind === 'face' ? analysis.face.template : { code: analysis.code };
  };
  const sides = await Promise.all([side(pair.image1), side(pair.image2)]);
  return recordComparison(ports, recogniser, { company, credential, pair, sides, began });
}

/** A photo of a comparison: its faces, and which of them is compared. */
export interface ComparedPhoto {
  image: ImageFacts | null;
  /** Largest first. */
  faces: readonly MeasuredFace[];
  /** Heads that are covered or unclear: none of them can be compared. */
  unclear: readonly Box[];
  /** Position in `faces`; null: there is none, or the operator must choose. */
  chosen: number | null;
}

export interface ChosenComparison {
  photos: readonly [ComparedPhoto, ComparedPhoto];
  /** null: a photo shows several faces and none of them was chosen; nothing was compared or recorded. */
  comparison: (FaceComparison & { record: FaceComparisonRecord }) | null;
}

/**
 * The same comparison for an operator, who sees the faces of both photos and can choose among several. Each face obeys
 * the quality thresholds of enrolment.
 * @param chosen positions among the faces of either photo, as an earlier answer listed them
 */
export async function compareChosenFaces(
  ports: FaceComparisonPorts,
  company: Company,
  credential: Actor,
  pair: ImagePair,
  chosen: Record<keyof OfEither<number>, number | undefined>,
): Promise<ChosenComparison> {
  const recogniser = ports.vision.of(company.id);
  const began = ports.clock.now();
  const { gate } = company.settings;
  const look = async (key: 'image1' | 'image2') => {
    const measured = await recogniser.measure(pair[key], { kind: 'photo', gate });
    const looked = lookAt(measured, chosen[key]);
    if (!looked.mustChoose) return looked;
    // Several faces of one person need no choice; which of them is used, enrolment decides.
    const analysis = await recogniser.enrol(pair[key], { gate, priority: 'interactive' });
    if (analysis.kind !== 'face' || analysis.found?.onePerson !== true) return looked;
    const { box: used } = analysis.face;
    const position = looked.photo.faces.findIndex(({ box }) => box.x === used.x && box.y === used.y);
    return position < 0 ? looked : lookAt(measured, position);
  };
  const [one, other] = await Promise.all([look('image1'), look('image2')]);
  const photos = [one.photo, other.photo] as const;
  if (one.mustChoose || other.mustChoose) return { photos, comparison: null };
  const side = async (image: Uint8Array, { photo, code }: LookedAt): Promise<ComparedSide> => {
    const face = photo.chosen === null ? undefined : photo.faces[photo.chosen];
    if (code !== undefined || face === undefined) return { code: code ?? 'NO_FACE' };
    const extracted = await recogniser.reextract(image, face.box, 'interactive');
    return extracted.kind === 'extracted' ? extracted.template : { code: extracted.code };
  };
  const sides = await Promise.all([side(pair.image1, one), side(pair.image2, other)]);
  const comparison = await recordComparison(ports, recogniser, { company, credential, pair, sides, began });
  return { photos, comparison };
}

interface LookedAt {
  photo: ComparedPhoto;
  /** Several faces, and none of them is chosen. */
  mustChoose: boolean;
  /** Why the photo or the chosen face cannot be compared. */
  code: FailureCode | undefined;
}

function lookAt(measured: FaceMeasurement, chosen: number | undefined): LookedAt {
  if (measured.kind === 'refused')
    return {
      photo: { image: null, faces: [], unclear: [], chosen: null },
      mustChoose: false,
      code: measured.code,
    };
  const { image, faces, unclear, refusals } = measured;
  const several = refusals.includes('MULTIPLE_FACES');
  const position = chosen !== undefined && chosen < faces.length ? chosen : several ? null : 0;
  const face = position === null ? undefined : faces[position];
  return {
    photo: { image, faces, unclear, chosen: face === undefined ? null : position },
    mustChoose: several && position === null,
    code: face === undefined ? refusals[0] : face.refusals[0],
  };
}

/** The template of a face, or why there is none. */
type ComparedSide = Template | { code: FailureCode };
export type FaceComparisonRecord = ComparisonRecord<FailureCode>;

async function recordComparison(
  ports: FaceComparisonPorts,
  { calibration, pipelineId }: Recogniser,
  compared: {
    company: Company;
    credential: Actor;
    pair: ImagePair;
    sides: readonly [ComparedSide, ComparedSide];
    began: Date;
  },
): Promise<FaceComparison & { record: FaceComparisonRecord }> {
  const { company, credential, pair, sides, began } = compared;
  const [one, other] = sides;
  const reasons: OfEither<FailureCode> = {
    ...('code' in one && { image1: one.code }),
    ...('code' in other && { image2: other.code }),
  };
  const distance = 'code' in one || 'code' in other ? null : distanceOf(one.vector, other.vector);
  const band = distance === null ? null : bandOf(calibration, distance);
  const verdict = verdictOf(band);
  const similarity = distance === null ? null : similarityScore(calibration, distance);
  const comparison: NewComparison<FailureCode> = {
    templateId: pair.templateId,
    verificationId: pair.verificationId,
    credential,
    at: ports.clock.now(),
    similarity,
    verdict,
    reasons,
    thresholds: thresholds(),
    modelVersion: pipelineId,
    sha256: hashesOf(ports.crypto, pair),
  };
  const id = await ports.faceComparisons.record(company.id, comparison, began);
  const certainty = certaintyOf(calibration, similarity);
  return { verdict, reasons, similarity, band, certainty, record: { ...comparison, id } };
}

function verdictOf(band: Band | null): Verdict {
  return band === null ? 'INCONCLUSIVE' : VERDICT_OF[band];
}

const thresholds = () => ({ match: scoreAtFmr(STRONG_FMR), possibleMatch: scoreAtFmr(DEFAULT_FMR) });

/** A distance of two stored faces, read as a comparison of their photos is. */
export function comparisonOf(calibration: Calibration, distance: number) {
  const similarity = similarityScore(calibration, distance);
  return {
    similarity,
    verdict: verdictOf(bandOf(calibration, distance)),
    thresholds: thresholds(),
    certainty: certaintyOf(calibration, similarity),
  };
}

/**
 * How certain a recorded similarity is: screens, reports and programs have it from the record, so they agree.
 * @param calibration of the pipeline that compared; undefined: it is not installed
 * @returns null: nothing was compared, or the calibration is not known
 */
export function certaintyOf(
  calibration: Calibration | undefined,
  similarity: number | null,
): FaceCertainty | null {
  if (similarity === null || calibration === undefined) return null;
  // The distance of the similarity by halving: the score falls strictly with the distance.
  let [near, far] = [0, 2];
  for (let step = 0; step < 40; step += 1) {
    const middle = (near + far) / 2;
    if (similarityScore(calibration, middle) > similarity) near = middle;
    else far = middle;
  }
  const falseMatchRate = fmrAtDistance(calibration, far);
  const { likelihood } = calibration;
  return { falseMatchRate, likelihood: likelihood ? faceLikelihood(likelihood, falseMatchRate) : null };
}
