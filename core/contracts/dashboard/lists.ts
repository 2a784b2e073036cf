/** Actions on many rows of a list at once, and lists as files. */
import { z } from 'zod';
import { trustValidationId } from '../ids.ts';
import { decisionRequest, validationQuery } from './validations.ts';
import { LISTING_TEXT_NAMES } from '../faceListing.ts';

/** Validations that one action may concern. More of them are decided in several actions. */
export const MAX_BATCH = 500;

/**
 * `POST /validations/decisions`: one decision with one note on several validations. Each is decided on its own: one that
 * another operator has decided in the meantime keeps that decision.
 */
export const batchDecision = decisionRequest.omit({ seenStatus: true }).extend({
  validations: z
    .array(z.object({ id: trustValidationId, seenStatus: z.number().int() }))
    .min(1)
    .max(MAX_BATCH),
});
export type BatchDecision = z.input<typeof batchDecision>;

/** `changed`: the status is not the one that the operator saw; `open`: it is not finalised yet. */
const BATCH_OUTCOMES = ['decided', 'changed', 'open', 'unknown'] as const;

/** One result for each validation of the request, in its order. */
export const batchResult = z.object({
  results: z.array(z.object({ id: z.number().int(), outcome: z.enum(BATCH_OUTCOMES) })),
});

/** Columns of the file of validations. */
export const VALIDATION_FILE_COLUMNS = [
  'number',
  'name',
  'person',
  'status',
  'incompleteReason',
  'bestScore',
  'bestBand',
  'bestMatch',
  'bestMatchPerson',
  'bestMatchIn',
  'bestMatchSeverity',
  'duplicateDetected',
  'blacklistDetected',
  'trustFlow',
  'created',
  'finalised',
] as const;
export type ValidationFileColumn = (typeof VALIDATION_FILE_COLUMNS)[number];

/** Columns of the file of matches: one line for each match of the validations. */
export const MATCH_FILE_COLUMNS = [
  'validation',
  'name',
  'status',
  'kind',
  'blacklist',
  'matchedName',
  'matchedPerson',
  'matchedValidation',
  'matchedFace',
  'score',
  'band',
  'created',
] as const;

/** `POST /validations/export`: the rows of a filter, or some of them, as comma-separated values. */
export const validationExport = z.object({
  rows: z.enum(['validations', 'matches']),
  filter: validationQuery.omit({ cursor: true, limit: true }),
  /** These alone, as far as the filter leaves them. */
  ids: z.array(trustValidationId).min(1).max(MAX_BATCH).optional(),
  /** For rows of validations; all where none are named. */
  columns: z.array(z.enum(VALIDATION_FILE_COLUMNS)).min(1).optional(),
});
export type ValidationExport = z.input<typeof validationExport>;

/** Columns of the file of a blacklist's faces. */
export const FACE_FILE_COLUMNS = [
  'face',
  'name',
  'person',
  'status',
  'failure',
  'severity',
  ...LISTING_TEXT_NAMES,
  'expires',
  'added',
] as const;
