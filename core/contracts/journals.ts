/**
 * Lines of the journals that the terminal keeps in the home: one JSON value each. Erasure reads and cleans them. A photo is
 * named by a keyed hash of its path (`photo`, 32 hexadecimal digits), and by nothing else.
 */
import { z } from 'zod';
import { FAILURE_CODES } from './failures.ts';

const photo = z.string().regex(/^[0-9a-f]{32}$/);

/** What became of one photo. */
const answer = z.object({
  photo,
  status: z.enum(['enrolled', 'failed', 'refused']),
  trustValidationId: z.number().nullable(),
  failureCode: z.enum(FAILURE_CODES).nullable(),
  reason: z.string().nullable(),
});
export type JournalAnswer = z.infer<typeof answer>;

/** `enrolments/*.jsonl`: what an enrolment of a folder has done so far. */
export const enrolmentStep = z.discriminatedUnion('kind', [
  /** In the order of the upload's images. */
  z.object({ kind: z.literal('sent'), uploadId: z.string(), photos: z.array(photo) }),
  z.object({ kind: z.literal('answered'), uploadId: z.string().nullable(), answers: z.array(answer) }),
  /** Photos of erased people, so that they are not sent again. */
  z.object({ kind: z.literal('erased'), photos: z.array(photo) }),
]);
export type EnrolmentStep = z.infer<typeof enrolmentStep>;

const watchedFile = z.object({ photo, bytes: z.number(), modified: z.number() });
/** `watching/*.jsonl`: what is under way in a watched folder. */
export const watchStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sending'), key: z.string(), files: z.array(watchedFile) }),
  z.object({ kind: z.literal('sent'), key: z.string(), uploadId: z.string() }),
  z.object({ kind: z.literal('done'), key: z.string() }),
]);
export type WatchStep = z.infer<typeof watchStep>;
