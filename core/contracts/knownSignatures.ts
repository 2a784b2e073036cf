/** Names of what a comparison of one questioned signature with several known ones can say. */
import { shownRatio, strengthOf, type SupportStrength } from './certainty.ts';

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

/** Why a reader should be careful with a result. */
export const KNOWN_WARNINGS = [
  /** Fewer than five known signatures: a result from so few varies more. */
  'FEW_KNOWN',
  /** The known signatures differ from one another more than those of most writers. */
  'KNOWN_DISAGREE',
  /** One known signature differs from the others; the result without it is given too. */
  'ONE_KNOWN_DIFFERS',
  /** The known signatures form two groups that do not resemble each other; there is no value. */
  'TWO_GROUPS',
  /** The caller states that not all signatures were written on one medium. */
  'CROSS_MEDIUM',
  /** The signature is so simple that another writer copies it easily. */
  'LOW_COMPLEXITY',
  /** The questioned signature is more like a known one than two natural signatures are: perhaps a copy or a tracing. */
  'QUESTIONED_IS_COPY',
  /** Two known signatures are more like each other than natural ones are; copies count once. */
  'KNOWN_ARE_COPIES',
  /** The signatures are unlike those on which the error rates were measured. */
  'OUTSIDE_VALIDATION',
  /** Other ink was taken out of an image: a low similarity may be due to what is left of it or went with it. */
  'FOREIGN_INK',
] as const;
export type KnownWarning = (typeof KNOWN_WARNINGS)[number];

/** Each warning as a sentence. */
export const KNOWN_WARNING_TEXT: Record<KnownWarning, string> = {
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

/** How hard a signature is to imitate, by the number of turns of its line. */
export const COMPLEXITY_CLASSES = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type ComplexityClass = (typeof COMPLEXITY_CLASSES)[number];
