/** Which faces are refused for enrolment, and with which reason: the first that applies. */
import type { QualityMeasures } from '../contracts/faces.ts';
import type { FailureCode } from '../contracts/errors/failures.ts';
import type { QualityThresholds } from '../contracts/settings.ts';

/** Undefined when the face may be enrolled. What a better photo must change first is said first. */
export function refusal(measures: QualityMeasures, gate: QualityThresholds): FailureCode | undefined {
  return refusals(measures, gate)[0];
}

/** Every reason against enrolling a face; what a better photo must change first comes first. */
export function refusals(measures: QualityMeasures, gate: QualityThresholds): FailureCode[] {
  return RULES.flatMap(([code, refuses]) => (refuses(measures, gate) ? [code] : []));
}

type Rule = readonly [FailureCode, (measures: QualityMeasures, gate: QualityThresholds) => boolean];

const RULES: readonly Rule[] = [
  ['FACE_CROPPED', ({ inFrame }, gate) => inFrame < gate.minInFrame],
  ['FACE_TOO_SMALL', ({ interEyeDistance }, gate) => interEyeDistance < gate.minInterEyeDistance],
  ['TOO_DARK', ({ brightness }, gate) => brightness < gate.minBrightness],
  ['TOO_BRIGHT', ({ brightness }, gate) => brightness > gate.maxBrightness],
  [
    'EXTREME_POSE',
    ({ yaw, pitch, roll }, gate) =>
      Math.abs(yaw) > gate.maxYaw || Math.abs(pitch) > gate.maxPitch || Math.abs(roll) > gate.maxRoll,
  ],
  ['LOW_SHARPNESS', ({ sharpness }, gate) => sharpness < gate.minSharpness],
  [
    'FACE_OBSCURED',
    ({ eyesCovered, mouthCovered }, gate) => Math.max(eyesCovered, mouthCovered) > gate.maxCovered,
  ],
  ['NEAR_BORDER', ({ borderDistance }, gate) => borderDistance < gate.minBorderDistance],
];
