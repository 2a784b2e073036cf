/** An investigator's search: every face of an image against the watchlists that may be seen. Enrols nothing. */
import { z } from 'zod';
import { SCORE_BANDS } from '../codes.ts';
import { FAILURE_CODES } from '../errors/failures.ts';
import { faceListing, faceListingEdit } from '../faceListing.ts';
import { BLACKLIST_LIMITS } from './blacklists.ts';
import { faceImage, reading } from './faceImages.ts';
import { displayName } from '../displayName.ts';
import { expectation } from '../expectation.ts';
import { pathId, uploadId } from '../ids.ts';
import { searchView } from './searchView.ts';
import { get, post, put, remove } from './operation.ts';

/** A photo of a person who was found. */
export const searchCandidate = z.object({
  faceId: z.number().int(),
  name: z.string(),
  /** Null: the face belongs to no person. */
  personId: z.number().int().nullable(),
  /** How many photos of the person the list has. */
  photos: z.number().int(),
  /** With the first photo of the person: the rates of those that are not listed, rising. */
  furtherRates: z.array(z.number()),
  /** False match rate of this photo alone, and its score. */
  photoRate: z.number(),
  photoScore: z.number(),
  /** Probably a copy of this photo was searched for. */
  samePicture: z.boolean(),
  watchlist: z.enum(['duplicate', 'blacklist']),
  blacklistId: z.number().int().nullable(),
  blacklistName: z.string().nullable(),
  trustValidationId: z.number().int().nullable(),
  /** Of a face of a blacklist; null: of another face. */
  listing: faceListing.nullable(),
  /** False match rate of the person, 0 to 1; 1 where the distance is beyond the calibrated ones. */
  falseMatchRate: z.number(),
  /** By the default threshold. `readerOf` (searchView.ts) reads it by the chosen one. */
  reading,
  faceImage,
});
export type SearchCandidate = z.infer<typeof searchCandidate>;

/** A watchlist that a search covered, with its faces and persons; without id and name: the faces of duplicate detection. */
export const searchedWatchlist = z.object({
  id: z.number().int().nullable(),
  name: z.string().nullable(),
  faces: z.number().int(),
  persons: z.number().int(),
});

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const point = z.object({ x: z.number(), y: z.number() });

/** Persons of a face at most: so many of duplicate detection, and so many of all blacklists together. */
export const LISTED = 50;
/** Photos of a person at most, the most similar ones: each has its facts and its picture. */
export const LISTED_PHOTOS = 10;

export const searchedFace = z.object({
  box,
  eyes: z.tuple([point, point]),
  quality: z.number(),
  /** The aligned face as a data URI: it is kept nowhere. */
  thumbnail: z.string(),
  /** The photos of the nearest persons, most similar first, also below every threshold: at most {@link LISTED} persons of each group, with {@link LISTED_PHOTOS} photos each. */
  candidates: z.array(searchCandidate),
});
export type SearchedFace = z.infer<typeof searchedFace>;

export const searchAnswer = z.object({
  /** Names the result, which the service keeps in memory until `expiresAt`, for this session alone. */
  id: z.uuid(),
  at: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Of the searched file, lowercase hex. */
  sha256: z.string(),
  refused: z.enum(FAILURE_CODES).nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  faces: z.array(searchedFace),
  /** Heads that are covered or unclear: they are shown, and cannot be searched for. */
  unclear: z.array(box),
  /** How many enrolled faces were compared. */
  searchedFaces: z.number().int(),
  watchlists: z.array(searchedWatchlist),
  pipelineId: z.string(),
  /** Scores by falling false match rate, as the pipeline was calibrated; between two points linear in log rate. */
  scale: z.array(z.object({ falseMatchRate: z.number(), score: z.number() })),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;

export const REPORT_LANGUAGES = ['en', 'ar'] as const;
/** `POST /search/{id}/report`: a PDF of a result that the service still keeps, as the operator sees it. */
export const searchReportRequest = z.object({
  view: searchView,
  /** Which face of the photo, from 0. */
  face: z.number().int().min(0),
  /** The candidate that is shown beside it; null: none is. */
  candidate: z.number().int().nullable(),
  /** The name of the file, as the operator's computer gave it. */
  file: z.string().max(255),
  language: z.enum(REPORT_LANGUAGES),
});
export type SearchReportRequest = z.infer<typeof searchReportRequest>;

/** `GET /search/history`: earlier searches, newest first, as the audit log has them: no photo and no name of a person. */
export const searchHistory = z.object({
  items: z.array(
    z.object({
      sequence: z.number().int(),
      at: z.iso.datetime(),
      /** The name of the operator or program, or what the audit log has: `local-admin` is the terminal. */
      operator: z.string(),
      watchlists: z.number().int(),
      /** Enrolled faces that were compared. */
      compared: z.number().int(),
      /** Faces in the photo, and the best band of them; null: not recorded. */
      found: z.number().int().nullable(),
      band: z.enum(SCORE_BANDS).nullable(),
      oneIn: z.number().int().nullable(),
      per: searchView.shape.per,
    }),
  ),
});

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
/** The upload that shows the progress of the photo and that the undo names. */
export const additionReceipt = z.object({ uploadId: z.uuid() });

const byId = z.object({ id: z.uuid() });
/** The dashboard's operations. */
export const searchApi = {
  run: post('/search', 'search:run', { query: searchView, answer: searchAnswer }),
  setView: put('/search/:id/view', 'search:run', { params: byId, body: searchView }),
  report: post('/search/:id/report', 'exports:create', { params: byId, body: searchReportRequest }),
  history: get('/search/history', 'search:run', { answer: searchHistory }),
  expectation: get('/search/expectation', 'search:run', { answer: expectation }),
  addFace: post('/search/additions/faces/:id', 'blacklists:add', {
    params: z.object({ id: pathId.face }),
    body: searchAddition,
    answer: additionReceipt,
    status: 202,
  }),
  undoAddition: remove('/search/additions/:id', 'blacklists:add', { params: z.object({ id: uploadId }) }),
  addPhoto: post('/search/additions', 'blacklists:add', {
    query: searchAddition,
    answer: additionReceipt,
    status: 202,
  }),
};
