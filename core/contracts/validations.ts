/** Trust Validations and the neighbouring verification routes. */
import { z } from 'zod';
import { SCORE_BANDS, TRUST_VALIDATION_STATUS } from './codes.ts';
import { incompleteReason } from './incomplete.ts';
import { failureCode, pageLinks, timestamp } from './uploads.ts';
import { displayName } from './displayName.ts';
import { pipelineId } from './ids.ts';

const band = z.enum(SCORE_BANDS).exclude(['none']);

/** The person that a matching photo shows. The similarity score and the band beside it are those of the person. */
export const personMatch = z
  .object({
    id: z.number().int().nullable().describe('null: the face belonged to no person when it matched'),
    photos: z.number().int().describe('photos of the person in this list'),
    agreeing: z.number().int().describe('how many of them reach the threshold by themselves'),
    photoSimilarityScore: z.number().describe('similarity score of this photo alone'),
    samePicture: z.boolean().describe('probably a copy of this photo was presented; a remark, not a verdict'),
  })
  .meta({ id: 'PersonMatch' });
export type PersonMatch = z.infer<typeof personMatch>;

/** One face of a blacklist that matched. */
export const blacklistMatch = z.object({
  fullName: z.string(),
  similarityScore: z.number(),
  blacklistFaceUploadId: z.number().int(),
  enrolledAt: timestamp,
  band,
  person: personMatch,
});

/** Blacklist Detected: one entry per matching blacklist, its best match first and repeated in the entry itself. */
export const blacklistEntry = blacklistMatch.extend({
  blacklistId: z.number().int(),
  blacklistName: z.string(),
  matches: z.array(blacklistMatch).describe('the best matches of this blacklist, nearest first'),
});
export type BlacklistEntry = z.infer<typeof blacklistEntry>;

/** Duplicate Detected: one entry per earlier Trust Validation that matched. */
export const duplicateEntry = z.object({
  trustValidationId: z.number().int(),
  similarityScore: z.number(),
  enrolledAt: timestamp,
  band,
  person: personMatch,
});
export type DuplicateEntry = z.infer<typeof duplicateEntry>;

/** The comparisons that were made, and those that could not be. */
export const screeningFacts = z.object({
  screenedAt: timestamp,
  duplicateDetection: z.boolean(),
  blacklists: z.array(z.object({ blacklistId: z.number().int(), blacklistName: z.string() })),
  notScreened: z.array(
    z.object({
      blacklistId: z.number().int(),
      blacklistName: z.string().nullable(),
      reason: z.enum(['inactive', 'deleted', 'disabled']),
    }),
  ),
  targetFmr: z.number(),
  maxDistance: z.number(),
  blacklistTargetFmr: z.number(),
  blacklistMaxDistance: z.number(),
  pipelineId,
  selfies: z.number().int().describe('accepted selfies that were compared'),
  perSearch: z
    .array(
      z.object({
        blacklistId: z.number().int().nullable().describe('null: the enrolled faces'),
        persons: z.number().int(),
        targetFpir: z.number().describe('the rate per search that was chosen'),
        keptFpir: z.number().describe('the rate that holds: higher where the calibration ends before'),
        targetFmr: z.number(),
        maxDistance: z.number(),
      }),
    )
    .optional()
    .describe('the lists whose threshold followed the number of persons'),
});
export type ScreeningFacts = z.infer<typeof screeningFacts>;

export const validationSummary = z.object({
  id: z.number().int(),
  trustFlowId: z.number().int(),
  trustFlowName: z.string(),
  name: z.string(),
  source: z.enum(['enrolment', 'verification']),
  status: z
    .number()
    .int()
    .describe('1 Rejected, 2 Review Needed, 3 Verified, 4 Incomplete, 5 In Progress, 99 created'),
  statusLabel: z.string(),
  duplicateDetected: z.boolean(),
  blacklistDetected: z.boolean(),
  incompleteReason: incompleteReason.nullable().describe('null: the status is not Incomplete'),
  createdAt: timestamp,
  finalizedAt: timestamp.nullable(),
});
export type ValidationSummary = z.infer<typeof validationSummary>;

/** The event of a history line; a selfie is accepted, replaces an earlier one, or is refused; `one-person`: the photo shows the person more than once. */
export const HISTORY_ACTIONS = [
  'created',
  'enrolled',
  'selfie-accepted',
  'selfie-replaced',
  'selfie-refused',
  'one-person',
  'finalised',
  'verified',
  'rejected',
  'returned-to-review',
] as const;

export const historyEntry = z.object({
  at: timestamp,
  actor: z.string(),
  action: z.enum(HISTORY_ACTIONS),
  fromStatus: z.number().int().nullable(),
  toStatus: z.number().int(),
  note: z.string().nullable(),
  failureCode: failureCode.nullable().describe('why a selfie was refused'),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export const validationDetail = validationSummary.extend({
  metadata: z.unknown().describe('what the caller sent with the verification; null: nothing'),
  duplicates: z.array(duplicateEntry),
  blacklistMatches: z.array(blacklistEntry),
  screening: screeningFacts.nullable(),
  history: z.array(historyEntry),
});
export type ValidationDetail = z.infer<typeof validationDetail>;

/** Filters of the list, in cursors or in numbered pages; `after` is the cursor of the previous page. */
export const validationQuery = z.object({
  status: z.preprocess(Number, z.literal(Object.values(TRUST_VALIDATION_STATUS))).optional(),
  trustFlowId: z.coerce.number().int().optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  hit: z.enum(['duplicate', 'blacklist', 'any', 'none']).optional(),
  text: z.string().max(200).optional(),
  after: z.coerce.number().int().optional().describe('id of the last row of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  per_page: z.coerce.number().int().min(1).max(200).optional().describe('the same as `limit`'),
  page: z.coerce
    .number()
    .int({ abort: true })
    .min(1)
    .max(1_000_000_000)
    .optional()
    .describe('numbered pages in place of `after`; rows that are added meanwhile move them'),
});
export type ValidationQuery = z.output<typeof validationQuery>;

export const validationPage = z.object({
  success: z.literal(true),
  message: z.string(),
  data: z.array(validationSummary),
  links: pageLinks.describe('`last` is null: the rows are not counted. `prev` is null without `page`.'),
  meta: z.object({
    current_page: z.number().int().nullable().describe('null without `page`'),
    from: z
      .number()
      .int()
      .nullable()
      .describe('number of the first row; null without `page`, or without rows'),
    last_page: z.null().describe('not counted'),
    path: z.string(),
    per_page: z.number().int(),
    to: z.number().int().nullable().describe('number of the last row; null without `page`, or without rows'),
    total: z.null().describe('not counted'),
    next_cursor: z.number().int().nullable().describe('`after` of the next page'),
  }),
});

export const DECISIONS = ['verify', 'reject', 'review'] as const;
export const decision = z.object({
  decision: z.enum(DECISIONS),
  note: z
    .string()
    .overwrite(displayName)
    .min(1, 'The note field is required.')
    .max(2000, 'The note must not be greater than 2000 characters.'),
  /** The status the reviewer saw: another means that a decision was made in between. */
  seenStatus: z.number().int(),
});
export type Decision = z.infer<typeof decision>;
