/** Actions on many rows of a list at once, and lists as files. */
import { z } from 'zod';
import { trustValidationId, uploadId, pathId } from '../ids.ts';
import { decisionRequest, validationQuery } from './validations.ts';
import { post } from './operation.ts';

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
  'reference',
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

/** The kinds of things that are taken out; new ones join here. */
const EXPORT_KINDS = [
  'uploadResults',
  'comparison',
  'validationList',
  'matchList',
  'blacklistFaces',
  'auditLog',
  'searchReport',
  'signatureReport',
  'erasureReceipt',
  'caseReport',
  'faceComparisonReport',
  'duplicateGroups',
  'duplicateGroupReport',
  'examinationReport',
  'caseFolderReport',
  'caseFolder',
  'useReport',
  'siteRatesReport',
  'faceRecord',
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/**
 * `POST /exports`: sent before the page itself makes the file or prints, so that the export is recorded. It names the
 * records; the service looks them up and counts them. 204, or 404 when the company has none of them.
 */
export const exportNotice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('uploadResults'),
    /** The uploads whose results are in the file. */
    uploads: z.array(uploadId).min(1).max(20_000),
  }),
  z.object({
    kind: z.literal('comparison'),
    /** The record whose two images stand on the page. */
    object: z
      .string()
      .pipe(
        z.templateLiteral([
          z.enum(['validation', 'face', 'signatureComparison', 'faceComparison']),
          ':',
          z.string().regex(/^[1-9]\d{0,15}$/),
        ]),
      ),
  }),
]);
export type ExportNotice = z.infer<typeof exportNotice>;

/** Views that an operator can save. */
export const MAX_VIEWS = 20;

/** A saved view of the validations: the query of its address. It holds no typed text, because that can be a name. */
const savedView = z.object({
  name: z.string().trim().min(1).max(60),
  search: z.string().max(500),
});
export type SavedView = z.infer<typeof savedView>;

export const listChoice = z.object({
  /** Columns of the validations that are left out. */
  hiddenColumns: z.array(z.string().max(40)).max(30),
  views: z.array(savedView).max(MAX_VIEWS),
});
export type ListChoice = z.infer<typeof listChoice>;

export const DEFAULT_LISTS: ListChoice = { hiddenColumns: ['finalized', 'hits'], views: [] };

/** The dashboard's operations. */
export const listApi = {
  announceExport: post('/exports', 'exports:create', { body: exportNotice }),
  exportValidations: post('/validations/export', 'exports:create', { body: validationExport }),
  exportFaces: post('/blacklists/:id/faces/export', 'exports:create', {
    params: z.object({ id: pathId.blacklist }),
  }),
  decideAll: post('/validations/decisions', 'validations:decide', {
    body: batchDecision,
    answer: batchResult,
  }),
};
