/** Every numeric code of the wire and its label, in one place. The public interface fixes them. */

export const UPLOAD_STATUS = { Processing: 1, Completed: 2, PartiallyCompleted: 3, Failed: 4 } as const;
export type UploadStatus = (typeof UPLOAD_STATUS)[keyof typeof UPLOAD_STATUS];
export const UPLOAD_STATUS_LABEL: Record<UploadStatus, string> = {
  1: 'Processing',
  2: 'Completed',
  3: 'Partially Completed',
  4: 'Failed',
};

/** One image of a batch, and one face of a blacklist. */
export const ITEM_STATUS = { Pending: 1, Enrolled: 2, Failed: 3 } as const;
export type ItemStatus = (typeof ITEM_STATUS)[keyof typeof ITEM_STATUS];
export const ITEM_STATUS_LABEL: Record<ItemStatus, string> = { 1: 'Pending', 2: 'Enrolled', 3: 'Failed' };

/** 99 is what a verification shows between creation and its first step. */
export const TRUST_VALIDATION_STATUS = {
  Rejected: 1,
  ReviewNeeded: 2,
  Verified: 3,
  Incomplete: 4,
  InProgress: 5,
  Created: 99,
} as const;
export type TrustValidationStatus = (typeof TRUST_VALIDATION_STATUS)[keyof typeof TRUST_VALIDATION_STATUS];
export const TRUST_VALIDATION_STATUS_LABEL: Record<TrustValidationStatus, string> = {
  1: 'Rejected',
  2: 'Review Needed',
  3: 'Verified',
  4: 'Incomplete',
  5: 'In Progress',
  99: 'In Progress',
};
/** The spelling of `status_message` and `verificationStatus` in the neighbouring routes. */
export const TRUST_VALIDATION_STATUS_WIRE: Record<TrustValidationStatus, string> = {
  1: 'REJECTED',
  2: 'REVIEW_NEEDED',
  3: 'VERIFIED',
  4: 'INCOMPLETE',
  5: 'IN_PROGRESS',
  99: 'IN_PROGRESS',
};

export const BLACKLIST_STATUS = { Inactive: 0, Active: 1 } as const;
export type BlacklistStatus = (typeof BLACKLIST_STATUS)[keyof typeof BLACKLIST_STATUS];
export const BLACKLIST_STATUS_LABEL: Record<BlacklistStatus, string> = { 0: 'Inactive', 1: 'Active' };

/** How similar two faces are: below the threshold, from the default threshold, from the strict one. */
export const SCORE_BANDS = ['none', 'possible', 'strong'] as const;

/** The scopes of a credential. */
export const SCOPES = [
  'enroll',
  'blacklists:read',
  'blacklists:write',
  'verify',
  'signatures',
  'duplicates:read',
  'duplicates:review',
  'duplicates:run',
  'persons:read',
  'persons:write',
  'abis:read',
  'abis:write',
  'abis:search',
] as const;
export type Scope = (typeof SCOPES)[number];

/** How a request is signed: `v2` lets the service check the signature before the body, `v1` only after it. */
export const HMAC_PROFILES = ['v1', 'v2'] as const;
export type HmacProfileName = (typeof HMAC_PROFILES)[number];

/** Which watchlist an upload feeds. */
export const UPLOAD_KINDS = ['duplicate', 'blacklist'] as const;
export type UploadKind = (typeof UPLOAD_KINDS)[number];

/** The name of the internal Trust Flow of bulk enrolment; the dashboard and reports translate it. */
export const SYSTEM_FLOW_NAME = 'Duplicate detection enrolment';
