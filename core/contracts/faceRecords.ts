/** The facts that a face record of another system states about its picture. Kept with the face, sealed. */
import { z } from 'zod';
import { READ_KINDS } from './pictureKinds.ts';

export const RECORD_STANDARDS = [
  'ISO/IEC 19794-5:2005',
  'ISO/IEC 19794-5:2011',
  'ISO/IEC 39794-5:2019',
] as const;

const pointSchema = z.object({ x: z.number(), y: z.number() });
/** Degrees; null: the record does not say. */
const angleSchema = z.number().min(-180).max(180).nullable();

/**
 * Gender, height, colours of eyes and hair and the properties of the face (glasses, beard, medical condition) are
 * not among them: nothing here uses them.
 */
export const recordFactsSchema = z.object({
  standard: z.enum(RECORD_STANDARDS),
  /** The file around the record; null: the record alone. */
  container: z.enum(['EF.DG2', 'CBEFF XML']).nullable(),
  /** Which of the faces of the file, from 1. */
  face: z.number().int().min(1),
  faces: z.number().int().min(1),
  /** The kind of its picture, by the picture's first bytes. */
  image: z.enum(['jpeg', 'jpeg2000', 'png']),
  /** Pixels as the record states them; null: it does not. */
  size: z.object({ width: z.number(), height: z.number() }).nullable(),
  /** Centres of the person's own left and right eye in pixels, from the top left. */
  eyes: z.object({ left: pointSchema, right: pointSchema }).nullable(),
  pose: z.object({ yaw: angleSchema, pitch: angleSchema, roll: angleSchema }).nullable(),
  /** When the picture was taken: ISO 8601 in UTC, as exactly as the record says (a year alone, a day, a millisecond). */
  captured: z.string().nullable(),
  /** Scores of 0 to 100 (null: it could not be assessed), with the registered numbers of vendor and algorithm. */
  qualities: z.array(
    z.object({
      score: z.number().nullable(),
      vendor: z.number().nullable(),
      algorithm: z.number().nullable(),
    }),
  ),
  /** Program or organisation that wrote the record, as the record states it. */
  creator: z.string().nullable(),
  /** When the record was written, as the record states it. */
  created: z.string().nullable(),
});
export type RecordFacts = z.infer<typeof recordFactsSchema>;

/** The file that a stored picture was made from. */
export const pictureOriginalSchema = z.object({
  kind: z.enum(READ_KINDS),
  /** SHA-256 of the file, lowercase hex. */
  sha256: z.string(),
  record: recordFactsSchema.nullable(),
});
export type PictureOriginal = z.infer<typeof pictureOriginalSchema>;

/** Contradictions between a record and its picture: another place of the eyes, another size. */
export const RECORD_REMARKS = ['eyes', 'size'] as const;
export type RecordRemark = (typeof RECORD_REMARKS)[number];

/** Every field of a record by its name in the standard, to be shown and not kept. */
export type RecordField = readonly [name: string, value: string];
