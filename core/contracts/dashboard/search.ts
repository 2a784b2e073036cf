/** An investigator's search: every face of an image against the watchlists that may be seen. Enrols nothing. */
import { z } from 'zod';
import { FAILURE_CODES } from '../errors/failures.ts';
import { faceListing, faceListingEdit } from '../faceListing.ts';
import { BLACKLIST_LIMITS } from './blacklists.ts';
import { portrait, reading } from './faceImages.ts';
import { displayName } from '../displayName.ts';
import { pathId } from '../ids.ts';

export const searchCandidate = z.object({
  faceId: z.number().int(),
  name: z.string(),
  watchlist: z.enum(['duplicate', 'blacklist']),
  blacklistName: z.string().nullable(),
  trustValidationId: z.number().int().nullable(),
  /** Of a face of a blacklist; null: of another face. */
  listing: faceListing.nullable(),
  reading,
  portrait,
});
export type SearchCandidate = z.infer<typeof searchCandidate>;

/** A watchlist that a search covered, with the faces in it. */
export const searchedWatchlist = z.object({ name: z.string().nullable(), faces: z.number().int() });

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const point = z.object({ x: z.number(), y: z.number() });

export const searchedFace = z.object({
  box,
  eyes: z.tuple([point, point]),
  quality: z.number(),
  /** The aligned face as a data URI: it is kept nowhere. */
  chip: z.string(),
  candidates: z.array(searchCandidate),
});
export type SearchedFace = z.infer<typeof searchedFace>;

export const searchAnswer = z.object({
  refused: z.enum(FAILURE_CODES).nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  faces: z.array(searchedFace),
  /** How many enrolled faces were looked at. */
  searchedFaces: z.number().int(),
  /** The watchlists that were searched; the name is null for the faces of duplicate detection. */
  watchlists: z.array(searchedWatchlist),
  pipelineId: z.string(),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;

export const REPORT_LANGUAGES = ['en', 'ar'] as const;
/** `POST /search/report`: the body is the searched photo again; answers a PDF. */
export const searchReportQuery = z.object({
  /** Which face of the photo, from 0. */
  face: z.coerce.number().int().min(0).default(0),
  /** The candidate that is shown beside it. */
  candidate: z.coerce.number().int().optional(),
  file: z.string().max(255).default(''),
  language: z.enum(REPORT_LANGUAGES).default('en'),
});
export type SearchReportQuery = z.infer<typeof searchReportQuery>;

/**
 * A face from a search for a blacklist. `POST /search/additions`: the body is the photo, with exactly one face in it;
 * `POST /search/additions/faces/{id}`: the photo that is kept of an enrolled face.
 */
export const searchAddition = faceListingEdit.extend({
  blacklist: pathId.blacklist,
  /** The face's Name in the list; what a file name must not hold is not in it. */
  name: z
    .string()
    .overwrite(displayName)
    .min(1)
    .max(BLACKLIST_LIMITS.name)
    .regex(/^[^/\\]*$/, 'The name must not contain / or \\.'),
});
export type SearchAddition = z.infer<typeof searchAddition>;
/** The upload by which the photo is followed, and taken back. */
export const additionReceipt = z.object({ uploadId: z.uuid() });
