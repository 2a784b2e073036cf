/** Measures a face and sums the measures up in one score that predicts recognition errors. */
import type { Box, ImageFacts, Quality, QualityMeasures } from '../contracts/faces.ts';
import { exposure } from './exposure.ts';
import { faceRegion } from './faceRegion.ts';
import type { ImageView } from './imageView.ts';
import { interEyeDistance, type MeshedFace } from './mesh.ts';
import { occlusion } from './occlusion.ts';
import { sharpness } from './sharpness.ts';

/** What of the image as a whole bears on the quality of a face in it. */
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
    sharpness: sharpness(region),
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

/** Each measure takes away a share of the score; the shares multiply, since two faults are worse than one. */
function score(measures: QualityMeasures): number {
  const { interEyeDistance: eyes, sharpness: focus, brightness, yaw, pitch, roll } = measures;
  const factors = [
    ramp(eyes, 6, 40),
    ramp(focus, 0.1, 0.5),
    ramp(Math.abs(yaw), 80, 10),
    ramp(Math.abs(pitch), 70, 15),
    ramp(Math.abs(roll), 300, 20),
    ramp(brightness, 0.02, 0.25) * ramp(brightness, 1, 0.85),
    ramp(measures.overexposed, 0.6, 0.05),
    ramp(measures.underexposed, 0.8, 0.1),
    ramp(measures.borderDistance, -0.6, -0.1),
    ramp(measures.inFrame, 0.4, 0.95),
    ramp(measures.quantisation, 400, 60),
    1 - 0.8 * Math.max(measures.eyesCovered, measures.mouthCovered),
  ];
  return Math.round(100 * factors.reduce((product, factor) => product * factor, 1));
}

/** 0 at `bad`, 1 at `good`, straight in between; either order. */
function ramp(value: number, bad: number, good: number): number {
  return Math.min(1, Math.max(0, (value - bad) / (good - bad)));
}
