/** Credentials for programs. The secret is in the answer that creates it and never again. */
import { z } from 'zod';
import { SCOPES } from '../codes.ts';

export const apiToken = z.object({
  id: z.number().int(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type ApiTokenRow = z.infer<typeof apiToken>;
export const apiTokenList = z.object({ items: z.array(apiToken), address: z.string() });
export const newApiToken = z.object({
  name: z.string().trim().min(1).max(100),
  scopes: z.array(z.enum(SCOPES)).min(1),
  expiresAt: z.iso.datetime().nullable(),
});
export type NewApiToken = z.infer<typeof newApiToken>;
export const createdApiToken = apiToken.extend({ token: z.string() });
