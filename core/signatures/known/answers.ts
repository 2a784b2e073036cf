/** Checks of what a worker answers to the jobs of a known set. */
import { z } from 'zod';
import { SIGNATURE_FAULTS, SIGNATURE_REASONS } from '../../contracts/signatures.ts';
import { AnswerInvalid, parsedAnswer } from '../../workers/workerAnswers.ts';
import { alignment, picture } from '../answers.ts';
import { OTHER_INK } from '../doubts.ts';
import { MAX_COMPARED } from '../parts.ts';
import type { PartJob, PreparedImage, PrepareJob, ScoredPairs, ScoredParts, ScoreJob } from './jobs.ts';

/** Points or bends of one signature; the picture that is thinned has room for fewer. */
const MAX_POINTS = 100_000;

const finite = z.number();
const numbers = z
  .instanceof(Float64Array)
  .refine((values) => values.length <= MAX_POINTS && values.every(Number.isFinite));
const strokes = z.instanceof(Int32Array).refine((values) => values.every((value) => value >= 0));
const points = z
  .object({ count: z.number().int().positive(), x: numbers, y: numbers, angle: numbers, stroke: strokes })
  .refine(({ count, x, y, angle, stroke }) => [x, y, angle, stroke].every(({ length }) => length === count));
const bends = z
  .object({ bulge: numbers, turn: numbers })
  .refine(({ bulge, turn }) => bulge.length === turn.length);
const frame = z.object({ centreX: finite, centreY: finite, unit: finite.positive() });
const signature = z.object({ points, bends, frame });

const prepared = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('prepared'),
    signature,
    strokes: z
      .array(numbers.refine(({ length }) => length % 2 === 0))
      .max(MAX_POINTS)
      .readonly(),
    otherInk: z.enum(OTHER_INK),
    isSimple: z.boolean(),
    picture: picture.exactOptional(),
  }),
  z.object({
    kind: z.literal('unusable'),
    reason: z.enum(SIGNATURE_REASONS),
    picture: picture.exactOptional(),
  }),
  z.object({ kind: z.literal('fault'), fault: z.enum(SIGNATURE_FAULTS) }),
]) satisfies z.ZodType<PreparedImage>;

const scored = z.object({
  kind: z.literal('scored'),
  pairs: z.array(z.object({ score: finite, within: finite, alignment })).readonly(),
}) satisfies z.ZodType<ScoredPairs>;

const parted = z.object({
  kind: z.literal('parted'),
  parts: z
    .array(z.object({ otherInk: z.enum(['PARTED', 'APART']), scores: z.array(finite).readonly() }))
    .max(MAX_COMPARED)
    .readonly(),
}) satisfies z.ZodType<ScoredParts>;

/** @throws {AnswerInvalid} */
export function preparedAnswer(answer: unknown, { pictures }: PrepareJob): PreparedImage {
  const result = parsedAnswer<PreparedImage>(prepared, answer);
  if (result.kind !== 'fault' && !pictures && result.picture !== undefined)
    throw new AnswerInvalid('A worker sent a picture that was not asked for.');
  if (result.kind === 'prepared' && pictures && result.picture === undefined)
    throw new AnswerInvalid('A worker left out a picture that was asked for.');
  return result;
}

/** @throws {AnswerInvalid} also for fewer or more pairs than the job has */
export function scoredAnswer(answer: unknown, { pairs }: ScoreJob): ScoredPairs {
  const result = parsedAnswer<ScoredPairs>(scored, answer);
  if (result.pairs.length !== pairs.length)
    throw new AnswerInvalid('A worker answered other pairs than it was asked for.');
  return result;
}

/** @throws {AnswerInvalid} also for a part that was compared with fewer or more signatures than the job has */
export function partedAnswer(answer: unknown, { wholes }: PartJob): ScoredParts {
  const result = parsedAnswer<ScoredParts>(parted, answer);
  if (result.parts.some(({ scores }) => scores.length !== wholes.length))
    throw new AnswerInvalid('A worker compared parts with other signatures than it was asked for.');
  return result;
}
