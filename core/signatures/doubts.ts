import type { SignatureReason } from '../contracts/signatures.ts';
import type { OfEither } from '../domain/ports/signatures.ts';

// Apart from the engine: the service reads this too, and must not load the decoder.

/** Why a low similarity of two signatures says nothing. */
export function doubtsOf(
  image1: { hadOtherInk: boolean },
  image2: { hadOtherInk: boolean },
): { doubts?: OfEither<SignatureReason> } {
  if (!image1.hadOtherInk && !image2.hadOtherInk) return {};
  const reason = (image: { hadOtherInk: boolean }) =>
    image.hadOtherInk ? ('FOREIGN_INK' as const) : undefined;
  return { doubts: bothThatAre(reason(image1), reason(image2)) };
}

/** The values of two images; those that are undefined are left out. */
export function bothThatAre<T>(image1: T | undefined, image2: T | undefined): OfEither<T> {
  return { ...(image1 !== undefined && { image1 }), ...(image2 !== undefined && { image2 }) };
}
