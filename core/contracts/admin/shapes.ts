import { z } from 'zod';
import { displayName } from '../displayName.ts';

/** The input and output of each command of a topic. */
export type AdminCommandShapes = Record<string, { input: z.ZodType; output: z.ZodType }>;

export const none = z.object({});
export const companyName = z.string().overwrite(displayName).min(1).max(100);
