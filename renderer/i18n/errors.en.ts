import { SHOWN_ERRORS, type ShownErrorCode } from '../../core/contracts/errors/problem.ts';
import { FAILURES, type FailureCode } from '../../core/contracts/errors/failures.ts';

/** Why a photo was not enrolled. */
export const failures: {
  readonly [Code in FailureCode]: { readonly sentence: string; readonly remedy: string };
} = FAILURES;

/** The texts of errors in English: the sentences of the catalogue. */
export const errors = Object.fromEntries(
  Object.entries(SHOWN_ERRORS).flatMap(([code, { text }]) => (code in FAILURES ? [] : [[code, text]])),
) as Record<Exclude<ShownErrorCode, FailureCode>, string>;
