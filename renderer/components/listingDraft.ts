import {
  DEFAULT_SEVERITY,
  type FaceListing,
  type Severity,
  ofTexts,
  type ListingText,
} from '../../core/contracts/faceListing.ts';

/** A listing as an operator enters it. */
export interface ListingDraft extends Record<ListingText, string> {
  severity: Severity;
  /** The value of a `datetime-local` field in the zone of the browser; empty: no expiry. */
  expires: string;
}

export const NEW_LISTING: ListingDraft = {
  severity: DEFAULT_SEVERITY,
  ...ofTexts(() => ''),
  expires: '',
};

/** @param listing as the service stores it */
export function draftOf(listing: FaceListing): ListingDraft {
  const { severity, expiresAt } = listing;
  return {
    severity,
    ...ofTexts((field) => listing[field] ?? ''),
    expires: expiresAt === null ? '' : localTime(new Date(expiresAt)),
  };
}

/** The request to the service. */
export function listingOf({ severity, expires, ...texts }: ListingDraft): FaceListing {
  return {
    severity,
    ...ofTexts((field) => texts[field].trim() || null),
    expiresAt: expires === '' ? null : new Date(expires).toISOString(),
  };
}

/** @returns year to minute in the zone of the browser, as `datetime-local` takes it */
export function localTime(date: Date): string {
  const zone = date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - zone).toISOString().slice(0, 16);
}
