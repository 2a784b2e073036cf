import { z } from 'zod';
import { isErrorCode, type ErrorCode } from './problem.ts';

/** A stored or transmitted problem of the catalogue. */
export const problemShape = z.object({
  code: z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code)),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
});
