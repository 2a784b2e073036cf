/**
 * Lines of the journals that the terminal keeps in the home: one JSON value each. Erasure reads and cleans them. A photo is
 * named by a keyed hash of its path (`photo`), its content by a keyed hash of its bytes (`content`): 32 hexadecimal digits each.
 */
import { z } from 'zod';
import { FAILURE_CODES } from './errors/failures.ts';

const keyedHash = z.string().regex(/^[0-9a-f]{32}$/);

/** A photo as it was when it was sent. */
const sentPhoto = z.object({
  photo: keyedHash,
  bytes: z.number(),
  /** Last change, milliseconds. */
  modified: z.number(),
  /** Null: the person was erased, and the hash with them. */
  content: keyedHash.nullable(),
});
export type SentPhoto = z.infer<typeof sentPhoto>;

/** The result of one photo, or of a portrait of a sheet, which has several. */
const answer = z.object({
  photo: keyedHash,
  /** The number of the portrait in its sheet, from 1. Absent: a photo. */
  portrait: z.number().optional(),
  status: z.enum(['enrolled', 'failed', 'refused']),
  trustValidationId: z.number().nullable(),
  failureCode: z.enum(FAILURE_CODES).nullable(),
  reason: z.string().nullable(),
});
export type JournalAnswer = z.infer<typeof answer>;

/** Written before a batch is sent, in the order of its images. `key` is its Idempotency-Key. */
const sending = z.object({ kind: z.literal('sending'), key: z.string(), files: z.array(sentPhoto) });
/** The service accepted the batch. */
const sent = z.object({ kind: z.literal('sent'), key: z.string(), uploadId: z.string() });

/** `enrolments/*.jsonl`: the progress of an enrolment of a folder. */
export const enrolmentStep = z.discriminatedUnion('kind', [
  sending,
  sent,
  /** Closes a batch. Photos without an answer were not sent. */
  z.object({ kind: z.literal('answered'), key: z.string(), answers: z.array(answer) }),
  /** Photos with a new time and the content that was sent. */
  z.object({ kind: z.literal('touched'), files: z.array(sentPhoto) }),
  /** Photos of erased people, so that they are not sent again. */
  z.object({ kind: z.literal('erased'), photos: z.array(keyedHash) }),
]);
export type EnrolmentStep = z.infer<typeof enrolmentStep>;

/** `watching/*.jsonl`: the batches of a watched folder that are not finished. */
export const watchStep = z.discriminatedUnion('kind', [
  sending,
  sent,
  z.object({ kind: z.literal('done'), key: z.string() }),
]);
export type WatchStep = z.infer<typeof watchStep>;

/** Photos that are sent together. */
export interface SentBatch {
  key: string;
  files: readonly SentPhoto[];
  /** undefined: the service may have the batch or not. Sending it again under its key enrols it once. */
  uploadId?: string;
}
