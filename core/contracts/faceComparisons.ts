/** Wire shapes and texts of comparing two faces. The answer has the form of signature matching, with the bands of faces. */
import { z } from 'zod';
import { faceLikelihood } from './certainty.ts';
import { SCORE_BANDS } from './codes.ts';
import { signatureMatchResponse, type Verdict } from './signatures.ts';
import { imageField, textReference } from './verifications.ts';

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
