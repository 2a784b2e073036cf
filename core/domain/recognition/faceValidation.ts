/**
 * The one rule for data about a face that comes from outside this process: from a worker, from a package of another installation,
 * from a restored database. A template that breaks it is refused before it is stored and is left out of searches.
 */
import { z } from 'zod';
import { displayName } from '../../contracts/displayName.ts';
import type { Box, ImageFormat, Quality } from '../../contracts/faces.ts';
import { sniffImageFormat } from '../values/bytes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { ImageFiles } from '../ports/images.ts';
import { UnavailableError, type Logger } from '../ports/machine.ts';
import type { Recogniser } from '../ports/recognition.ts';
import type { ExtractionResult } from '../ports/pipelines.ts';
import type { FacePendingExtraction } from '../../storage/faces/pipelines.ts';

/** A template that cannot be compared was about to be stored; the transaction is rolled back. */
export class TemplateRefused extends Error {
  override name = 'TemplateRefused';
}

/** Allowed deviation of a template's length from one; the rounding of float32 stays a thousand times below. */
const UNIT_TOLERANCE = 1e-3;
/** Longest template of any pipeline, in components: the package format and the database refuse longer ones too. */
export const MAX_DIMENSIONS = 16_384;
/** Largest small picture of a face, bytes; the service's own have about 6 KiB. */
export const MAX_THUMBNAIL_BYTES = 256 * 1024;
/** Largest coordinate in pixels: a JPEG side has at most 65,535, and a box can reach beyond its image. */
const MAX_DISTANCE = 2 ** 18;
/** Bound of a quality measure; the largest real ones are pixels. */
const LARGEST_MEASURE = MAX_DISTANCE;

/**
 * @param dimensions components of a template of this pipeline; undefined where the pipeline is not known
 * @returns why a template cannot be compared, as the end of a sentence ("it has 3 components, not 128"); undefined: it can
 */
export function templateFault(vector: Float32Array, dimensions?: number): string | undefined {
  const { length } = vector;
  if (dimensions !== undefined && length !== dimensions)
    return `it has ${length} components, not ${dimensions}`;
  if (length === 0 || length > MAX_DIMENSIONS) return `it has ${length} components`;
  let squares = 0;
  for (const component of vector) squares += component * component;
  if (!Number.isFinite(squares)) return 'it has components that are not finite numbers';
  const norm = Math.sqrt(squares);
  return Math.abs(norm - 1) <= UNIT_TOLERANCE ? undefined : `it has the length ${norm}, not 1`;
}

/**
 * @param most bytes that it may have
 * @returns why a picture cannot be stored, as the end of a sentence; undefined: it can
 */
export function imageFault(content: Uint8Array, format: ImageFormat, most: number): string | undefined {
  if (content.length > most) return `it has ${content.length} bytes, more than ${most}`;
  return sniffImageFormat(content) === format ? undefined : `its content is not a ${format.toUpperCase()}`;
}

const coordinate = z.number().min(-MAX_DISTANCE).max(MAX_DISTANCE);
const point = z.object({ x: coordinate, y: coordinate });
const side = z.number().positive().max(MAX_DISTANCE);

/** A rectangle in pixels of an image. */
export const faceBox = point.extend({ width: side, height: side }) satisfies z.ZodType<Box>;

/** Position of a face in its image, as it is stored with the face. */
export const facePlace = z.object({
  box: faceBox,
  eyes: z.tuple([point, point]),
  confidence: z.number().min(0).max(1),
});

/** Name of a face, cleaned as every name. */
export const faceName = z
  .string()
  .max(1024)
  .overwrite(displayName)
  .refine((name) => name !== '');

const measure = z.number().min(-LARGEST_MEASURE).max(LARGEST_MEASURE);
export const faceQuality = z.object({
  score: z.number().min(0).max(100),
  measures: z.object({
    interEyeDistance: measure,
    faceWidth: measure,
    yaw: measure,
    pitch: measure,
    roll: measure,
    sharpness: measure,
    grain: measure,
    brightness: measure,
    underexposed: measure,
    overexposed: measure,
    borderDistance: measure,
    inFrame: measure,
    eyesCovered: measure,
    mouthCovered: measure,
    quantisation: measure,
  }),
}) satisfies z.ZodType<Quality>;

/** Width and height of an image in pixels. */
export const imageSize = z.object({
  width: z.number().int().positive().max(MAX_DISTANCE),
  height: z.number().int().positive().max(MAX_DISTANCE),
});

/** Extracts a template of a stored face by another pipeline. @throws {UnavailableError} the engine or the storage folder cannot be used now */
export async function extractStored(
  { images, log }: { images: ImageFiles; log: Logger },
  recogniser: Recogniser,
  company: CompanyId,
  { faceId, imageId, place }: FacePendingExtraction,
): Promise<ExtractionResult> {
  const image = await images.read(company, imageId).catch((error: unknown) => {
    if (error instanceof UnavailableError) throw error;
    log.error({ err: error, company, face: faceId }, 'a stored image cannot be read back');
    return undefined;
  });
  if (image === undefined) return { faceId, code: 'CORRUPT_IMAGE' };
  const second = await recogniser.reextract(image.content, place);
  return second.kind === 'extracted'
    ? { faceId, vector: second.template.vector }
    : { faceId, code: second.code };
}
