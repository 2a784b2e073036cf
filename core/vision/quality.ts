/** Measures a face, sums the measures up in one score that predicts recognition errors, and says which faces are refused. */
import type { Box, ImageFacts, Quality, QualityMeasures } from '../contracts/faces.ts';
import { exposure, faceRegion, focus, SHARPEST } from './faceRegion.ts';
import type { FailureCode } from '../contracts/errors/failures.ts';
import type { QualityThresholds } from '../contracts/settings.ts';
import type { ImageView } from './imageView.ts';
import { interEyeDistance, type MeshedFace } from './mesh.ts';
import { occlusion } from './occlusion.ts';
import fittedCosts from './quality.json' with { type: 'json' };

/** Properties of the whole image that affect the quality of its faces. */
export interface MeasuredImage {
  facts: ImageFacts;
  quantisation: number;
}

export function measureQuality(
  view: ImageView,
  { facts, quantisation }: MeasuredImage,
  face: MeshedFace,
): Quality {
  const region = faceRegion(view, face);
  const measures: QualityMeasures = {
    interEyeDistance: interEyeDistance(face),
    faceWidth: face.box.width,
    ...face.pose,
    ...focus(view, face, region),
    ...exposure(region),
    borderDistance: borderDistance(face.box, facts),
    inFrame: inFrame(face, facts),
    ...occlusion(region),
    quantisation,
  };
  return { score: score(measures), measures };
}

/** Smallest distance of the box to an edge of the image, in box widths; negative beyond it. */
function borderDistance(box: Box, { width, height }: ImageFacts): number {
  const nearest = Math.min(box.x, box.y, width - box.x - box.width, height - box.y - box.height);
  return nearest / box.width;
}

function inFrame({ points }: MeshedFace, { width, height }: ImageFacts): number {
  const inside = points.filter(({ x, y }) => x >= 0 && y >= 0 && x <= width && y <= height);
  return inside.length / points.length;
}

/**
 * By fault, never negative (no fault improves a score): by how much it lowers the logarithm of the odds that another
 * photo of the same person matches. Fitted by `npm run research -- quality`.
 */
export type FaultCosts = Readonly<Record<FaultName, number>>;

/**
 * The faults of a face that press photos and their alterations can teach the cost of; 0 where there is none, rising
 * with the fault, most from 0 to 1.
 */
export function faults(measures: QualityMeasures) {
  const { brightness } = measures;
  return {
    blur: ramp(measures.sharpness, 0.5, 0.1),
    grain: ramp(measures.grain, SHARPEST, 0.75),
    dimness: ramp(brightness, 0.45, 0.02),
    blackness: Math.sqrt(ramp(measures.underexposed, 0.05, 0.8)),
    whiteness: Math.sqrt(ramp(measures.overexposed, 0.02, 0.6)),
    pitch: ramp(Math.abs(measures.pitch), 15, 70),
    roll: ramp(Math.abs(measures.roll), 20, 180),
    smallness: Math.log(Math.max(1, 40 / Math.max(1, measures.interEyeDistance))),
    compression: Math.log(Math.max(1, measures.quantisation / 25)),
    eyesCovered: measures.eyesCovered ** 2,
    mouthCovered: measures.mouthCovered ** 2,
  };
}
export type FaultName = keyof ReturnType<typeof faults>;

/**
 * 100 for a face without fault; 50 where the odds of a match are a quarter of that face's, 25 where a sixteenth. What
 * the photos at hand cannot teach the cost of (large yaw, faces that leave the image) takes away a share by hand.
 */
export function score(measures: QualityMeasures, costs: FaultCosts = fittedCosts): number {
  const found = Object.entries(faults(measures)) as [FaultName, number][];
  const cost = found.reduce((sum, [name, fault]) => sum + costs[name] * fault, 0);
  const others =
    ramp(Math.abs(measures.yaw), 80, 25) *
    ramp(measures.borderDistance, -0.6, -0.1) *
    ramp(measures.inFrame, 0.4, 0.95);
  return Math.round(100 * Math.exp(-cost / 2) * others);
}

/** 0 at `from`, 1 at `to`, straight in between; either order. */
function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

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
  ['FACE_CROPPED', (face, gate) => face.inFrame < gate.minInFrame],
  ['FACE_TOO_SMALL', (face, gate) => face.interEyeDistance < gate.minInterEyeDistance],
  ['TOO_DARK', (face, gate) => face.brightness < gate.minBrightness],
  ['TOO_BRIGHT', (face, gate) => face.brightness > gate.maxBrightness],
  [
    'EXTREME_POSE',
    (face, gate) =>
      Math.abs(face.yaw) > gate.maxYaw ||
      Math.abs(face.pitch) > gate.maxPitch ||
      Math.abs(face.roll) > gate.maxRoll,
  ],
  ['LOW_SHARPNESS', (face, gate) => face.sharpness < gate.minSharpness],
  ['FACE_OBSCURED', (face, gate) => Math.max(face.eyesCovered, face.mouthCovered) > gate.maxCovered],
  ['NEAR_BORDER', (face, gate) => face.borderDistance < gate.minBorderDistance],
];
