import { z } from 'zod';

/** What a family of commands is: for each name, what it takes and what it answers. */
export type OwnerCommands = Record<string, { input: z.ZodType; output: z.ZodType }>;

export const none = z.object({});
export const companyName = z.string().trim().min(1).max(100);
