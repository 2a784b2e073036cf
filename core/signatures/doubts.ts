/** Doubts of a similarity for other ink in an image. Apart from the engine: the service reads this too, and must not load the decoder. */
import type { SignatureReason } from '../contracts/signatures.ts';
import type { Doubts, OfEither } from '../domain/ports/signatures.ts';

/** Ink that is not the signature's: none was found, it was taken out whole, or the two may be mixed. */
export const OTHER_INK = ['NONE', 'APART', 'MIXED'] as const;
export type OtherInk = (typeof OTHER_INK)[number];

/**
 * Ink that was taken out whole explains a similarity below a possible match; mixed ink explains any below a match.
 * @returns the reason of each image that has one
 */
export function doubtsOf(
  images: readonly { otherInk: OtherInk }[],
): Doubts<(SignatureReason | undefined)[]> | undefined {
  if (images.every(({ otherInk }) => otherInk === 'NONE')) return undefined;
  const isMixed = images.some(({ otherInk }) => otherInk === 'MIXED');
  return {
    below: isMixed ? 'MATCH' : 'POSSIBLE_MATCH',
    reasons: images.map(({ otherInk }) => (otherInk === 'NONE' ? undefined : 'FOREIGN_INK')),
  };
}

/** The doubts of a comparison of two images; spread into it. */
export function doubtsOfPair(
  image1: { otherInk: OtherInk },
  image2: { otherInk: OtherInk },
): { doubts?: Doubts<OfEither<SignatureReason>> } {
  const doubts = doubtsOf([image1, image2]);
  return doubts ? { doubts: { ...doubts, reasons: bothThatAre(...doubts.reasons) } } : {};
}

/** The values of two images; those that are undefined are left out. */
export function bothThatAre<T>(image1?: T, image2?: T): OfEither<T> {
  return { ...(image1 !== undefined && { image1 }), ...(image2 !== undefined && { image2 }) };
}
