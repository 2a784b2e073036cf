import { z } from 'zod';
import { API_ERRORS, DUPLICATE_ERRORS } from './api.ts';

const parameters = z.record(z.string(), z.union([z.string(), z.number()]));

/** The fields of every refusal beside its message. A string and not an enum: a newer service may have more codes. */
export const errorDetails = {
  code: z
    .string()
    .optional()
    .meta({ enum: Object.keys({ ...API_ERRORS, ...DUPLICATE_ERRORS }) })
    .describe('machine-readable cause; docs/reference/error-codes.md has all'),
  parameters: parameters.optional().describe('the values in the message, e.g. a limit'),
  problems: z
    .record(z.string(), z.array(z.object({ code: z.string(), parameters })))
    .optional()
    .describe('the same as errors, by code'),
};
