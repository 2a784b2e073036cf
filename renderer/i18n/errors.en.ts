import { SHOWN_ERRORS, type ShownErrorCode } from '../../core/contracts/errors/problem.ts';
import { FAILURES, type FailureCode } from '../../core/contracts/errors/failures.ts';

/** The texts of errors in English: the sentences of the catalogue. */
export const errors = Object.fromEntries(
  Object.entries(SHOWN_ERRORS).flatMap(([code, { text }]) => (code in FAILURES ? [] : [[code, text]])),
) as Record<Exclude<ShownErrorCode, FailureCode>, string>;
