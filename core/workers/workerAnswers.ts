/**
 * Checks of what a worker process sends. A worker decodes files of unknown origin, so a hostile file may have taken it
 * over: its messages are input like any other. A message that breaks these rules is a fault of the worker.
 */
import { z } from 'zod';
import { IMAGE_FORMATS, type Template } from '../contracts/faces.ts';
import { FAILURE_CODES } from '../contracts/errors/failures.ts';
import { problemShape } from '../contracts/errors/problemShape.ts';
import { pipelineId } from '../contracts/ids.ts';
import { PORTRAIT_COMPONENTS, portraitCheck } from '../contracts/portrait.ts';
import {
  faceBox,
  facePlace,
  faceQuality,
  imageFault,
  imageSize,
  MAX_THUMBNAIL_BYTES,
  templateFault,
} from '../domain/recognition/faceValidation.ts';
import { recordFactsSchema } from '../contracts/faceRecords.ts';
import { READ_KINDS } from '../contracts/pictureKinds.ts';
import { sniffImageFormat } from '../domain/values/bytes.ts';
import type { EnrolAnalysis, PictureConversion } from '../domain/ports/recognition.ts';
import type { VisionJob, VisionResult } from './workerProtocol.ts';

/** A worker's message breaks the protocol. The message of this error is for the log: it has none of the answer's data. */
export class AnswerInvalid extends Error {
  override name = 'AnswerInvalid';
}

/** Length of a reason that a worker gives, characters. */
const LONGEST_REASON = 2000;
/** The small picture of a searched photo, bytes: ten times a typical one. */
const MAX_PICTURE_BYTES = 2 ** 21;
/** Faces of one image: the detector's grid has room for fewer. */
const MAX_FACES_OF_IMAGE = 1000;

const reason = z.string().transform((text) => text.slice(-LONGEST_REASON));

/** The envelope of every message; the result is checked by the pool, which knows the job. */
export const workerMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('unable'), reason }),
  z.object({ kind: z.literal('done'), result: z.unknown() }),
  z.object({ kind: z.literal('failed'), reason }),
]);
export type UncheckedMessage = z.infer<typeof workerMessage>;

/** @throws {AnswerInvalid} naming the fields that are wrong */
export function parsedAnswer<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole of it');
  throw new AnswerInvalid(`A worker's answer breaks the protocol: ${fields.slice(0, 3).join(', ')}.`);
}

const image = imageSize.extend({ format: z.enum(IMAGE_FORMATS) });
const template = z.object({
  pipelineId,
  vector: z.instanceof(Float32Array),
});
/** @param most bytes */
const jpeg = (most: number) =>
  z.instanceof(Uint8Array).refine((content) => imageFault(content, 'jpeg', most) === undefined);
const face = facePlace.extend({ quality: faceQuality, template, thumbnail: jpeg(MAX_THUMBNAIL_BYTES) });
const boxes = z.array(faceBox).max(MAX_FACES_OF_IMAGE);
const failureCodes = z.array(z.enum(FAILURE_CODES)).max(FAILURE_CODES.length);
const measured = z.object({
  kind: z.literal('measured'),
  image,
  faces: z
    .array(
      facePlace.omit({ confidence: true }).extend({
        quality: faceQuality,
        refusals: failureCodes,
        portraitChecks: z.array(portraitCheck).length(PORTRAIT_COMPONENTS.length).exactOptional(),
      }),
    )
    .max(MAX_FACES_OF_IMAGE),
  unclear: boxes,
  refusals: failureCodes,
});
const extracted = z.object({ kind: z.literal('extracted'), template });
/** The faces that were found in a photo, largest first. */
const found = imageSize.extend({ boxes, unclear: boxes, onePerson: z.boolean() }).exactOptional();
/** Names every field of an answer: a field that is not named here would be dropped without an error. */
type Fields<A, Kind> = Record<keyof Extract<A, { kind: Kind }>, z.ZodType>;
const refused = z.object({
  kind: z.literal('refused'),
  code: z.enum(FAILURE_CODES),
  image: image.exactOptional(),
  found,
  quality: faceQuality.exactOptional(),
} satisfies Fields<EnrolAnalysis, 'refused'>);
const enrolled = z.object({
  kind: z.literal('face'),
  image,
  face,
  found,
} satisfies Fields<EnrolAnalysis, 'face'>);
const unusable = z.object({
  kind: z.literal('unusable'),
  reason: problemShape.refine(({ parameters }) => JSON.stringify(parameters).length <= LONGEST_REASON),
  detail: reason.nullable(),
});

/** A converted picture, bytes: a JPEG of the most pixels has fewer, or the file is passed on. */
const MAX_CONVERTED_BYTES = 2 ** 26;
const picture = z
  .instanceof(Uint8Array)
  .refine((content) => content.length <= MAX_CONVERTED_BYTES && sniffImageFormat(content) !== undefined);
const converted = z.object({
  kind: z.literal('converted'),
  content: picture,
  original: z.enum(READ_KINDS),
  record: recordFactsSchema.nullable(),
  portraits: z.array(picture).min(1).max(MAX_FACES_OF_IMAGE).optional(),
} satisfies Fields<PictureConversion, 'converted'>);
const unconvertible = z.object({
  kind: z.literal('unconvertible'),
  reason: problemShape.refine(({ parameters }) => JSON.stringify(parameters).length <= LONGEST_REASON),
});

const tokenImage = imageSize.extend({
  kind: z.literal('tokenImage'),
  jpeg: jpeg(MAX_PICTURE_BYTES),
  eyes: facePlace.shape.eyes,
});

const ANSWERS = {
  enrol: z.discriminatedUnion('kind', [enrolled, refused, unusable]),
  search: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('faces'),
      image,
      picture: jpeg(MAX_PICTURE_BYTES),
      faces: z.array(face).max(MAX_FACES_OF_IMAGE),
      unclear: boxes,
    }),
    refused.omit({ found: true, quality: true }),
    unusable,
  ]),
  reextract: z.discriminatedUnion('kind', [extracted, refused.pick({ kind: true, code: true }), unusable]),
  measure: z.discriminatedUnion('kind', [measured, refused.pick({ kind: true, code: true }), unusable]),
  convert: z.discriminatedUnion('kind', [
    converted,
    unconvertible,
    refused.pick({ kind: true, code: true }),
    unusable,
  ]),
  tokenImage: z.discriminatedUnion('kind', [tokenImage, refused.pick({ kind: true, code: true }), unusable]),
  try: z.discriminatedUnion('kind', [z.object({ kind: z.literal('usable') }), unusable]),
} satisfies Record<VisionJob['kind'], z.ZodType<VisionResult>>;

/**
 * @param answer as it came from the worker
 * @returns the answer to this job, with templates of the job's pipeline only
 * @throws {AnswerInvalid}
 */
export function visionAnswer(answer: unknown, { kind, pipeline }: VisionJob): VisionResult {
  const result: VisionResult = parsedAnswer<VisionResult>(ANSWERS[kind], answer);
  for (const { pipelineId: made, vector } of templatesOf(result)) {
    const fault =
      made === pipeline.id
        ? templateFault(vector, pipeline.dimensions)
        : 'it is of another pipeline than the job';
    if (fault !== undefined) throw new AnswerInvalid(`A worker's template cannot be used: ${fault}.`);
  }
  return result;
}

function templatesOf(result: VisionResult): Template[] {
  switch (result.kind) {
    case 'face':
      return [result.face.template];
    case 'faces':
      return result.faces.map((each) => each.template);
    case 'extracted':
      return [result.template];
    default:
      return [];
  }
}
