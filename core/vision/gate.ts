/** Which faces are refused for enrolment, and with which reason: the first that applies. */
import type { QualityMeasures } from '../contracts/faces.ts';
import type { FailureCode } from '../contracts/failures.ts';
import type { GateSettings } from '../contracts/settings.ts';

/** Undefined when the face may be enrolled. */
export function refusal(measures: QualityMeasures, gate: GateSettings): FailureCode | undefined {
  if (measures.interEyeDistance < gate.minInterEyeDistance) return 'FACE_TOO_SMALL';
  if (measures.brightness < gate.minBrightness) return 'TOO_DARK';
  if (measures.brightness > gate.maxBrightness) return 'TOO_BRIGHT';
  if (Math.abs(measures.yaw) > gate.maxYaw || Math.abs(measures.pitch) > gate.maxPitch) return 'EXTREME_POSE';
  if (measures.sharpness < gate.minSharpness) return 'LOW_SHARPNESS';
  return undefined;
}
