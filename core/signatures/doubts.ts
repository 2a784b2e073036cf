/** Doubts of a verdict for other ink in an image, or for a simple form. Apart from the engine: the service reads this too, and must not load the decoder. */
import type { SignatureReason } from '../contracts/signatures.ts';
import type { Doubts, OfEither } from '../domain/ports/signatures.ts';

/** Ink that is not the signature's: none was found, a part may be another signature, it was taken out whole, or the two may be mixed. */
export const OTHER_INK = ['NONE', 'PARTED', 'APART', 'MIXED'] as const;
export type OtherInk = (typeof OTHER_INK)[number];

/** Facts of an image that make a verdict doubtful. */
export interface Doubted {
  otherInk: OtherInk;
  /** Comparable, and so simple that two people may draw it alike. */
  isSimple: boolean;
}

/**
 * Ink that was taken out whole, or another signature, explains a similarity below a possible match; mixed ink explains any below a match. A match of
 * simple forms says nothing where half of the images are simple; forms that differ do.
 * @returns each doubt with the reason of each image that has one
 */
export function doubtsOf(images: readonly Doubted[]): Doubts<(SignatureReason | undefined)[]>[] {
  const inks = images.map(({ otherInk }) => otherInk);
  const simple = images.filter(({ isSimple }) => isSimple).length;
  const low = inks.includes('MIXED') ? (['NO_MATCH', 'POSSIBLE_MATCH'] as const) : (['NO_MATCH'] as const);
  const other = inks.map((ink) => REASONS[ink]);
  const plain = images.map(({ isSimple }) => (isSimple ? 'TOO_SIMPLE' : undefined));
  return [
    ...(inks.some((ink) => ink !== 'NONE') ? [{ verdicts: low, reasons: other }] : []),
    ...(2 * simple >= images.length ? [{ verdicts: ['MATCH'] as const, reasons: plain }] : []),
  ];
}

const REASONS: Record<OtherInk, SignatureReason | undefined> = {
  NONE: undefined,
  PARTED: 'SEVERAL_SIGNATURES',
  APART: 'FOREIGN_INK',
  MIXED: 'FOREIGN_INK',
};

/** The doubts of a comparison of two images. */
export function doubtsOfPair(image1: Doubted, image2: Doubted): Doubts<OfEither<SignatureReason>>[] {
  return doubtsOf([image1, image2]).map(({ verdicts, reasons }) => ({
    verdicts,
    reasons: bothThatAre(...reasons),
  }));
}

/** The values of two images; those that are undefined are left out. */
export function bothThatAre<T>(image1?: T, image2?: T): OfEither<T> {
  return { ...(image1 !== undefined && { image1 }), ...(image2 !== undefined && { image2 }) };
}
