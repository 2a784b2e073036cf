/** Checks of what a signature worker answers: it decodes files of unknown origin, as a vision worker does. */
import { z } from 'zod';
import { SIGNATURE_FAULTS, SIGNATURE_LIMITS, SIGNATURE_REASONS, VERDICTS } from '../contracts/signatures.ts';
import { imageFault, imageSize } from '../domain/recognition/faceValidation.ts';
import type { SignatureComparison } from '../domain/ports/signatures.ts';
import { AnswerInvalid, parsedAnswer } from '../workers/workerAnswers.ts';
import { CALIBRATION } from './calibration.ts';
import type { SignatureJob } from './engine.ts';

export const picture = imageSize.extend({
  png: z
    .instanceof(Uint8Array)
    .refine((content) => imageFault(content, 'png', SIGNATURE_LIMITS.bytes) === undefined),
});
const ofEither = <T extends z.ZodType>(schema: T) =>
  z.object({ image1: schema.exactOptional(), image2: schema.exactOptional() });
const modelVersion = z.literal(CALIBRATION.modelVersion);
const number = z.number();
export const alignment = z.tuple([number, number, number, number, number, number]);

const answers = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('compared'),
    similarity: z.number().min(0).max(100),
    modelVersion,
    alignment,
    doubts: z.array(
      z.object({ verdicts: z.array(z.enum(VERDICTS)), reasons: ofEither(z.enum(SIGNATURE_REASONS)) }),
    ),
    pictures: z.object({ image1: picture, image2: picture }).exactOptional(),
  }),
  z.object({
    kind: z.literal('inconclusive'),
    reasons: ofEither(z.enum(SIGNATURE_REASONS)),
    modelVersion,
    pictures: ofEither(picture).exactOptional(),
  }),
  z.object({ kind: z.literal('refused'), faults: ofEither(z.enum(SIGNATURE_FAULTS)) }),
]) satisfies z.ZodType<SignatureComparison>;

/**
 * @param answer as it came from the worker
 * @throws {AnswerInvalid} also for an answer without a result: neither a reason nor a fault of either image
 */
export function signatureAnswer(answer: unknown, { pictures }: SignatureJob): SignatureComparison {
  const result = parsedAnswer<SignatureComparison>(answers, answer);
  const said =
    result.kind === 'refused' ? result.faults : result.kind === 'inconclusive' ? result.reasons : undefined;
  if (said !== undefined && said.image1 === undefined && said.image2 === undefined)
    throw new AnswerInvalid('A worker refused a comparison without a reason.');
  if (result.kind !== 'refused' && !pictures && result.pictures !== undefined)
    throw new AnswerInvalid('A worker sent pictures that were not asked for.');
  return result;
}
