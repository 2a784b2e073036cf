/** Wire shapes of the two upload families. */
import { errorDetails } from './errors/body.ts';
import { z } from 'zod';
import { FAILURE_CODES } from './errors/failures.ts';
import { PERSON_LIMITS } from './dashboard/persons.ts';
import { displayName } from './displayName.ts';

// The persons whom photos show, as their sender names them at enrolment.

/** Text of one line; blank counts as absent. */
const text = (most: number) =>
  z
    .string()
    .overwrite(displayName)
    .max(most)
    .nullish()
    .transform((value) => (value === undefined || value === '' ? null : value));

/** At least one of the two. A photo with a known external ID joins that person, whose name stays. */
const photoPerson = z
  .object({ name: text(PERSON_LIMITS.name), externalId: text(PERSON_LIMITS.externalId) })
  .refine(({ name, externalId }) => name !== null || externalId !== null);
export type PhotoPerson = z.infer<typeof photoPerson>;

/** One entry for each photo of an upload, in their order; null: the photo is enrolled without a person. */
export const photoPersons = z.array(photoPerson.nullable()).max(1000);

/** Bytes that the entry of one photo can have as JSON: every character escaped, with keys and quotation marks. */
export const MAX_PHOTO_PERSON_BYTES = 12 * (PERSON_LIMITS.name + PERSON_LIMITS.externalId) + 100;

export const timestamp = z.iso.datetime({ precision: 3 }).describe('ISO 8601, UTC, milliseconds');

export const errorBody = z.object({
  success: z.literal(false),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  ...errorDetails,
});

/** `{success: true, message, data}`. */
export function envelope<T extends z.ZodType>(data: T) {
  return z.object({ success: z.literal(true), message: z.string(), data });
}

/** The pages beside a page of a list: addresses with the same filters, null where there is none. */
export const pageLinks = z.object({
  first: z.string().nullable(),
  last: z.string().nullable(),
  prev: z.string().nullable(),
  next: z.string().nullable(),
});

const enrolmentHead = { uploadId: z.uuid(), trustFlowId: z.number().int() };
const blacklistHead = { uploadId: z.uuid(), blacklistId: z.number().int() };
const receiptCore = {
  numberOfImages: z.number().int(),
  status: z.number().int().describe('1 Processing'),
  statusLabel: z.string(),
};
export const enrolmentReceipt = z.object({ ...enrolmentHead, ...receiptCore });
export const blacklistReceipt = z.object({ ...blacklistHead, ...receiptCore });

export const failureCode = z.enum(FAILURE_CODES);

const imageCore = {
  index: z.number().int(),
  fileName: z.string(),
  status: z.number().int().describe('1 Pending, 2 Enrolled, 3 Failed'),
  statusLabel: z.string(),
  failureCode: failureCode.nullable(),
  failureReason: z.string().nullable(),
  remedy: z.string().nullable().describe('what to do about a failed image'),
  processedAt: timestamp.nullable(),
  onePerson: z
    .boolean()
    .describe(
      'the photo shows this person more than once, as on a card with a ghost portrait; the largest usable face was enrolled',
    ),
};
const progressCore = {
  status: z.number().int().describe('1 Processing, 2 Completed, 3 Partially Completed, 4 Failed'),
  processedCount: z.number().int(),
  succeededCount: z.number().int(),
  failedCount: z.number().int(),
  pendingCount: z.number().int(),
  progress: z.number().int().min(0).max(100),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
};
export const enrolmentProgress = z.object({
  ...enrolmentHead,
  ...receiptCore,
  ...progressCore,
  images: z.array(z.object({ ...imageCore, trustValidationId: z.number().int().nullable() })),
});
export type EnrolmentProgress = z.infer<typeof enrolmentProgress>;

export const blacklistProgress = z.object({
  ...blacklistHead,
  ...receiptCore,
  ...progressCore,
  images: z.array(z.object({ ...imageCore, name: z.string(), faceId: z.number().int().nullable() })),
});
export type BlacklistProgress = z.infer<typeof blacklistProgress>;

/** The Idempotency-Key of a request: visible ASCII, as HTTP allows it in a header without quoting. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The query of a lookup by Idempotency-Key. */
export const uploadKeyQuery = z.object({
  idempotencyKey: z.string().min(1).max(255).describe('The Idempotency-Key that the upload was sent with.'),
});
