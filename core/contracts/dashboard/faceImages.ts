/** An enrolled photo as the screens need it, and a score with all that is needed to read it. */
import { z } from 'zod';
import { SCORE_BANDS } from '../codes.ts';
import { faceListing } from '../faceListing.ts';
import { pictureOriginalSchema, RECORD_REMARKS, RECORD_STANDARDS } from '../faceRecords.ts';
import { get, post } from './operation.ts';
import { pathId } from '../ids.ts';

export const point = z.object({ x: z.number(), y: z.number() });
export const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** The person that a face belongs to. Null: none, or the operator's role may not see persons. */
export const namedPerson = z.object({ id: z.number().int(), name: z.string() }).nullable();

/**
 * One stored image. Addresses are of this origin and need the session; null where the image was erased or the
 * operator's role may not see it.
 */
export const faceImage = z.object({
  imageUrl: z.string().nullable(),
  /** The aligned face: eyes on one line, all of one size. */
  thumbnailUrl: z.string().nullable(),
  /** Pixels of the upright image; the box and the eyes are in its coordinates. */
  width: z.number(),
  height: z.number(),
  box: box.nullable(),
  eyes: z.tuple([point, point]).nullable(),
  fileName: z.string(),
  /** Lowercase hex SHA-256 of the stored file. */
  sha256: z.string().nullable(),
  quality: z.number().nullable().describe('0 to 100'),
  pipelineId: z.string().nullable(),
  enrolledAt: z.iso.datetime().nullable(),
  person: namedPerson,
});
export type FaceImage = z.infer<typeof faceImage>;

/** `GET /faces/{id}`: what is known of the photo that a face is of. */
export const enrolledFace = z.object({
  id: z.number().int(),
  faceImage,
  /** Of a face of a blacklist; null: of another face. */
  listing: faceListing.nullable(),
  /** Its time in the list is over: it no longer matches. */
  expired: z.boolean(),
  /** The file that the photo was made from; null: it was received as it is stored. */
  original: pictureOriginalSchema.nullable(),
  remarks: z.array(z.enum(RECORD_REMARKS)),
});

/** The face whose thumbnail is at this address; undefined: it is no enrolled face's (a searched photo's is a data URI). */
export function faceOfThumbnail(thumbnailUrl: string): string | undefined {
  return /\/faces\/(\d+)\/thumbnail$/.exec(thumbnailUrl)?.[1];
}

/** A similarity score, its band and its scale. Screens never show a bare percentage. */
export const reading = z.object({
  score: z.number().min(0).max(100),
  band: z.enum(SCORE_BANDS),
  /** Where the two bands begin on the same scale. */
  possibleFrom: z.number(),
  strongFrom: z.number(),
  /** Of this many other people about one would score this high against this gallery; null where it is not calibrated. */
  oneIn: z.number().nullable(),
  /** The score lies beyond what was measured: fewer than one in `oneIn`, and how many fewer is unknown. */
  beyondMeasured: z.boolean(),
  /** How many faces `oneIn` counts with. */
  gallerySize: z.number().int(),
});
export type ScoreInterpretation = z.infer<typeof reading>;

const byId = z.object({ id: pathId.face });
/** The dashboard's operations. */
export const faceApi = {
  /** The facts of a face. The addresses of its pictures are null for a role that may not see them. */
  read: get('/faces/:id', 'validations:read', { params: byId, answer: enrolledFace }),
  thumbnail: get('/faces/:id/thumbnail', 'images:read', { params: byId }),
  image: get('/faces/:id/image', 'images:read', { params: byId }),
  /** The face as a record for another system. */
  record: get('/faces/:id/record', 'exports:create', {
    params: byId,
    query: z.object({ standard: z.enum(RECORD_STANDARDS).default('ISO/IEC 39794-5:2019') }),
  }),
  /** Any picture or face record as a JPEG or PNG; nothing is stored. */
  convert: post('/pictures', 'session'),
};
