/** Portrait checks: quality components of ISO/IEC 29794-5, each for itself. */
import { z } from 'zod';
import { FAILURE_CODES } from './errors/failures.ts';
import { get, post } from './dashboard/operation.ts';
import { pathId } from './ids.ts';

/**
 * The 19 of the 28 components of ISO/IEC 29794-5 that landmarks and pixels support, in the order of the standard's clauses. The
 * others need networks for parsing, occlusion, expression and compression. The unified score is left out on purpose: it
 * differs by skin and sex on uniform studio photos (OFIQ-Project, issue 93), so it must not rank people.
 */
export const PORTRAIT_COMPONENTS = [
  ...['illuminationUniformity', 'luminanceMean', 'luminanceVariance', 'underExposurePrevention'],
  ...['overExposurePrevention', 'dynamicRange', 'naturalColour', 'singleFacePresent', 'eyesOpen'],
  ...['mouthClosed', 'interEyeDistance', 'headSize', 'leftwardCrop', 'rightwardCrop', 'marginAbove'],
  ...['marginBelow', 'headPoseYaw', 'headPosePitch', 'headPoseRoll'],
] as const;
export type PortraitComponent = (typeof PORTRAIT_COMPONENTS)[number];

/** `native`: the measure in its own unit; `value`: the quality component, 0 (worst) to 100, by the standard's mapping. */
export const portraitCheck = z.object({
  component: z.enum(PORTRAIT_COMPONENTS),
  native: z.number(),
  value: z.number().int().min(0).max(100),
});
export type PortraitCheck = z.infer<typeof portraitCheck>;

/** Of the face asked for, or of the largest one of a file. */
export const portraitChecks = z.object({
  /** Why nothing could be measured; null: it was. */
  refused: z.enum(FAILURE_CODES).nullable(),
  checks: z.array(portraitCheck),
});
export type PortraitChecks = z.infer<typeof portraitChecks>;

/** The dashboard's operations. */
export const portraitApi = {
  /** Of an enrolled face, measured on its stored photo. */
  ofFace: get('/faces/:id/portrait', 'images:read', {
    params: z.object({ id: pathId.face }),
    answer: portraitChecks,
  }),
  /** Of a photo, which is the body and is stored nowhere. */
  ofFile: post('/pictures/portrait', 'session', { answer: portraitChecks }),
};
