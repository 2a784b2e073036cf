/** Who sits in front of the dashboard, and how a new installation gets its first operator. */
import { z } from 'zod';

export const OPERATOR_ROLES = ['admin', 'operator', 'reviewer', 'investigator', 'auditor'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export const session = z.object({
  operator: z.object({ id: z.number().int(), name: z.string(), role: z.enum(OPERATOR_ROLES) }),
  company: z.object({
    id: z.number().int(),
    name: z.string(),
    features: z.object({ registration: z.boolean(), blacklists: z.boolean() }),
    storageConfigured: z.boolean().default(true),
  }),
});
export type Session = z.infer<typeof session>;

export const signIn = z.object({
  operator: z.string().trim().min(1).max(100),
  passphrase: z.string().min(1).max(1024),
});

/** Answered without a session: true only as long as the installation has no operator at all. */
export const setupState = z.object({
  needed: z.boolean(),
  suggestedStorageFolder: z.string().nullable(),
});
export type SetupState = z.infer<typeof setupState>;

/** Whether a folder can hold the company's encrypted images; `problem` is a sentence for people. */
export const storageCheck = z.object({
  writable: z.boolean(),
  freeBytes: z.number().nullable(),
  problem: z.string().nullable(),
});
export type StorageCheck = z.infer<typeof storageCheck>;

export const MIN_PASSPHRASE = 12;

export const setupRequest = z.object({
  company: z.string().trim().min(1).max(100),
  storageFolder: z.string().trim().min(1).max(1000),
  operator: z.string().trim().min(1).max(100),
  passphrase: z.string().min(MIN_PASSPHRASE).max(1024),
  features: z.object({ registration: z.boolean(), blacklists: z.boolean() }),
});
export type SetupRequest = z.infer<typeof setupRequest>;
