/** Why a verification ended as Incomplete. */
import { z } from 'zod';
import { FAILURE_CODES, FAILURES } from './errors/failures.ts';

/** The refusal of the newest selfie, or `NO_SELFIE` where none was refused. */
export const INCOMPLETE_CODES = [...FAILURE_CODES, 'NO_SELFIE'] as const;
export type IncompleteCode = (typeof INCOMPLETE_CODES)[number];

export const NO_SELFIE = {
  sentence: 'No selfie in JPEG or PNG format was stored before the verification was finalised.',
  remedy: 'Start a new verification and send a selfie before you finalise it.',
} as const;

/** The reason on the wire, in words that a caller can show. */
export const incompleteReason = z.object({
  code: z.enum(INCOMPLETE_CODES),
  reason: z.string().describe('what happened'),
  remedy: z.string().describe('what to do about it'),
});
export type IncompleteReason = z.infer<typeof incompleteReason>;

/** @returns the code with its sentences */
export function incompleteReasonOf(code: IncompleteCode): IncompleteReason {
  const { sentence, remedy } = code === 'NO_SELFIE' ? NO_SELFIE : FAILURES[code];
  return { code, reason: sentence, remedy };
}
