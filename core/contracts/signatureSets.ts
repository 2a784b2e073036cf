/** Wire shapes of comparing a questioned signature with several known ones. v1 speaks snake_case. */
import { supportStrength } from './certainty.ts';
import { z } from 'zod';
import { problem, sentenceOf } from './errors/problem.ts';
import {
  COMPLEXITY_CLASSES,
  KNOWN_ALTERNATIVES,
  KNOWN_SIGNATURE_LIMITS,
  KNOWN_WARNINGS,
} from './knownSignatures.ts';
import { dataUriField, nameField, signatureMatchResponse } from './signatures.ts';

const { least, most, bytes, bytesTogether } = KNOWN_SIGNATURE_LIMITS;
const MIB = 1024 * 1024;
const count = () => sentenceOf(problem('SIGNATURE_SET_COUNT', { least, most }));

export const signatureSetRequest = z.object({
  questioned: dataUriField('questioned'),
  known: z
    .array(dataUriField('known'), { error: count })
    .min(least, { error: count })
    .max(most, { error: count })
    .describe(
      `${least} to ${most} signatures of one writer, each as questioned; at most ${bytes / MIB} MiB each, and ${bytesTogether / MIB} MiB with the questioned one`,
    ),
  template_id: nameField('template_id').describe("the caller's grouping of requests"),
  verification_id: nameField('verification_id').describe("the caller's id of this verification"),
  across_media: z
    .boolean({ error: 'The across_media field must be true or false.' })
    .default(false)
    .describe('not all signatures were written on one medium (paper, tablet)'),
});
export type SignatureSetRequest = z.infer<typeof signatureSetRequest>;

/** A value for each alternative: another person imitated the known signatures, or signed without a model. */
const ofEach = <T extends z.ZodType>(shape: T) => z.record(z.enum(KNOWN_ALTERNATIVES), shape);
const log10 = z.number().describe('positive: for the writer of the known signatures');
const ratios = ofEach(log10);
const bounds = ofEach(z.object({ lowest: z.number(), highest: z.number() }));
const similarity = z.number().min(0).max(100);
const errorRate = z.object({
  eer: z.number().describe('equal error rate at one threshold for all writers, 0 to 1'),
  from: z.number().describe('95 % interval over writers'),
  to: z.number(),
});
const index = z.number().int().min(0).describe('index into known');
const neighbour = z.object({ index, similarity });

/** Answer with HTTP 200. `similarity` is 0 in an inconclusive answer. */
export const signatureSetResponse = signatureMatchResponse.extend({
  result: signatureMatchResponse.shape.result.extend({
    log10_lr: ratios.nullable().describe('null: no value can be stated'),
    log10_lr_bounds: bounds.nullable().describe('the farthest values that the validation data support'),
    support: ofEach(
      z.object({
        favours: z.enum(['known_writer', 'alternative', 'neither']),
        strength: supportStrength,
      }),
    ).nullable(),
    typicality: z
      .object({ closer: z.number().int(), of: z.number().int() })
      .nullable()
      .describe('how many known signatures are closer to the other known ones than the questioned one is'),
    known: z
      .object({
        count: z.number().int(),
        consistency: similarity.nullable().describe('mean similarity of the known signatures to one another'),
        flagged: z.array(index).describe('known signatures that differ from the others'),
        without_flagged: ratios.nullable().describe('log10_lr without them'),
        without_flagged_bounds: bounds
          .nullable()
          .describe('log10_lr_bounds of the known signatures that remain'),
        groups: z.array(z.array(index)).nullable().describe('two groups that do not resemble each other'),
      })
      .nullable(),
    nearest: neighbour.nullable(),
    farthest: neighbour.nullable(),
    per_known: z.array(
      z.object({ similarity, to_others: similarity.nullable(), complexity: z.enum(COMPLEXITY_CLASSES) }),
    ),
    complexity: z.enum(COMPLEXITY_CLASSES).nullable().describe('of the questioned signature'),
    validity: z
      .array(
        z.object({
          medium: z.enum(['paper', 'across_media']),
          script: z.literal('Latin').describe('other scripts were not measured'),
          writers: z.number().int(),
          calibration_id: z.string().describe('the calibration of the likelihood ratios that was measured'),
          known: z.number().int().describe('known signatures in the measurement'),
          imitation: errorRate,
          stranger: errorRate,
        }),
      )
      .describe(
        'error rates on real signatures that the rule had never seen; empty in an inconclusive answer. Disguise, age and illness of a writer are in no rate',
      ),
    warnings: z.array(z.enum(KNOWN_WARNINGS)),
    model_version: z.string(),
    scale: z
      .object({
        calibration_id: z.string().describe("the company's own calibration, or that of the matcher"),
        possible_match: similarity,
        match: similarity,
      })
      .describe('what similarity and verdict rest on: the calibration of the scale, and both thresholds'),
  }),
});
export type SignatureSetResponse = z.infer<typeof signatureSetResponse>;

/** Parts of the answer that stand in it more than once; the description of the interface states each under a name. */
export const SIGNATURE_SET_PARTS = {
  SignatureErrorRate: errorRate,
  SignatureLogRatios: ratios,
  SignatureLogRatioBounds: bounds,
  SignatureNeighbour: neighbour,
};
