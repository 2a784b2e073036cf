/** Face comparisons in the dashboard: numbers and references, never the images. */
import { z } from 'zod';
import { faceCertainty } from '../certainty.ts';
import { FAILURE_CODES } from '../errors/failures.ts';
import { faceCompareRequest } from '../faceComparisons.ts';
import { box, point } from './faceImages.ts';
import { REPORT_LANGUAGES } from './search.ts';
import { comparisonPage, comparisonRow } from './signatures.ts';

const reason = z.enum(FAILURE_CODES).optional();

export const faceComparisonRow = comparisonRow.extend({
  reasons: z.object({ image1: reason, image2: reason }),
  /** Null: not compared, or the pipeline that compared is not installed any more. */
  certainty: faceCertainty.nullable(),
});
export type FaceComparisonRow = z.infer<typeof faceComparisonRow>;
export const faceComparisonPage = comparisonPage.extend({ items: z.array(faceComparisonRow) });

const position = z.number().int().min(0).max(999);

/** `POST /face-comparisons`: the fields of the public interface, and which face of a photo with several is compared. */
export const faceComparisonRequest = faceCompareRequest.extend({
  face1: position.optional(),
  face2: position.optional(),
});
export type FaceComparisonRequest = z.infer<typeof faceComparisonRequest>;

/** A photo of the comparison with its faces, largest first. Nothing of it is stored. */
const comparedPhoto = z.object({
  /** Pixels of the upright photo; null: it cannot be read. */
  size: z.object({ width: z.number(), height: z.number() }).nullable(),
  faces: z.array(z.object({ box, eyes: z.tuple([point, point]), quality: z.number().describe('0 to 100') })),
  /** Heads that are covered or unclear: none of them can be compared. */
  unclear: z.array(box),
  /** Position of the compared face; null: there is none, or the operator must choose. */
  chosen: position.nullable(),
});
export type ComparedPhoto = z.infer<typeof comparedPhoto>;

export const faceComparisonAnswer = z.object({
  photos: z.tuple([comparedPhoto, comparedPhoto]),
  /** null: a photo shows several faces and none of them was chosen. Nothing was compared or recorded. */
  comparison: faceComparisonRow.nullable(),
});
export type FaceComparisonAnswer = z.infer<typeof faceComparisonAnswer>;

/**
 * `POST /face-comparisons/{id}/report`: answers a PDF of the record. The photos are not stored, so the very files that
 * were compared come again; files with another hash are refused.
 */
export const faceComparisonReportRequest = faceComparisonRequest
  .pick({ image1: true, image2: true, face1: true, face2: true })
  .extend({ language: z.enum(REPORT_LANGUAGES).default('en') });
