import { DASHBOARD } from '../../contracts/dashboard/operation.ts';
import type { FaceImage, ScoreInterpretation } from '../../contracts/dashboard/faceImages.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { StoredFace, StoredMatch } from '../../storage/dashboard/dashboardQueries.ts';
import {
  DEFAULT_FMR,
  distanceAtFmr,
  falsePositiveIdentificationRate,
  fmrAtDistance,
  scoreAtFmr,
  similarityScore,
  STRONG_FMR,
  type Calibration,
} from '../../domain/scores/scores.ts';

/**
 * A distance as people read it.
 * @param targetFmr where a match begins; @param gallerySize how many faces were compared
 */
export function interpretScore(
  calibration: Calibration,
  distance: number,
  gallerySize: number,
  targetFmr = DEFAULT_FMR,
): ScoreInterpretation {
  const possible = distanceAtFmr(calibration, targetFmr);
  const strong = distanceAtFmr(calibration, STRONG_FMR);
  // The strong threshold is the last point of the calibration: nearer than that nothing was counted.
  const rate = falsePositiveIdentificationRate(
    fmrAtDistance(calibration, distance),
    Math.max(1, gallerySize),
  );
  return {
    score: similarityScore(calibration, distance),
    band: distance <= strong ? 'strong' : distance <= possible ? 'possible' : 'none',
    possibleFrom: similarityScore(calibration, possible),
    strongFrom: similarityScore(calibration, strong),
    oneIn: rate > 0 ? 1 / rate : null,
    beyondMeasured: distance < strong,
    gallerySize,
  };
}

/**
 * A match as it was written: score and band stay what they were, whatever serves or is calibrated by now.
 * @param calibration of the pipeline that measured it; undefined when that is not installed any more
 */
export function storedInterpretation(
  calibration: Calibration | undefined,
  { distance, score, band }: StoredMatch,
  gallerySize: number,
  targetFmr?: number,
): ScoreInterpretation {
  if (calibration !== undefined)
    return { ...interpretScore(calibration, distance, gallerySize, targetFmr), score, band };
  return {
    score,
    band,
    possibleFrom: scoreAtFmr(targetFmr ?? DEFAULT_FMR),
    strongFrom: scoreAtFmr(STRONG_FMR),
    oneIn: null,
    beyondMeasured: false,
    gallerySize,
  };
}

/** Where a face's pictures are, for an operator who may see them. */
export function pictureUrl(
  operator: SignedIn,
  faceId: number | null,
  what: 'thumbnail' | 'image',
): string | null {
  if (faceId === null || !mayRole(operator.role, 'images:read')) return null;
  return `${DASHBOARD}/faces/${faceId}/${what}`;
}

export function faceImageBody(operator: SignedIn, { faceId, name, person, ...face }: StoredFace): FaceImage {
  return {
    ...face,
    imageUrl: pictureUrl(operator, faceId, 'image'),
    thumbnailUrl: pictureUrl(operator, faceId, 'thumbnail'),
    fileName: name,
    quality: Math.round(face.quality),
    person: mayRole(operator.role, 'persons:read') ? person : null,
  };
}

/** A face that was erased after it matched: what was written of it stays, its picture is gone. */
export function placeholderFace(name: string): FaceImage {
  return {
    imageUrl: null,
    thumbnailUrl: null,
    width: 1,
    height: 1,
    box: null,
    eyes: null,
    fileName: name,
    sha256: null,
    quality: null,
    pipelineId: null,
    enrolledAt: null,
    person: null,
  };
}
