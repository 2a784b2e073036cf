/** The command palette's question: one text, and what of the company it may mean. */
import { z } from 'zod';
import { VALIDATION_SOURCES } from './validations.ts';
import { SEVERITIES } from '../faceListing.ts';
import { get } from './operation.ts';

/** `GET /find`. */
export const findQuery = z.object({ text: z.string().trim().min(1).max(100) });

/** Each kind is empty where the operator's role does not include it. */
export const findAnswer = z.object({
  /** By number (the verification's id is the same), or by words of the name and the metadata of the caller. */
  validations: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      status: z.number().int(),
      source: z.enum(VALIDATION_SOURCES),
      thumbnailUrl: z.string().nullable(),
    }),
  ),
  /** By number, or by words of the name and the external ID. */
  persons: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      photos: z.number().int(),
      thumbnailUrl: z.string().nullable(),
    }),
  ),
  /** Enrolled faces of blacklists: by Blacklist Face Upload ID or words of the name. */
  faces: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      severity: z.enum(SEVERITIES),
      blacklistId: z.number().int(),
      blacklistName: z.string(),
      thumbnailUrl: z.string().nullable(),
    }),
  ),
  /** By the beginning of the upload's id, from four characters on. */
  uploads: z.array(
    z.object({
      uploadId: z.uuid(),
      numberOfImages: z.number().int(),
      blacklistName: z.string().nullable(),
      createdAt: z.iso.datetime(),
    }),
  ),
  /** Signature comparisons with this `template_id` or `verification_id`, to the letter. */
  comparisons: z.array(
    z.object({
      id: z.number().int(),
      templateId: z.string(),
      verificationId: z.string(),
      comparedAt: z.iso.datetime(),
    }),
  ),
  /** Not all was looked through, only the newest: nothing found says less. */
  partial: z.boolean(),
});

export type FindAnswer = z.infer<typeof findAnswer>;
export type FoundKind = Exclude<keyof FindAnswer, 'partial'>;

/** The dashboard's operations. */
export const paletteApi = {
  find: get('/find', 'session', { query: findQuery, answer: findAnswer }),
};
