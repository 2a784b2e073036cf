import { z } from 'zod';
import { isErrorCode, type ErrorCode, type Problem } from './problem.ts';

const code = z.custom<ErrorCode>((value) => typeof value === 'string' && isErrorCode(value));
const plain = z.union([z.string(), z.number()]);
const cause = z.object({ code, parameters: z.record(z.string(), plain) });
const failure = z.object({ code, parameters: z.record(z.string(), z.union([plain, cause])) });

/** A stored or transmitted problem of the catalogue. The depth of its causes is bounded, because a worker can send one. */
export const problemShape: z.ZodType<Problem> = z.object({
  code,
  parameters: z.record(z.string(), z.union([plain, failure])),
});
