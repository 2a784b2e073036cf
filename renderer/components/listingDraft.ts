import { DEFAULT_SEVERITY, type FaceListing, type Severity } from '../../core/contracts/faceListing.ts';

/** Severity, reason and expiry as an operator enters them. */
export interface ListingDraft {
  severity: Severity;
  reason: string;
  /** The value of a `datetime-local` field in the zone of the browser; empty: no expiry. */
  expires: string;
}

export const NEW_LISTING: ListingDraft = { severity: DEFAULT_SEVERITY, reason: '', expires: '' };

/** @param listing as the service stores it */
export function draftOf(listing: FaceListing): ListingDraft {
  const { severity, reason, expiresAt } = listing;
  return {
    severity,
    reason: reason ?? '',
    expires: expiresAt === null ? '' : localTime(new Date(expiresAt)),
  };
}

/** The request to the service. */
export function listingOf({ severity, reason, expires }: ListingDraft): FaceListing {
  const text = reason.trim();
  return {
    severity,
    reason: text === '' ? null : text,
    expiresAt: expires === '' ? null : new Date(expires).toISOString(),
  };
}

/** @returns year to minute in the zone of the browser, as `datetime-local` takes it */
export function localTime(date: Date): string {
  const zone = date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - zone).toISOString().slice(0, 16);
}
