/** Names of what a comparison of one questioned signature with several known ones can say. */
import { shownRatio, strengthOf, type SupportStrength, SUPPORT_STRENGTHS } from './certainty.ts';
import { z } from 'zod';
import { namesOf } from './namesOf.ts';
import { SIGNATURE_REASONS, MEASURED_SIGNATURE_WRITERS, type MeasuredShare } from './signatures.ts';

/** How many known signatures one comparison takes, and the bytes of one image and of all of them together. */
export const KNOWN_SIGNATURE_LIMITS = {
  least: 2,
  most: 10,
  bytes: 4 * 1024 * 1024,
  bytesTogether: 24 * 1024 * 1024,
} as const;

/**
 * The two alternatives to "the writer of the known signatures wrote the questioned one naturally":
 * another person imitated them, or another person signed without a model. Each has a likelihood ratio of its own.
 */
export const KNOWN_ALTERNATIVES = ['imitation', 'stranger'] as const;
export type KnownAlternative = (typeof KNOWN_ALTERNATIVES)[number];

/** The verbal equivalents of a likelihood ratio. */
export interface Support {
  /** Which proposition it supports; neither where the strength is NONE. */
  favours: 'known_writer' | 'alternative' | 'neither';
  strength: SupportStrength;
}

/** @param log10Lr log10 of a likelihood ratio, positive for the writer of the known signatures */
export function supportOf(log10Lr: number): Support {
  const strength = strengthOf(log10Lr);
  if (strength === 'NONE') return { favours: 'neither', strength };
  return { favours: log10Lr > 0 ? 'known_writer' : 'alternative', strength };
}

/**
 * Whether a ratio near 1 overstates the support for the writer of the known signatures.
 * @param log10Lr log10 of a likelihood ratio; a stated 1 is about 0.3 measured (docs/explanation/signatures.md)
 */
export function overstatesSupport(log10Lr: number): boolean {
  return log10Lr >= 0 && shownRatio(log10Lr) <= 3;
}

/** For a reader of such a ratio. */
export const OVERSTATES_TEXT =
  'A likelihood ratio from 1 to 3 overstates the support: a stated 1 is about 0.3 in the measurements.';

/** Why a reader should be careful with a result: each warning as a sentence. */
export const KNOWN_WARNING_TEXT = {
  FEW_KNOWN: 'There are fewer than 5 known signatures. The result varies more than with 5 or more.',
  KNOWN_DISAGREE: 'The known signatures differ from one another more than those of most writers.',
  ONE_KNOWN_DIFFERS: 'One known signature differs from the others.',
  TWO_GROUPS: 'The known signatures form two groups that do not resemble each other. No value is stated.',
  CROSS_MEDIUM: 'Not all signatures were written on one medium. The error rates across media apply.',
  LOW_COMPLEXITY: 'The questioned signature is so simple that another writer copies it easily.',
  QUESTIONED_IS_COPY:
    'The questioned signature is more like a known one than two natural signatures are. It may be a copy or a tracing.',
  KNOWN_ARE_COPIES:
    'Two known signatures are more like each other than natural ones are. Copies count as one signature.',
  OUTSIDE_VALIDATION: 'The signatures are unlike those on which the error rates were measured.',
  FOREIGN_INK: 'Other ink was taken out of at least one image. A low similarity may be due to it.',
};
export type KnownWarning = keyof typeof KNOWN_WARNING_TEXT;
export const KNOWN_WARNINGS = namesOf(KNOWN_WARNING_TEXT);

/** How hard a signature is to imitate, by the number of turns of its line. */
export const COMPLEXITY_CLASSES = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type ComplexityClass = (typeof COMPLEXITY_CLASSES)[number];

// The findings of a comparison with several known signatures, as they are recorded and shown.

const similarity = z.number().min(0).max(100);
/** Position among the known signatures, from 0. */
const index = z.number().int().min(0);
const complexity = z.enum(COMPLEXITY_CLASSES);

/** log10 of a likelihood ratio, the farthest values that the validation supports, and the ratio in words. */
const likelihoodRatio = z.object({
  log10: z.number(),
  bounds: z.object({ lowest: z.number(), highest: z.number() }),
  support: z.object({
    favours: z.enum(['known_writer', 'alternative', 'neither']),
    strength: z.enum(SUPPORT_STRENGTHS),
  }),
});
const ratios = z.object({ imitation: likelihoodRatio, stranger: likelihoodRatio });

/** Similarities follow the scale of the company at the time of the comparison. */
const knownFindings = z.object({
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

// How often the comparison with several known signatures errs on real signatures that it had never seen.

const measured = (percent: number, from: number, to: number): MeasuredShare => ({
  share: percent / 100,
  from: from / 100,
  to: to / 100,
});

/** Null: not measured, because the writers of that set have too few signatures. */
interface KnownSetRate {
  of: KnownAlternative;
  /** How many signatures were known. */
  known: number;
  paper: MeasuredShare;
  media: MeasuredShare | null;
}

/** Equal error rates at one threshold for all writers, from docs/explanation/signatures.md (a test compares the two). */
export const KNOWN_SET_RATES: readonly KnownSetRate[] = [
  { of: 'imitation', known: 1, paper: measured(17.2, 10.5, 23.9), media: measured(32, 28.4, 34.5) },
  { of: 'imitation', known: 3, paper: measured(10.8, 6.3, 15.5), media: measured(19.1, 15.7, 23.2) },
  { of: 'imitation', known: 5, paper: measured(9.1, 4.8, 13.9), media: null },
  { of: 'imitation', known: 10, paper: measured(7.8, 4.2, 11.6), media: null },
  { of: 'stranger', known: 1, paper: measured(2.4, 0.7, 3.9), media: measured(3.5, 2.3, 4.7) },
  { of: 'stranger', known: 3, paper: measured(1, 0.2, 2), media: measured(1, 0.2, 1.4) },
  { of: 'stranger', known: 5, paper: measured(0.5, 0.1, 1), media: null },
  { of: 'stranger', known: 10, paper: measured(0.6, 0, 1.7), media: null },
];

/** The measurement that states how often a comparison errs, of one kind of media. */
interface KnownSetValidity extends Record<KnownAlternative, MeasuredShare> {
  medium: keyof typeof MEASURED_SIGNATURE_WRITERS;
  writers: number;
  /** How many signatures were known in the measurement. */
  known: number;
}

/** Errors with so many known signatures, or with the nearest smaller number that was measured: on paper, then across media. */
export function validityOf(count: number): KnownSetValidity[] {
  return (['paper', 'media'] as const).map((medium) => {
    const measuredOf = (of: KnownAlternative) =>
      KNOWN_SET_RATES.findLast((rate) => rate.of === of && rate.known <= count && rate[medium] !== null)!;
    const imitation = measuredOf('imitation');
    return {
      medium,
      writers: MEASURED_SIGNATURE_WRITERS[medium],
      known: imitation.known,
      imitation: imitation[medium]!,
      stranger: measuredOf('stranger')[medium]!,
    };
  });
}
