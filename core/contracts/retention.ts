/** How long a company keeps what it knows of people. */
import { z } from 'zod';

const days = z.number().int().min(1).max(36_500).nullable().default(null);

/** Days after which things go; null: they stay until somebody erases them. */
export const RETENTION_KINDS = {
  verified: 'Trust Validations that are Verified, with their faces',
  rejected: 'Trust Validations that are Rejected',
  reviewNeeded: 'Trust Validations that need review',
  incomplete: 'verifications without a selfie, and those never finalised',
  blacklistFaces: 'faces of blacklists, by the day they were enrolled',
  failedPhotos: 'names of photos that could not be enrolled',
  comparisons: 'signature comparisons',
} as const;
export type RetentionKind = keyof typeof RETENTION_KINDS;

export const retentionRules = z.object({
  verified: days,
  rejected: days,
  reviewNeeded: days,
  incomplete: days,
  blacklistFaces: days,
  failedPhotos: days,
  comparisons: days,
} satisfies Record<RetentionKind, typeof days>);
export type RetentionRules = z.infer<typeof retentionRules>;

const count = z.number().int();
export const retentionCounts = z.object({
  verified: count,
  rejected: count,
  reviewNeeded: count,
  incomplete: count,
  blacklistFaces: count,
  failedPhotos: count,
  comparisons: count,
} satisfies Record<RetentionKind, typeof count>);
export type RetentionCounts = z.infer<typeof retentionCounts>;

/** What rules would take now; `code` confirms these very rules. */
export const retentionPreview = z.object({ rules: retentionRules, due: retentionCounts, code: z.string() });
export type RetentionPreview = z.infer<typeof retentionPreview>;
