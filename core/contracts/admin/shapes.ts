import { z } from 'zod';
import { displayLine } from '../displayLine.ts';

/** The input and output of each command of a topic. */
export type AdminCommandShapes = Record<string, { input: z.ZodType; output: z.ZodType }>;

export const none = z.object({});
export const companyName = displayLine(100).min(1);
