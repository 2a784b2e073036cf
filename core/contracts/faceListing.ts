/** Why and for how long a face is in a blacklist. */
import { z } from 'zod';
import { displayName } from './displayName.ts';

/** Rising: how urgent a match with the face is. */
export const SEVERITIES = ['information', 'caution', 'stop'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The severity of a face that was added without one, as programs add them. */
export const DEFAULT_SEVERITY: Severity = 'caution';

/** Unicode code points of a reason. */
export const REASON_LIMIT = 500;

const reason = z
  .string()
  .overwrite((text) => displayName(text).normalize('NFC'))
  .refine(
    (text) => Array.from(text).length <= REASON_LIMIT,
    `The reason must not be greater than ${REASON_LIMIT} characters.`,
  )
  .transform((text) => (text === '' ? null : text))
  .nullable();

/** As it is stored and shown. The face matches before `expiresAt`, and no longer at that time; null: without end. */
export const faceListing = z.object({
  severity: z.enum(SEVERITIES),
  reason: z.string().nullable(),
  expiresAt: z.iso.datetime().nullable(),
});
export type FaceListing = z.infer<typeof faceListing>;

/** The fields that an operator or another installation may set; absent fields keep their value, or take the default. */
export const faceListingEdit = z.object({
  severity: z.enum(SEVERITIES).optional(),
  reason: reason.optional(),
  expiresAt: z.iso.datetime({ offset: true }).nullable().optional(),
});
export type FaceListingEdit = z.infer<typeof faceListingEdit>;

/** The listing of a new face. @param edit as {@link faceListingEdit} parsed it */
export function newListing({ severity, reason: why, expiresAt }: FaceListingEdit = {}): FaceListing {
  return {
    severity: severity ?? DEFAULT_SEVERITY,
    reason: why ?? null,
    expiresAt: expiresAt == null ? null : new Date(expiresAt).toISOString(),
  };
}

/** Whether the face no longer matches. */
export function hasExpired({ expiresAt }: Pick<FaceListing, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
}

/** 1 for information, 2 for caution, 3 for stop; 0 for a face without a severity. */
export function severityLevel(severity: Severity | undefined): number {
  return severity === undefined ? 0 : SEVERITIES.indexOf(severity) + 1;
}

/** For sorting: the most severe first, faces without a severity last. */
export function bySeverity(a: Severity | undefined, b: Severity | undefined): number {
  return severityLevel(b) - severityLevel(a);
}
