/** Signature comparisons in the dashboard: images in, what the matcher saw and the record of it out. */
import { z } from 'zod';
import { REPORT_LANGUAGES } from './search.ts';
import { knownSetRecord, KNOWN_SIGNATURE_LIMITS } from '../knownSignatures.ts';
import { SIGNATURE_REASONS, VERDICTS, signatureMatchRequest } from '../signatures.ts';
import { get, post } from './operation.ts';
import { signatureSetRequest } from '../signatureSets.ts';

const reason = z.enum(SIGNATURE_REASONS).optional();
const hash = z.string();

/** Fields of every record of a comparison: numbers and references, never the images. */
const comparisonFacts = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  templateId: z.string(),
  verificationId: z.string(),
  /** `operator:3`, `token:7`. */
  credential: z.string(),
  /** The name of the operator or program; null for one that is not of the company any more. */
  operator: z.string().nullable(),
  /** 0 to 100; null when it was inconclusive. */
  similarity: z.number().min(0).max(100).nullable(),
  verdict: z.enum(VERDICTS),
  /** Where the bands began at that time. */
  thresholds: z.object({ match: z.number(), possibleMatch: z.number() }),
  modelVersion: z.string(),
});
export type ComparisonFacts = z.infer<typeof comparisonFacts>;

/** A comparison of two images. */
export const comparisonRow = comparisonFacts.extend({
  reasons: z.object({ image1: reason, image2: reason }),
  /** SHA-256 of both files, lowercase hex. */
  sha256: z.object({ image1: hash, image2: hash }),
});
export type ComparisonRow = z.infer<typeof comparisonRow>;

/** A comparison of a questioned signature with several known ones. */
export const knownSetRow = comparisonFacts.extend({ known: knownSetRecord });
export type KnownSetRow = z.infer<typeof knownSetRow>;

/** One entry of the history of signatures; only a known set has `known`. */
export const signatureRow = z.union([knownSetRow, comparisonRow]);
export type SignatureRow = z.infer<typeof signatureRow>;

const inkPicture = z.object({ url: z.string(), width: z.number(), height: z.number() });
export type InkPictureView = z.infer<typeof inkPicture>;

/** `POST /signatures/compare`. The body is that of the public interface: `signatureMatchRequest`. */
export const comparisonAnswer = comparisonRow.extend({
  /** The ink that the matcher found in either image, as data URIs: they are not stored. */
  pictures: z.object({ image1: inkPicture.optional(), image2: inkPicture.optional() }),
  /** Maps pixels of the second picture onto the first: x' = a·x + b·y + c, y' = d·x + e·y + f. */
  alignment: z.array(z.number()).length(6).nullable(),
});
export type ComparisonAnswer = z.infer<typeof comparisonAnswer>;

/** `POST /signatures/compare-known`. The body is that of the public interface: `signatureSetRequest`. */
export const knownSetAnswer = knownSetRow.extend({
  /** The ink that the matcher found in each image, as data URIs: they are not stored. Null: no ink was found. */
  pictures: z.object({ questioned: inkPicture.nullable(), known: z.array(inkPicture.nullable()) }),
  /** For each known signature: maps pixels of the questioned picture onto it. Null: not compared. */
  alignments: z.array(z.array(z.number()).length(6)).nullable(),
});
export type KnownSetAnswer = z.infer<typeof knownSetAnswer>;

/**
 * `POST /signatures/{id}/known-report`: answers a PDF of the record of a known set. With the very files that were compared, in
 * the same order, it shows what the matcher saw; files with another hash are refused.
 */
export const knownSetReportRequest = z.object({
  questioned: z.string().optional(),
  known: z.array(z.string()).max(KNOWN_SIGNATURE_LIMITS.most).optional(),
  language: z.enum(REPORT_LANGUAGES).default('en'),
});

/** Query of the history; newest first. `cursor` is the last id of the page before. */
export const comparisonQuery = z.object({
  template_id: z.string().max(255).optional(),
  verification_id: z.string().max(255).optional(),
  verdict: z.enum(VERDICTS).optional(),
  /** The operator or program that compared. */
  credential: z.templateLiteral([z.enum(['operator', 'token', 'hmac']), ':', z.int()]).optional(),
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
});
export type ComparisonQuery = z.infer<typeof comparisonQuery>;
/** An operator or program that compared. */
const comparisonActor = comparisonFacts.pick({ credential: true, operator: true });
export type ComparisonActor = z.infer<typeof comparisonActor>;
export const comparisonPage = z.object({
  items: z.array(signatureRow),
  nextCursor: z.string().nullable(),
  total: z.number().int(),
  /** Every operator and program with a record, whatever the filter: the choices of `credential`. */
  actors: z.array(comparisonActor),
});

/**
 * `POST /signatures/{id}/report`: answers a PDF of the record. With the very files that were compared, as data URIs, it
 * shows what the matcher saw; files with another hash are refused.
 */
export const comparisonReportRequest = z.object({
  image1: z.string().optional(),
  image2: z.string().optional(),
  language: z.enum(REPORT_LANGUAGES).default('en'),
});

const byId = z.object({ id: z.coerce.number().int().min(1) });
/** The dashboard's operations. */
export const signatureApi = {
  compareKnown: post('/signatures/compare-known', 'signatures:compare', {
    body: signatureSetRequest,
    answer: knownSetAnswer,
  }),
  knownReport: post('/signatures/:id/known-report', 'exports:create', {
    params: byId,
    body: knownSetReportRequest,
  }),
  list: get('/signatures', 'signatures:read', { query: comparisonQuery, answer: comparisonPage }),
  read: get('/signatures/:id', 'signatures:read', { params: byId, answer: signatureRow }),
  compare: post('/signatures/compare', 'signatures:compare', {
    body: signatureMatchRequest,
    answer: comparisonAnswer,
  }),
  report: post('/signatures/:id/report', 'exports:create', { params: byId, body: comparisonReportRequest }),
};
