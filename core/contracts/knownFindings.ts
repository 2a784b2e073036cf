/** The findings of a comparison with several known signatures, as they are recorded and shown. */
import { z } from 'zod';
import { SUPPORT_STRENGTHS } from './certainty.ts';
import { COMPLEXITY_CLASSES, KNOWN_WARNINGS } from './knownSignatures.ts';
import { SIGNATURE_REASONS } from './signatures.ts';

const similarity = z.number().min(0).max(100);
/** Position among the known signatures, from 0. */
const index = z.number().int().min(0);
const complexity = z.enum(COMPLEXITY_CLASSES);

/** log10 of a likelihood ratio, the farthest values that the validation supports, and the ratio in words. */
export const likelihoodRatio = z.object({
  log10: z.number(),
  bounds: z.object({ lowest: z.number(), highest: z.number() }),
  support: z.object({
    favours: z.enum(['known_writer', 'alternative', 'neither']),
    strength: z.enum(SUPPORT_STRENGTHS),
  }),
});
const ratios = z.object({ imitation: likelihoodRatio, stranger: likelihoodRatio });

/** Similarities follow the scale of the company at the time of the comparison. */
export const knownFindings = z.object({
  /** Null: the known signatures form two groups. */
  ratios: ratios.nullable(),
  /** How many known signatures are closer to the other known ones than the questioned one is; null: fewer than three. */
  typicality: z.object({ closer: z.number().int(), of: z.number().int() }).nullable(),
  agreement: z.object({
    similarity: similarity.nullable(),
    differing: z.object({ index, ratiosWithout: ratios }).nullable(),
    groups: z.tuple([z.array(index), z.array(index)]).nullable(),
  }),
  /** In the order in which the known signatures were given. */
  known: z.array(z.object({ similarity, toOthers: similarity.nullable(), complexity })),
  nearest: index,
  farthest: index,
  /** Of the questioned signature. */
  complexity,
  warnings: z.array(z.enum(KNOWN_WARNINGS)),
});
export type KnownFindings = z.infer<typeof knownFindings>;

const reason = z.enum(SIGNATURE_REASONS);

/** The part of a record that a comparison of two images does not have. The images themselves are not kept. */
export const knownSetRecord = z.object({
  /** The caller stated that not all signatures were written on one medium. */
  acrossMedia: z.boolean(),
  /** Of the scale of its similarities: the company's own calibration, or that of the matcher. */
  calibrationId: z.string(),
  /** Of the files, lowercase hex. */
  sha256: z.object({ questioned: z.string(), known: z.array(z.string()) }),
  /** Why an image could not be compared; null: it could. */
  reasons: z.object({ questioned: reason.nullable(), known: z.array(reason.nullable()) }),
  /** Null: an image could not be compared. */
  findings: knownFindings.nullable(),
});
export type KnownSetRecord = z.infer<typeof knownSetRecord>;
