import { z } from 'zod';
import { displayName } from '../displayName.ts';

/** What a family of commands is: for each name, what it takes and what it answers. */
export type AdminHelp = Record<string, { input: z.ZodType; output: z.ZodType }>;

export const none = z.object({});
export const companyName = z.string().overwrite(displayName).min(1).max(100);
