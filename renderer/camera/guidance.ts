/** The checks of a frame as the operator reads them. */
import type { FailureCode } from '../../core/contracts/errors/failures.ts';

export const CHECKS = ['face', 'distance', 'light', 'pose', 'sharpness', 'uncovered'] as const;
export type Check = (typeof CHECKS)[number];

/** Which check a reason belongs to; other reasons are of the picture as a whole. */
const CHECK_OF: Partial<Record<FailureCode, Check>> = {
  NO_FACE: 'face',
  MULTIPLE_FACES: 'face',
  FACE_TOO_SMALL: 'distance',
  FACE_CROPPED: 'distance',
  NEAR_BORDER: 'distance',
  TOO_DARK: 'light',
  TOO_BRIGHT: 'light',
  EXTREME_POSE: 'pose',
  LOW_SHARPNESS: 'sharpness',
  FACE_OBSCURED: 'uncovered',
};

/** The reasons that have a sentence of their own for a person at a camera. */
export const GUIDED = [
  'NO_FACE',
  'MULTIPLE_FACES',
  'FACE_TOO_SMALL',
  'FACE_CROPPED',
  'NEAR_BORDER',
  'TOO_DARK',
  'TOO_BRIGHT',
  'EXTREME_POSE',
  'LOW_SHARPNESS',
  'FACE_OBSCURED',
] as const satisfies readonly FailureCode[];

/** The first reason that a person at a camera can do something about. */
export function guidanceOf(refusals: readonly FailureCode[]): (typeof GUIDED)[number] | undefined {
  return GUIDED.find((code) => code === refusals.find((each) => CHECK_OF[each] !== undefined));
}

/** @returns the state of each check; without a face the other checks have none */
export function marksOf(refusals: readonly FailureCode[]): Record<Check, 'good' | 'bad' | 'unknown'> {
  const failed = new Set(refusals.map((code) => CHECK_OF[code]));
  const faceless = refusals.includes('NO_FACE') || refusals.some((code) => CHECK_OF[code] === undefined);
  const mark = (check: Check) => (failed.has(check) ? 'bad' : faceless ? 'unknown' : 'good');
  return Object.fromEntries(CHECKS.map((check) => [check, mark(check)])) as Record<
    Check,
    'good' | 'bad' | 'unknown'
  >;
}
