/** The Trust Validations list, one validation with its entries, and a reviewer's decision. */
import { z } from 'zod';
import { keptThreshold } from '../certainty.ts';
import { SCORE_BANDS } from '../codes.ts';
import { FAILURE_CODES } from '../errors/failures.ts';
import { INCOMPLETE_CODES } from '../incomplete.ts';
import { SEVERITIES, ofTexts } from '../faceListing.ts';
import { HISTORY_ACTIONS, personMatch } from '../validations.ts';
import { faceImage, namedPerson, reading } from './faceImages.ts';
import { displayLine } from '../displayLine.ts';
import { REPORT_LANGUAGES } from './search.ts';
import { foundFaces } from './enrolmentRuns.ts';
import { imageField, LONGEST_FIELD } from '../verifications.ts';
import { get, post } from './operation.ts';
import { pathId } from '../ids.ts';

// A verification that an operator runs in the dashboard.

const text = displayLine(LONGEST_FIELD);

/**
 * `POST /verifications`: the header `Idempotency-Key` is required. A repetition with the same key and photos answers with the
 * same validation.
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
const referenced = z.object({ reference: z.union([z.string(), z.number()]) });

/**
 * @param metadata of a validation
 * @returns its `reference`; without that field the metadata itself as a text, or the texts of its fields; null: none
 */
export function referenceOf(metadata: unknown): string | null {
  const sent: unknown = referenced.safeParse(metadata).data?.reference ?? metadata;
  const parts: unknown[] = typeof sent === 'object' && sent !== null ? Object.values(sent) : [sent];
  const texts = parts.filter((part) => typeof part === 'string' || typeof part === 'number');
  return texts.join(' · ').slice(0, LONGEST_FIELD).toWellFormed() || null;
}

/** Photos of one verification: more of the same moment bring little. */
export const MAX_PHOTOS = 5;

/** The photos of one person, JPEG or PNG. They are compared as one: by the average of their templates. */
const verificationPhotos = z.object({ photos: z.array(imageField('image')).min(1).max(MAX_PHOTOS) });

