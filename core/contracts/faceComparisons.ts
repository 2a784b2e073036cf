/** Wire shapes and texts of comparing two faces. The answer has the form of signature matching, with the bands of faces. */
import { z } from 'zod';
import { faceLikelihood, faceCertainty } from './certainty.ts';
import { SCORE_BANDS } from './codes.ts';
import { signatureMatchResponse, type Verdict } from './signatures.ts';
import { imageField, textReference } from './verifications.ts';
import { FAILURE_CODES } from './errors/failures.ts';
import { box, point } from './dashboard/faceImages.ts';
import { REPORT_LANGUAGES } from './dashboard/search.ts';
import { comparisonPage, comparisonRow, comparisonQuery } from './dashboard/signatures.ts';
import { get, post } from './dashboard/operation.ts';

export const faceCompareRequest = z.object({
  image1: imageField('image1'),
  image2: imageField('image2'),
  template_id: textReference('template_id').describe("the caller's grouping, kept with the record"),
  verification_id: textReference('verification_id').describe("the caller's reference, kept with the record"),
});

export const faceCompareResponse = signatureMatchResponse.extend({
  result: signatureMatchResponse.shape.result.extend({
    band: z
      .enum(SCORE_BANDS)
      .exclude(['none'])
      .nullable()
      .describe('strong from 85, possible from 70; null: below the threshold, or not compared'),
    false_match_rate: z
      .number()
      .nullable()
      .describe(
        'share of pairs of different people that are at least as similar, to three digits; null: not compared',
      ),
    likelihood_ratio: faceLikelihood
      .nullable()
      .describe('one person against two people; null: not compared, or not measured with this pipeline'),
  }),
});
export type FaceCompareResponse = z.infer<typeof faceCompareResponse>;

/** The meaning of each verdict about two faces. */
export const FACE_VERDICT_TEXT: Record<Verdict, string> = {
  MATCH: 'Face comparison completed successfully.',
  POSSIBLE_MATCH: 'Face comparison completed. The faces are similar, but a person has to decide.',
  NO_MATCH: 'Face comparison completed. The similarity is below the threshold of a possible match.',
  INCONCLUSIVE: 'Face comparison could not reach a result.',
};

/** Face comparisons in the dashboard: numbers and references, never the images. */
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

const byId = z.object({ id: z.coerce.number().int().min(1) });
/** The dashboard's operations. */
export const faceComparisonApi = {
  list: get('/face-comparisons', 'faces:compare', { query: comparisonQuery, answer: faceComparisonPage }),
  read: get('/face-comparisons/:id', 'faces:compare', { params: byId, answer: faceComparisonRow }),
  compare: post('/face-comparisons', 'faces:compare', {
    body: faceComparisonRequest,
    answer: faceComparisonAnswer,
  }),
  report: post('/face-comparisons/:id/report', 'exports:create', {
    params: byId,
    body: faceComparisonReportRequest,
  }),
};
