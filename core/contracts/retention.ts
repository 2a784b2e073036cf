/** How long a company keeps what it knows of people. */
import { z } from 'zod';

const days = z.number().int().min(1).max(36_500).nullable().default(null);

/** Days after which things go; null: they stay until an operator erases them. */
export const RETENTION_KINDS = {
  enrolled: 'enrolled photos, with their faces',
  verified: 'verifications with status Verified',
  rejected: 'Trust Validations with status Rejected',
  reviewNeeded: 'Trust Validations that need review',
  incomplete: 'verifications without a selfie, or never finalised',
  blacklistFaces: 'blacklist faces, by their day of enrolment',
  failedPhotos: 'names of photos that could not be enrolled',
  comparisons: 'comparisons of faces and of signatures, and photos stored for examinations',
} as const;
export type RetentionKind = keyof typeof RETENTION_KINDS;

export const retentionRules = z.object({
  enrolled: days,
  verified: days,
  rejected: days,
  reviewNeeded: days,
  incomplete: days,
  blacklistFaces: days,
  failedPhotos: days,
  comparisons: days,
} satisfies Record<RetentionKind, typeof days>);
export type RetentionRules = z.infer<typeof retentionRules>;

/** How far a preview looks ahead, days. */
export const SOON_DAYS = 30;

const count = z.number().int();
export const retentionCounts = z.object({
  enrolled: count,
  verified: count,
  rejected: count,
  reviewNeeded: count,
  incomplete: count,
  blacklistFaces: count,
  failedPhotos: count,
  comparisons: count,
} satisfies Record<RetentionKind, typeof count>);
export type RetentionCounts = z.infer<typeof retentionCounts>;

/**
 * Why the daily run erases nothing until a person confirms the rules again. `clock`: the clock shows a later time than it
 * can; `count`: more records are due than `most`; `unconfirmed`: no person has confirmed the rules on this installation.
 */
export const heldRetention = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('clock'), now: z.iso.datetime(), latest: z.iso.datetime() }),
  z.object({ reason: z.literal('count'), due: count, most: count }),
  z.object({ reason: z.literal('unconfirmed') }),
]);
export type HeldRetention = z.infer<typeof heldRetention>;

/**
 * The rows that the rules would erase now. `code` confirms these rules, and while the run is held also that it may go
 * on.
 */
export const retentionPreview = z.object({
  rules: retentionRules,
  /** Records of each kind, whatever their age. */
  stored: retentionCounts,
  due: retentionCounts,
  /** Due within {@link SOON_DAYS}, those that are due now included. */
  dueSoon: retentionCounts,
  code: z.string(),
  /** Null: the daily run is not held. */
  held: heldRetention.nullable(),
});
export type RetentionPreview = z.infer<typeof retentionPreview>;

/** Why a run is held, and what to do, in English sentences. */
export function heldText(held: HeldRetention, company: string): string {
  return `${heldReason(held)} Check the clock and the rules, then confirm the rules again: vouch retention preview --company ${JSON.stringify(company)}, and vouch retention set with its code.`;
}

function heldReason(held: HeldRetention): string {
  switch (held.reason) {
    case 'clock':
      return `The clock shows ${held.now}, and by the last check and the uptime of the machine it is at most ${held.latest}.`;
    case 'count':
      return `${held.due} records are due, and earlier runs and the last confirmation allow ${held.most}.`;
    case 'unconfirmed':
      return 'No person has confirmed the rules on this installation.';
  }
}