export const verificationAnswer = z.object({
  /** Why the photo cannot be used; then nothing was stored. null: the verification was run. */
  refused: z.enum([...FAILURE_CODES, 'OTHER_PERSON']).nullable(),
  /** The position of the photo that cannot be used, or shows somebody else than the others. */
  photo: z.number().int().nullable(),
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
 * first; none: the frame can be enrolled. The quality is that of its largest face. 429 while a frame of the same operator
 * is being checked, and while frames occupy their share of the workers.
 */
export const frameCheck = z.object({ refusals, quality: z.number().nullable().describe('0 to 100') });

/** Columns that the list can be sorted by. */
export const VALIDATION_SORTS = ['created', 'name', 'status', 'score', 'finalized'] as const;
export type ValidationSort = (typeof VALIDATION_SORTS)[number];

/** The origin of a Trust Validation. */
export const VALIDATION_SOURCES = ['enrolment', 'verification'] as const;
export type ValidationSource = (typeof VALIDATION_SOURCES)[number];

export const HIT_KINDS = ['duplicate', 'blacklist', 'none'] as const;

const matchBand = z.enum(SCORE_BANDS).exclude(['none']);

/** Query of the list; all keys optional. `cursor` comes from the page before. */
export const validationQuery = z.object({
  status: z.coerce.number().int().optional(),
  /** Photos of enrolment have the status Verified of the public interface, though no verification took place. */
  source: z.enum(VALIDATION_SOURCES).optional(),
  flow: z.coerce.number().int().brand<'TrustFlowId'>().optional(),
  hit: z.enum(HIT_KINDS).optional(),
  /** Of the match of the highest score. */
  band: matchBand.optional(),
  text: z.string().max(200).optional(),
  /** Of this person, or with a match of this person. */
  person: pathId.person.optional(),
  /** Created at or after `from` and before `until`: the reader's days, in the reader's zone. */
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  sort: z.enum(VALIDATION_SORTS).optional(),
  order: z.enum(['asc', 'desc']).optional(),
  cursor: z.string().max(4000).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
});
export type ValidationQuery = z.infer<typeof validationQuery>;

/** The match of the highest score. */
const bestMatch = z.object({
  score: z.number(),
  band: matchBand,
  name: z.string(),
  /** Null: a duplicate. */
  blacklistName: z.string().nullable(),
  /** Of the blacklist face when it matched; null: a duplicate. */
  severity: z.enum(SEVERITIES).nullable(),
  trustValidationId: z.number().int().nullable(),
  thumbnailUrl: z.string().nullable(),
  person: namedPerson,
});

export const validationRow = z.object({
  id: z.number().int(),
  status: z.number().int(),
  source: z.enum(VALIDATION_SOURCES),
  trustFlowId: z.number().int(),
  trustFlowName: z.string(),
  /** Its display name: that of the enrolled file, or the one that the caller gave; may be empty. */
  name: z.string(),
  /** The caller's own, from the metadata. */
  reference: z.string().nullable(),
  thumbnailUrl: z.string().nullable(),
  person: namedPerson,
  duplicateDetected: z.boolean(),
  blacklistDetected: z.boolean(),
  /** Null: the status is not Incomplete. */
  incompleteReason: z.enum(INCOMPLETE_CODES).nullable(),
  bestMatch: bestMatch.nullable(),
  createdAt: z.iso.datetime(),
  finalizedAt: z.iso.datetime().nullable(),
});
export type ValidationRow = z.infer<typeof validationRow>;

export const validationPage = z.object({
  items: z.array(validationRow),
  nextCursor: z.string().nullable(),
  /** All rows that the filter leaves, and how many of them need review. */
  total: z.number().int(),
  needReview: z.number().int(),
});

const duplicateEntry = z.object({
  trustValidationId: z.number().int(),
  name: z.string(),
  personMatch,
  /** Of the person. */
  reading,
  faceImage,
  /** The earlier selfie that matched; null: the one that the validation shows. */
  earlierSelfie: faceImage.nullable(),
});

const blacklistEntry = z.object({
  blacklistId: z.number().int(),
  blacklistName: z.string(),
  fullName: z.string(),
  blacklistFaceUploadId: z.number().int(),
  /** Of the face when it matched. */
  severity: z.enum(SEVERITIES),
  ...ofTexts(() => z.string().nullable()),
  personMatch,
  /** Of the person. */
  reading,
  faceImage,
  /** As in a duplicate entry. */
  earlierSelfie: faceImage.nullable(),
});

const historyEntry = z.object({
  at: z.iso.datetime(),
  /** The name of an operator or of a program's credential; null: the service itself, or a credential that is gone. */
  operator: z.string().nullable(),
  action: z.enum(HISTORY_ACTIONS),
  status: z.number().int().nullable(),
  note: z.string().nullable(),
  /** Why a selfie was refused. */
  failureCode: z.enum(FAILURE_CODES).nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export const validationDetail = validationRow.omit({ bestMatch: true, person: true }).extend({
  faceImage: faceImage.nullable(),
  duplicates: z.array(duplicateEntry),
  blacklists: z.array(blacklistEntry),
  /** The screened lists; chosen blacklists that are deleted or inactive are listed apart. */
  screening: z.object({
    duplicates: z.boolean(),
    blacklists: z.array(z.string()),
    notScreened: z.array(z.string()),
    /** Of the person: those of a verification that show one person were compared as one. */
    photos: z.number().int(),
    /** The rate of each screened list at the screening. */
    thresholds: z.array(keptThreshold),
    at: z.iso.datetime().nullable(),
  }),
  history: z.array(historyEntry),
});
export type ValidationDetail = z.infer<typeof validationDetail>;

export const DECISIONS = ['verify', 'reject', 'review'] as const;
export type Decision = (typeof DECISIONS)[number];

/** `POST /validations/{id}/decision`; 409 when the status is no longer the one the reviewer saw. */
export const decisionRequest = z.object({
  decision: z.enum(DECISIONS),
  note: displayLine(1000).min(1),
  seenStatus: z.number().int(),
});
export type DecisionRequest = z.infer<typeof decisionRequest>;

/** `POST /validations/{id}/report`: answers a PDF. */
export const caseReportQuery = z.object({
  /** `blacklist:<Blacklist Face Upload ID>` or `duplicate:<Trust Validation ID>`: the only match shown side by side. */
  match: z
    .string()
    .regex(/^(blacklist|duplicate):[1-9]\d{0,15}$/)
    .optional(),
  language: z.enum(REPORT_LANGUAGES).default('en'),
});
export type CaseReportQuery = z.infer<typeof caseReportQuery>;

/** Hits on blacklists that are new to an open dashboard, and an operator's choice of notification. */
export const ALERT_WAYS = ['off', 'sound', 'notification', 'both'] as const;

/** Part of an operator's own settings. */
export const alertChoice = z.object({
  way: z.enum(ALERT_WAYS),
  /** Hits of a lower severity cause no alert. */
  from: z.enum(SEVERITIES),
  /** Sound and notification also while the window has the focus. */
  whileFocused: z.boolean(),
  /** Notifications name the blacklist. They never name a person or show a face. */
  listName: z.boolean(),
});
export type AlertChoice = z.infer<typeof alertChoice>;
export const DEFAULT_ALERTS: AlertChoice = {
  way: 'off',
  from: 'information',
  whileFocused: false,
  listName: false,
};

/** Hits of one answer; more are left to the list of validations. */
export const MAX_HITS = 100;

/** `GET /hits`: the hits after `after`; without it none, only where the present ends. */
export const newHitsQuery = z.object({ after: z.coerce.number().int().min(0).optional() });
export const newHits = z.object({
  /** `after` of the next request. */
  last: z.number().int(),
  /** One per validation, with its most severe match; oldest first. */
  hits: z.array(
    z.object({
      validation: z.number().int(),
      blacklistName: z.string(),
      severity: z.enum(SEVERITIES),
    }),
  ),
});
export type NewHits = z.infer<typeof newHits>;
export type NewHit = NewHits['hits'][number];

const byId = z.object({ id: pathId.trustValidation });
/** The dashboard's operations. */
export const validationApi = {
  list: get('/validations', 'validations:read', { query: validationQuery, answer: validationPage }),
  read: get('/validations/:id', 'validations:read', { params: byId, answer: validationDetail }),
  decide: post('/validations/:id/decision', 'validations:decide', {
    params: byId,
    body: decisionRequest,
    answer: validationDetail,
  }),
  report: post('/validations/:id/report', 'exports:create', { params: byId, query: caseReportQuery }),
  verify: post('/verifications', 'verifications:create', {
    query: verificationQuery,
    body: verificationPhotos,
    answer: verificationAnswer,
  }),
  checkFrame: post('/camera/frames', 'faces:compare', { background: true, answer: frameCheck }),
};
