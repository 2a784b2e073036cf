/** A verification that an operator runs in the dashboard. */
import { z } from 'zod';
import { foundFaces } from '../enrolmentRuns.ts';
import { displayLine } from '../displayLine.ts';
import { FAILURE_CODES } from '../errors/failures.ts';
import { LONGEST_FIELD } from '../verifications.ts';

const text = displayLine(LONGEST_FIELD);

/**
 * `POST /verifications`: the body is the photo, a JPEG or PNG. The header `Idempotency-Key` is required: a repetition
 * with the same key answers with the same validation.
 */
export const verificationQuery = z.object({
  flow: z.coerce.number().int().positive().brand<'TrustFlowId'>(),
  /** The name in lists; absent or empty: the number of the verification. */
  name: text.optional(),
  /** The operator's own reference, kept as the metadata of the validation. */
  reference: text.optional(),
});
export type VerificationQuery = z.infer<typeof verificationQuery>;

/** Metadata as the verification of an operator writes it; a program may send the same. */
const referenced = z.object({ reference: z.string() });

/** @param metadata of a validation @returns the reference in it; null: it has none */
export function referenceOf(metadata: unknown): string | null {
  return referenced.safeParse(metadata).data?.reference ?? null;
}

export const verificationAnswer = z.object({
  /** Why the photo cannot be used; then nothing was stored. null: the verification was run. */
  refused: z.enum(FAILURE_CODES).nullable(),
  /** The faces of a refused photo, of which the operator may choose one; null: none were found. */
  found: foundFaces.nullable(),
  /** The Trust Validation; null when the photo was refused. */
  validationId: z.number().int().nullable(),
});

/** Live checks of a camera's frames, and the faces of a photo. Nothing of either is stored. */
const refusals = z.array(z.enum(FAILURE_CODES));

/** Largest frame, bytes: a full-HD picture of good quality has about a tenth of it. */
export const FRAME_BYTES = 4 * 1024 * 1024;

/**
 * `POST /camera/frames`: the body is one frame, a JPEG. Answers every reason against enrolling it, the most important
 * first; none: the frame can be enrolled. 429 while a frame of the same operator is being checked, and while frames
 * occupy their share of the workers.
 */
export const frameCheck = z.object({ refusals });
