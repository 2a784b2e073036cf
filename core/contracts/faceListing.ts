/** Why and for how long a face is in a blacklist. */
import { z } from 'zod';
import { displayName } from './displayName.ts';

/** Rising: how urgent a match with the face is. */
export const SEVERITIES = ['information', 'caution', 'stop'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The severity of a face that was added without one, as programs add them. */
export const DEFAULT_SEVERITY: Severity = 'caution';

/**
 * The fields that an operator types, with the most Unicode code points of each. What stores, shows, sends, exports or erases a
 * listing goes by this table. A new field also needs its columns, and its labels in the texts of the dashboard and the reports.
 */
export const LISTING_TEXTS = { reason: 500 } as const;
export type ListingText = keyof typeof LISTING_TEXTS;
export const LISTING_TEXT_NAMES = Object.keys(LISTING_TEXTS) as ListingText[];

/** All fields of a listing. */
export const LISTING_FIELDS = ['severity', ...LISTING_TEXT_NAMES, 'expiresAt'] as const;

/** A value for each field that is typed. */
export function ofTexts<T>(valueOf: (field: ListingText) => T): Record<ListingText, T> {
  return Object.fromEntries(LISTING_TEXT_NAMES.map((field) => [field, valueOf(field)])) as Record<
    ListingText,
    T
  >;
}

function typed(field: ListingText) {
  return z
    .string()
    .overwrite((text) => displayName(text).normalize('NFC'))
    .refine(
      (text) => Array.from(text).length <= LISTING_TEXTS[field],
      `The ${field} must not be greater than ${LISTING_TEXTS[field]} characters.`,
    )
    .transform((text) => (text === '' ? null : text))
    .nullable();
}

/** As it is stored and shown. The face matches before `expiresAt`, and no longer at that time; null: without end. */
export const faceListing = z.object({
  severity: z.enum(SEVERITIES),
  ...ofTexts(() => z.string().nullable()),
  expiresAt: z.iso.datetime().nullable(),
});
export type FaceListing = z.infer<typeof faceListing>;

/** The fields that an operator or another installation may set; absent fields keep their value, or take the default. */
export const faceListingEdit = z.object({
  severity: z.enum(SEVERITIES).optional(),
  ...ofTexts((field) => typed(field).optional()),
  expiresAt: z.iso.datetime({ offset: true }).nullable().optional(),
});
export type FaceListingEdit = z.infer<typeof faceListingEdit>;

/** The listing of a new face. @param edit as {@link faceListingEdit} parsed it */
export function newListing({ severity, expiresAt, ...texts }: FaceListingEdit = {}): FaceListing {
  return {
    severity: severity ?? DEFAULT_SEVERITY,
    ...ofTexts((field) => texts[field] ?? null),
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
