/** Lines of the journals that the terminal keeps in the home: one JSON value each. Erasure reads and cleans them. */
import { z } from 'zod';
import { FAILURE_CODES } from './failures.ts';

/** What became of one photo. */
const answer = z.object({
  path: z.string(),
  status: z.enum(['enrolled', 'failed', 'refused']),
  trustValidationId: z.number().nullable(),
  failureCode: z.enum(FAILURE_CODES).nullable(),
  reason: z.string().nullable(),
});
export type Answer = z.infer<typeof answer>;

/** `enrolments/*.jsonl`: what an enrolment of a folder has done so far. */
export const enrolmentStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sent'), uploadId: z.string(), files: z.array(z.string()) }),
  z.object({ kind: z.literal('answered'), uploadId: z.string().nullable(), answers: z.array(answer) }),
  /** Paths of erased people, so that they are not sent again: SHA-256 of the salt and the path. */
  z.object({ kind: z.literal('erased'), salt: z.string(), hashes: z.array(z.string()) }),
]);
export type EnrolmentStep = z.infer<typeof enrolmentStep>;

const watchedFile = z.object({ path: z.string(), bytes: z.number(), modified: z.number() });
/** `watching/*.jsonl`: what is under way in a watched folder. */
export const watchStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sending'), key: z.string(), files: z.array(watchedFile) }),
  z.object({ kind: z.literal('sent'), key: z.string(), uploadId: z.string() }),
  z.object({ kind: z.literal('done'), key: z.string() }),
]);
export type WatchStep = z.infer<typeof watchStep>;
